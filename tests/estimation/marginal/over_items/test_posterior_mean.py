import numpy as np
import pytest

import itemcurve as ic
from itemcurve.estimation.identification.reported_errors import inverse_information
from itemcurve.estimation.marginal.em_newton import Point, evaluate
from itemcurve.estimation.marginal.over_items.fit_over_items import (
    parameter_information,
    solve_over_items,
)
from itemcurve.estimation.marginal.over_items.item_problem import ItemProblem
from itemcurve.estimation.marginal.over_items.posterior_mean import (
    mean_along_leading,
    posterior_mean,
)
from itemcurve.estimation.optimisation.iterate import UNWATCHED
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY


def solved(model: str, respondents: int, items: int, seed: int) -> tuple[ItemProblem, Point]:
    truth = ic.simulate(model, respondents=respondents, items=items, seed=seed)
    likelihood = Likelihood(ic.get_model(model).population_form())
    method = ic.Marginal(over="items")
    problem, optimum = solve_over_items(method, truth.responses, likelihood, NUMPY, UNWATCHED)
    return problem, optimum.point


def weighted_draws(
    problem: ItemProblem, centre: np.ndarray, covariance: np.ndarray, n: int
) -> tuple[np.ndarray, np.ndarray]:
    """Means and sds of abilities by importance sampling: no expansion, only densities."""
    half = np.random.default_rng(0).normal(size=(200, len(centre)))
    normal = np.concatenate([half, -half])
    points = centre + normal @ np.linalg.cholesky(1.4 * covariance).T
    heights = [evaluate(problem.marginal, p[:n, None], p[n:]).objective for p in points]
    logs = np.array(heights) + 0.5 * (normal**2).sum(axis=1)
    weights = np.exp(logs - logs.max())
    weights /= weights.sum()
    assert 1 / (weights**2).sum() > 50
    mean = weights @ points
    return mean[:n], np.sqrt(weights @ (points - mean) ** 2)[:n]


@pytest.mark.parametrize(
    ("model", "size", "seed"), [("beta3", (6, 20), 2), ("beta3", (6, 60), 3), ("2pl", (10, 60), 2)]
)
def test_the_mean_is_where_weighted_draws_put_it_and_the_mode_is_not(
    model: str, size: tuple[int, int], seed: int
) -> None:
    problem, mode = solved(model, *size, seed)
    covariance = inverse_information(parameter_information(problem.marginal, mode))
    found = posterior_mean(problem.marginal, mode, covariance)
    centre = np.concatenate([found.x.ravel(), found.state])
    mean, sd = weighted_draws(problem, centre, covariance, size[0])
    gap = np.abs(found.x.ravel() - mean) / sd
    assert gap.mean() < 0.15
    assert gap.mean() < 0.4 * (np.abs(mode.x.ravel() - mean) / sd).mean()


def test_the_mean_of_a_normal_posterior_is_its_mode() -> None:
    problem, mode = solved("2pl", 6, 60, seed=1)
    tiny = 1e-8 * inverse_information(parameter_information(problem.marginal, mode))
    np.testing.assert_allclose(posterior_mean(problem.marginal, mode, tiny).x, mode.x, atol=1e-5)


def test_reported_abilities_are_the_means() -> None:
    truth = ic.simulate("beta3", respondents=6, items=20, seed=2)
    problem, mode = solved("beta3", 6, 20, seed=2)
    mean = posterior_mean(
        problem.marginal, mode, inverse_information(parameter_information(problem.marginal, mode))
    )
    fit = ic.fit(truth.responses, "beta3", method=ic.Marginal(over="items"))
    np.testing.assert_allclose(fit.respondents["ability"], mean.x.ravel(), rtol=1e-10)


def test_a_scale_with_which_many_widths_grow_has_its_mean_above_the_mode() -> None:
    """u ~ N(0, s²) by the height of the mode, v_k | u ~ N(0, e^2u): each v_k adds s² to E[u]."""
    n, s = 40, 0.05

    def information(at: np.ndarray) -> np.ndarray:
        precision = np.exp(-2 * at[0])
        matrix = np.diag([s**-2 + 2 * precision * (at[1:] ** 2).sum(), *[precision] * n])
        matrix[0, 1:] = matrix[1:, 0] = -2 * precision * at[1:]
        return matrix

    mode = np.zeros(n + 1)
    # The axis that is known worst must be that of the scale: measure v in small units.
    small = np.diag([1.0, *[1e-3] * n])
    found = mean_along_leading(
        lambda at: np.linalg.inv(small) @ information(at) @ np.linalg.inv(small),
        mode,
        small @ np.linalg.inv(information(mode)) @ small,
    )
    assert found[0] == pytest.approx(n * s**2, rel=1e-6)
    np.testing.assert_allclose(found[1:], 0.0, atol=1e-12)
