"""Checked against the marginal likelihood of a normal sample with errors, maximised by SciPy."""

import numpy as np
import pytest
from scipy.optimize import minimize

import itemcurve as ic
from itemcurve.estimation.marginal.over_respondents.item_likelihoods import (
    ItemLikelihoods,
)
from itemcurve.estimation.marginal.over_respondents.item_population import (
    ItemPopulation,
)
from itemcurve.models.catalogue import get_model, set_priors


def known_items(items: int = 60, seed: int = 0) -> ItemLikelihoods:
    """Items of a normal population, each known with an error and a correlation of its own."""
    rng = np.random.default_rng(seed)
    truth = np.column_stack([1.2 + 0.4 * rng.normal(size=items), 1.5 * rng.normal(size=items)])
    root = rng.normal(size=(items, 2, 2)) + 2 * np.eye(2)
    information = root @ root.transpose(0, 2, 1)
    error = np.linalg.solve(root.transpose(0, 2, 1), rng.normal(size=(items, 2, 1)))[..., 0]
    push = np.matvec(information, truth + error)
    return ItemLikelihoods(information, push, np.ones((items, 2), dtype=bool))


def test_the_population_is_the_most_likely_one() -> None:
    found = known_items()
    population = ItemPopulation.start(get_model("2pl"))
    assert population is not None
    moved = population.updated(found)

    def negative(state: np.ndarray) -> float:
        mean, log_sd = np.array([state[0], 0.0]), state[1:]
        covariance = np.linalg.inv(found.information) + np.diag(np.exp(2 * log_sd))
        gap = np.linalg.solve(found.information, found.push[..., None])[..., 0] - mean
        quadratic = np.einsum("ja,jab,jb->", gap, np.linalg.inv(covariance), gap)
        # Mean and log sd are held softly to the priors N(1, 1) and N(0, 3).
        held = (state[0] - 1) ** 2 + log_sd[0] ** 2 + (log_sd[1] - np.log(3)) ** 2
        return float(quadratic + np.linalg.slogdet(covariance)[1].sum() + held) / 2

    best = minimize(negative, [1.0, 0.0, np.log(3)], method="BFGS", options={"gtol": 1e-8}).x
    np.testing.assert_allclose(moved.mean, [best[0], 0.0], atol=2e-3)
    np.testing.assert_allclose(np.log(moved.sd), best[1:], atol=2e-3)


def test_gaps_have_one_spread_between_them_the_most_likely_one() -> None:
    rng = np.random.default_rng(2)
    root = 2 * np.eye(5) + 0.5 * rng.normal(size=(80, 5, 5))
    information = root @ root.transpose(0, 2, 1)
    truth = np.array([1.2, 0.0, 0.3, -0.2, 0.6]) + [0.4, 1.5, 0.5, 0.5, 0.5] * rng.normal(
        size=(80, 5)
    )
    free = np.ones((80, 5), dtype=bool)
    # Some items have no highest grade.
    free[:20, 4] = False
    information[:20, 4, :] = information[:20, :, 4] = 0.0
    push = np.matvec(information, truth)
    population = ItemPopulation.start(get_model("grm"))
    assert population is not None
    moved = population.updated(ItemLikelihoods(information, push, free))
    assert moved.sd[2] == moved.sd[3] == moved.sd[4] != population.sd[2]

    def negative(state: np.ndarray) -> float:
        mean, log_sd = np.array([state[0], 0.0, *state[1:4]]), state[[4, 5, 5, 5]]
        total = (state[:4] - [1.0, 0.1, 0.1, 0.1]) @ (state[:4] - [1.0, 0.1, 0.1, 0.1])
        total += state[4] ** 2 + 3 * state[5] ** 2
        for item in range(80):
            own = np.flatnonzero(free[item] & [True, False, True, True, True])
            spread = np.exp(2 * log_sd[[0, 1, 2, 3][: len(own)]])
            # The mean intercept has a prior that is taken as it is, and is told by the answers.
            kept = np.flatnonzero(free[item])
            covariance = np.linalg.inv(information[item][np.ix_(kept, kept)])
            places = np.searchsorted(kept, own)
            covariance = covariance[np.ix_(places, places)] + np.diag(spread)
            gap = truth[item, own] - mean[own]
            total += gap @ np.linalg.solve(covariance, gap) + np.linalg.slogdet(covariance)[1]
        return float(total) / 2

    start = [1.0, 0.1, 0.1, 0.1, 0.0, 0.0]
    best = minimize(negative, start, method="BFGS", options={"gtol": 1e-5}).x
    np.testing.assert_allclose(moved.mean[[0, 2, 3, 4]], best[:4], atol=1e-3)
    np.testing.assert_allclose(np.log(moved.sd[[0, 2]]), best[4:], atol=1e-3)


def test_items_without_information_leave_the_population_to_the_others() -> None:
    found = known_items()
    free = found.free.copy()
    free[40:] = False
    held = ItemLikelihoods(found.information, found.push, free)
    fewer = ItemLikelihoods(found.information[:40], found.push[:40], found.free[:40])
    population = ItemPopulation.start(get_model("2pl"))
    assert population is not None
    np.testing.assert_allclose(population.updated(held).sd, population.updated(fewer).sd)


def test_priors_that_were_chosen_are_taken_as_they_are() -> None:
    chosen = {"discrimination": ic.priors.Normal(1.0, 1.0)}
    population = ItemPopulation.start(set_priors(get_model("2pl"), chosen))
    assert population is not None
    assert population.is_estimated.tolist() == [False, True]
    assert ItemPopulation.start(set_priors(get_model("2pl"), None)) is None
    assert ItemPopulation.start(get_model("beta3")) is None


@pytest.mark.parametrize(("name", "slope"), [("2pl", 0), ("1pl", None), ("rasch", None)])
def test_slopes_of_either_sign_take_up_the_unit(name: str, slope: int | None) -> None:
    population = ItemPopulation.start(get_model(name))
    assert population is not None
    assert population.slope == slope


def test_the_pull_undoes_what_the_priors_do_to_the_unit() -> None:
    """Summed along the common factor of all slopes, prior and pull cancel where the sd is right."""
    found = known_items(items=400)
    population = ItemPopulation.start(get_model("2pl"))
    assert population is not None
    moved = population.updated(found)
    pull = moved.pull(found, unit=1.0)
    assert pull is not None
    slopes = found.posterior(moved.mean, moved.precision)[0][:, 0]
    push_of_prior = slopes @ (moved.mean[0] - slopes) * moved.precision[0]
    assert abs(push_of_prior) > 50
    assert slopes @ pull[:, 0] == pytest.approx(-push_of_prior, rel=0.02)


def test_positive_slopes_are_not_pulled() -> None:
    population = ItemPopulation.start(get_model("2pl", discrimination="positive"))
    assert population is not None
    assert population.pull(known_items(), unit=1.0) is None


def test_a_coordinate_without_population_of_which_nothing_is_known_moves_no_other() -> None:
    found = known_items()
    population = ItemPopulation.start(set_priors(get_model("2pl"), {"discrimination": None}))
    assert population is not None
    assert list(population.is_estimated) == [False, True]
    moved = population.updated(found)
    # One more item, of which no coordinate is free and nothing known.
    more = [np.concatenate([own, np.zeros_like(own[:1])]) for own in _parts(found)]
    np.testing.assert_allclose(population.updated(ItemLikelihoods(*more)).mean, moved.mean)


def _parts(found: ItemLikelihoods) -> tuple[np.ndarray, ...]:
    return found.information, found.push, found.free
