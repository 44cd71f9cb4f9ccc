import numpy as np
import pytest

import itemcurve as ic
from itemcurve.estimation.marginal.over_respondents.fit_over_respondents import _solve
from itemcurve.models.catalogue import get_model
from itemcurve.numerics.engine import NUMPY

OVER = ic.Marginal(over="respondents")


def test_the_unit_of_ability_is_not_pulled_by_many_items() -> None:
    """The mode of 150 items in a normal population lies at slopes a quarter too small."""
    ratios = []
    for seed in range(4):
        truth = ic.simulate("2pl", respondents=151, items=150, seed=seed)
        found = ic.fit(truth.responses, "2pl", method=OVER).items["discrimination"]
        ratios.append(found.mean() / truth.items["discrimination"].mean())
    assert np.mean(ratios) == pytest.approx(1.0, abs=0.04)


@pytest.mark.parametrize(("respondents", "items"), [(60, 40), (20, 21)])
def test_both_sides_agree_on_difficulties(respondents: int, items: int) -> None:
    errors: dict[str, list[float]] = {"items": [], "respondents": []}
    for seed in range(8):
        truth = ic.simulate("2pl", respondents=respondents, items=items, seed=seed)
        for over, own in errors.items():
            method = ic.Marginal(over=over)  # type: ignore[arg-type]
            fit = ic.fit(truth.responses, "2pl", method=method, on_failure="ignore")
            own.append(float(np.mean((fit.items["difficulty"] - truth.items["difficulty"]) ** 2)))
    one, other = (np.sqrt(np.mean(own)) for own in errors.values())
    assert other < 1.1 * one


def test_the_gradient_is_zero_by_plain_quadrature() -> None:
    """Items and abilities where the search ends, the likelihood by a sum over 801 abilities."""
    responses = ic.simulate("2pl", respondents=80, items=30, seed=3).responses
    solution = _solve(OVER, responses, get_model("2pl"), NUMPY, _unwatched())
    point, marginal = solution.optimum.point, solution.problem.marginal
    nodes, data = np.linspace(-12, 12, 801), responses.array()
    pull = np.zeros_like(point.x) if marginal.pull is None else marginal.pull
    (slope, intercept), items = marginal.priors, solution.items
    assert items is not None
    assert (slope.mean, slope.sd) == (items.mean[0], items.sd[0])  # type: ignore[union-attr]

    def objective(x: np.ndarray, state: np.ndarray) -> float:
        z = np.outer(nodes, x[:, 0]) + x[:, 1]
        values = data @ z.T - np.logaddexp(0, z).sum(axis=1)
        values -= 0.5 * ((nodes - state[0]) / np.exp(state[1])) ** 2 + state[1]
        prior = -0.5 * ((x[:, 0] - slope.mean) / slope.sd) ** 2  # type: ignore[union-attr]
        prior += -0.5 * ((x[:, 1] - intercept.mean) / intercept.sd) ** 2  # type: ignore[union-attr]
        held = -0.5 * float(state @ state)
        return (
            float(np.logaddexp.reduce(values, axis=1).sum() + prior.sum() + (pull * x).sum()) + held
        )

    step, rng = 1e-4, np.random.default_rng(0)
    for _ in range(20):
        along, state = rng.normal(size=point.x.shape), rng.normal(size=2)
        above = objective(point.x + step * along, point.state + step * state)
        below = objective(point.x - step * along, point.state - step * state)
        # In standard errors: information along a direction of this length is in the hundreds.
        assert abs(above - below) / (2 * step) < 0.05


def test_fixed_priors_are_the_priors_of_the_model() -> None:
    responses = ic.simulate("2pl", respondents=40, items=30, seed=1).responses
    fixed = ic.fit(responses, "2pl", method=ic.Marginal(over="respondents", item_priors="fixed"))
    chosen = {"discrimination": ic.priors.Normal(1.0, 1.0), "intercept": ic.priors.Normal(0.0, 3.0)}
    given = ic.fit(responses, "2pl", method=OVER, prior=chosen)
    np.testing.assert_array_equal(fixed.estimates.values, given.estimates.values)
    estimated = ic.fit(responses, "2pl", method=OVER)
    assert np.abs(estimated.estimates.values - fixed.estimates.values).max() > 0.05
    assert "discrimination_sd" in estimated.estimates.population
    assert "discrimination_sd" not in fixed.estimates.population


def test_reported_abilities_are_the_posteriors_of_the_reported_items() -> None:
    responses = ic.simulate("2pl", respondents=40, items=30, seed=2).responses
    fit = ic.fit(responses, "2pl", method=OVER)
    again = ic.score(fit.bank, responses, method="eap")
    np.testing.assert_allclose(fit.respondents["ability"], again.ability, atol=1e-4)


def test_a_population_that_does_not_settle_is_said() -> None:
    responses = ic.simulate("2pl", respondents=40, items=30, seed=2).responses
    method = ic.Marginal(over="respondents", max_iterations=4)
    fit = ic.fit(responses, "2pl", method=method, on_failure="ignore")
    assert not fit.status.is_converged


def _unwatched():  # type: ignore[no-untyped-def]
    from itemcurve.estimation.optimisation.iterate import UNWATCHED

    return UNWATCHED


def test_the_objective_says_whether_a_population_was_estimated() -> None:
    told = ic.simulate("2pl", respondents=80, items=20, seed=1).responses
    assert "estimated population" in ic.fit(told, "2pl", method=OVER).objective
    known = ic.Marginal(over="respondents", item_priors="fixed")
    assert ic.fit(told, "2pl", method=known).objective.endswith("+ log prior of the items")
    assert "prior" not in ic.fit(told, "2pl", method=OVER, prior=None).objective
    # Coins that fall as they like: no slopes, so no population of slopes.
    rng = np.random.default_rng(2)
    coins = (rng.random((40, 12)) < rng.uniform(0.2, 0.95, 12)).astype(int)
    fit = ic.fit(ic.Responses.from_array(coins), "2pl", method=OVER)
    assert fit.objective.endswith("+ log prior of the items (they tell no population)")
    same = ic.fit(ic.Responses.from_array(coins), "2pl", method=known)
    assert fit.estimates.objective_value == pytest.approx(same.estimates.objective_value, abs=1e-6)
    assert fit.estimates.iterations > same.estimates.iterations
