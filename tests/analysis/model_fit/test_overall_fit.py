"""Tests of a whole model."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.analysis.model_fit.item_margins import margins_of
from itemcurve.analysis.model_fit.limited_information import margin_covariance
from itemcurve.errors import ModelError


def two_abilities(seed: int) -> ic.Responses:
    """Half of the items ask for one ability, half for another that has little to do with it."""
    random = np.random.default_rng(seed)
    ability = random.normal(size=(800, 2))
    logits = 1.5 * np.repeat(ability, 8, axis=1) + random.normal(size=16)
    return ic.Responses.from_array((random.random(logits.shape) < 1 / (1 + np.exp(-logits))) * 1.0)


def test_a_second_ability_is_a_poor_fit():
    found = ic.model_fit(ic.fit(two_abilities(1)))
    assert found.p_value < 1e-10
    assert found.rmsea_lower < found.rmsea < found.rmsea_upper
    assert found.verdict == "poor"
    assert "poor fit" in str(found)


@pytest.mark.parametrize(("model", "test"), [("2pl", "M2"), ("grm", "C2")])
def test_covariance_of_margins_is_that_of_many_draws(model, test):
    truth = ic.simulate(model, respondents=300, items=4, seed=2)
    bank = ic.fit(truth.responses, model).bank
    own = margins_of(bank)
    drawn = bank_draws(bank, own, 200_000)
    columns = [drawn[:, i] == k for i, k in zip(own.owner, own.grade, strict=True)]
    first, second = own.pairs
    margins = np.column_stack([*columns, drawn[:, first] * drawn[:, second]]).astype(float)
    np.testing.assert_allclose(margins.mean(axis=0), own.expected(), atol=0.03)
    expected = margin_covariance(own)
    scale = np.sqrt(np.outer(np.diag(expected), np.diag(expected)))
    np.testing.assert_allclose(np.cov(margins.T) / scale, expected / scale, atol=0.015)


def bank_draws(bank, own, count):
    """Answers of respondents drawn from the nodes."""
    random = np.random.default_rng(0)
    node = random.choice(len(own.weights), count, p=own.weights)
    found = np.zeros((count, own.n_items))
    for item in range(own.n_items):
        chances = own.chances[own.owner == item][:, node]
        found[:, item] = (random.random(count) < chances[::-1].cumsum(axis=0)).sum(axis=0)
    return found


def test_missing_answers_leave_the_test_near_its_degrees_of_freedom():
    values = ic.simulate("2pl", respondents=1000, items=12, seed=5).responses.array().astype(float)
    values[np.random.default_rng(5).random(values.shape) < 0.3] = np.nan
    found = ic.model_fit(ic.fit(ic.Responses.from_array(values)))
    assert found.p_value > 0.01
    assert found.degrees_of_freedom == 12 + 66 - 24


def test_nothing_missing_is_the_same_as_a_pattern_of_everything(monkeypatch):
    from itemcurve.analysis.model_fit import overall_fit

    fit = ic.fit(ic.simulate("2pl", respondents=400, items=8, seed=6).responses)
    plain, seen = ic.model_fit(fit), overall_fit.observe

    def masked(grades, own):
        from dataclasses import replace

        return replace(seen(grades, own), seen=np.isfinite(grades))

    monkeypatch.setattr(overall_fit, "observe", masked)
    assert ic.model_fit(fit).statistic == pytest.approx(plain.statistic, rel=1e-9)


def test_of_many_items_some_are_looked_at():
    fit = ic.fit(ic.simulate("2pl", respondents=300, items=30, seed=3).responses)
    found = ic.model_fit(fit, most_items=10)
    assert (found.n_items, found.degrees_of_freedom) == (10, 10 + 45 - 20)
    assert list(found.frame()["n_items"]) == [10]


def test_constant_items_are_left_out():
    values = ic.simulate("2pl", respondents=300, items=8, seed=4).responses.array().astype(float)
    values[:, 3] = 1.0
    assert ic.model_fit(ic.fit(ic.Responses.from_array(values))).n_items == 7


@pytest.mark.parametrize(
    ("fit", "said"),
    [
        (lambda r: ic.fit(r.take(None, [0, 1, 2])), "more margins than parameters"),
        (lambda r: ic.fit(r, method=ic.Marginal(over="items")), "integrates items out"),
        (lambda r: ic.fit(r, groups=["a", "b"] * 30), "groups, covariates or anchors"),
        (lambda r: ic.fit(r, method="joint"), "integrates nothing out"),
    ],
)
def test_what_cannot_be_tested_is_refused(fit, said):
    drawn = ic.simulate("2pl", respondents=60, items=12, seed=1).responses
    with pytest.raises(ModelError, match=said):
        ic.model_fit(fit(drawn))


def test_repeated_answers_are_refused():
    frame = {"respondent": [], "item": [], "response": []}
    values = ic.simulate("2pl", respondents=60, items=6, seed=1).responses.array()
    for (row, column), value in np.ndenumerate(values):
        for _ in range(2):
            for name, cell in zip(frame, (f"r{row}", f"i{column}", float(value)), strict=True):
                frame[name].append(cell)
    import pandas

    repeated = ic.Responses.from_frame(pandas.DataFrame(frame))
    with pytest.raises(ModelError, match="several answers"):
        ic.model_fit(ic.fit(repeated, method=ic.Marginal(over="respondents")))
