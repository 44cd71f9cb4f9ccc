"""Rules that sum tabulated curves give what direct integration gives."""

import gc

import numpy as np
import pytest

from itemcurve.adaptive.ability.ability_test import AdaptiveTest
from itemcurve.adaptive.selection import curve_table
from itemcurve.adaptive.selection.curve_table import PosteriorGrid, success_chances, tabulate
from itemcurve.adaptive.selection.likelihood_kl import WeightedKullbackLeibler
from itemcurve.adaptive.selection.posterior_variance import PosteriorVariance
from itemcurve.bank.item_bank import Bank


def logistic(size=40, mean=0.3, sd=1.5):
    rng = np.random.default_rng(4)
    return Bank.from_parameters(
        "3pl",
        discrimination=rng.lognormal(0, 0.3, size),
        difficulty=rng.normal(size=size),
        guessing=rng.uniform(0, 0.3, size),
        ability_mean=mean,
        ability_sd=sd,
    )


def graded(size=20):
    rng = np.random.default_rng(5)
    return Bank.from_parameters(
        "beta3",
        items=[f"graded-{index}" for index in range(size)],
        discrimination=rng.lognormal(0, 0.3, size),
        difficulty=rng.uniform(0.2, 0.8, size),
        ability_mean=0.3,
        ability_sd=1.5,
    )


def state_after(bank, count):
    test = AdaptiveTest(bank, "random", seed=2)
    for index in range(count):
        item = test.next_item()
        test.record(item, 0.3 + 0.01 * index if item.startswith("graded") else index % 2)
    return test.state


@pytest.mark.parametrize("count", [0, 1, 12])
@pytest.mark.parametrize("bank", [logistic(), logistic() + graded()], ids=["3pl", "mixed"])
def test_weighted_kl_is_the_weighted_sum_of_divergences(bank, count):
    state = state_after(bank, count)
    points = bank.ability_mean + bank.ability_sd * np.linspace(-4, 4, 33)
    height = state.log_likelihood(points)
    weights = np.exp(height - height.max())
    direct = weights @ bank.kl_information(state.ability, points)
    assert WeightedKullbackLeibler()(bank, state) == pytest.approx(direct, rel=1e-9, abs=1e-10)


@pytest.mark.parametrize("count", [0, 1, 12, 30])
def test_the_fall_of_the_variance_is_that_of_bayes_rule(count):
    bank = logistic()
    state = state_after(bank, count)
    points = np.linspace(state.centre - 9 * state.spread, state.centre + 9 * state.spread, 2001)
    gap = (points - bank.ability_mean) / bank.ability_sd
    height = state.log_likelihood(points) - gap**2 / 2
    weights = np.exp(height - height.max())
    weights /= weights.sum()
    chances = bank.expected_response(points)
    expected = np.zeros(len(bank))
    for share in (chances, 1 - chances):
        mass = weights @ share
        mean = (weights * points) @ share / mass
        expected += (weights * points**2) @ share - mass * mean**2
    variance = weights @ points**2 - (weights @ points) ** 2
    found = PosteriorVariance()(bank, state)
    assert found == pytest.approx(variance - expected, rel=1e-4)


def test_narrow_densities_are_not_stepped_over():
    """A logit-normal answer with little noise leaves its noise as the variance."""
    noise = np.array([1e-3, 0.05, 0.5])
    bank = Bank.from_parameters("logit-normal", discrimination=1.0, difficulty=0.0, noise=noise)
    test = AdaptiveTest(bank, "posterior-variance")
    found = PosteriorVariance()(bank, test.state)
    assert found[1:] == pytest.approx(1 - noise[1:] ** 2 / (1 + noise[1:] ** 2), rel=0.02)
    assert found[0] > 0.98
    assert test.next_item() in ("0", "1")


def test_a_table_grows_at_both_sides_and_keeps_what_it_has():
    bank = logistic()
    table = tabulate(bank, success_chances)[0]
    for grid in (
        PosteriorGrid(2, -2, 2),
        PosteriorGrid(2, -5, 0),
        PosteriorGrid(2, 1, 9),
        PosteriorGrid(2, 100, 104),
        PosteriorGrid(3, -4, 4),
    ):
        assert table.at(grid) == pytest.approx(bank.expected_response(grid.abilities(bank)))
    assert tabulate(bank, success_chances)[0] is table


def test_tables_go_with_their_bank():
    bank = logistic()
    tabulate(bank, success_chances)[0].at(PosteriorGrid(2, -2, 2))
    before = len(curve_table._TABLES)
    del bank
    gc.collect()
    assert len(curve_table._TABLES) < before
