"""Exact information against Monte-Carlo, the two kinds against each other, mixed banks."""

import numpy as np
import pytest
from benchmarks.information import MODELS, check_information

import itemcurve as ic
from itemcurve.bank.item_bank import BankPart
from itemcurve.errors import ModelError


@pytest.mark.slow
@pytest.mark.parametrize("boundary", ["none", "censor"])
@pytest.mark.parametrize("name", MODELS)
def test_it_agrees_with_monte_carlo(name, boundary):
    found = check_information(name, boundary, items=200, seed=5, draws=16_384)
    for gaps in (np.abs(found.fisher), np.abs(found.kl)):
        # Of normal gaps 0.3 % lie beyond 3; 1 % of 200 items are 2, with room for chance 4.
        assert (gaps > 3).sum() <= 4
        assert gaps.max() < 6


@pytest.mark.parametrize("name", ["2pl", "beta3", "gamma", "logit-normal"])
def test_kl_information_of_a_narrow_window_is_fisher_information(name):
    truth = ic.simulate(name, respondents=60, items=6, seed=1)
    fitted = ic.fit(truth.responses, name, on_failure="ignore")
    abilities, width = np.array([-0.5, 0.3]), 0.01
    # KL ≈ I (θ* − θ)²/2, whose integral over ±width is I width³/3.
    expected = fitted.information(abilities) * width**3 / 3
    found = fitted.information(abilities, kind="kl", width=width)
    np.testing.assert_allclose(found, expected, rtol=5e-3)


def test_the_window_is_integrated_exactly():
    truth = ic.simulate("beta3", respondents=40, items=5, seed=1)
    bank = ic.fit(truth.responses, "beta3", on_failure="ignore").bank
    part, here = bank.parts[0], np.array([0.4])
    from itemcurve.numerics.engine import NUMPY

    others = np.linspace(0.3, 0.5, 2001)
    heights = part.likelihood.kl_information(NUMPY, np.full(2001, 0.4), others, part.values)
    expected = np.trapezoid(heights, others, axis=1)
    np.testing.assert_allclose(bank.information(here, kind="kl")[0], expected, rtol=1e-5)


def test_another_kind_or_an_empty_window_is_refused():
    bank = ic.fit(ic.simulate("2pl", respondents=50, items=5, seed=1).responses).bank
    with pytest.raises(ModelError, match="'fisher' or 'kl'"):
        bank.information([0.0], kind="entropy")
    with pytest.raises(ModelError, match="width"):
        bank.information([0.0], kind="kl", width=0)


def test_information_of_a_mixed_bank_is_that_of_its_parts():
    two, three = ic.get_model("2pl"), ic.get_model("3pl")
    rng = np.random.default_rng(0)
    parts = (
        BankPart(two, np.array([0, 2]), two.draw(rng, 2), np.zeros((2, 2, 2))),
        BankPart(three, np.array([1]), three.draw(rng, 1), np.zeros((1, 3, 3))),
    )
    bank = ic.Bank(("a", "b", "c"), parts)
    abilities = np.array([-1.0, 0.5])
    swapped = bank.select(["c", "b"])
    np.testing.assert_allclose(
        swapped.information(abilities), bank.information(abilities)[:, [2, 1]]
    )
    answers = ic.Responses.from_array([[1, 0, 1]], items=["a", "b", "c"])
    assert np.isfinite(ic.score(bank, answers).ability[0])
