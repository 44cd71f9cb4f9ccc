import numpy as np
import pytest

import itemcurve as ic
from itemcurve.estimation.identification.latent_population import item_population
from itemcurve.estimation.identification.population import Population
from itemcurve.estimation.marginal.over_items.per_item_posteriors import PerItemPosteriors
from itemcurve.estimation.marginal.over_items.per_item_quadrature import PerItemProblem
from itemcurve.models.likelihood import Likelihood


@pytest.fixture(scope="module")
def posed() -> tuple[PerItemProblem, np.ndarray]:
    truth = ic.simulate("gamma", respondents=8, items=30, seed=1)
    likelihood = Likelihood(truth.model.population_form())
    population = Population(item_population(likelihood.model))
    problem = PerItemProblem.build(likelihood, truth.responses, population)
    return problem, np.concatenate([truth.abilities, population.start()])


def test_they_are_how_posterior_means_change_with_what_is_in_error(posed):
    problem, parameters = posed
    # All abilities are stretched alike by an unknown factor of 1 ± 0.01, and nothing else is.
    axis = np.zeros_like(parameters)
    axis[:8] = 0.01 * parameters[:8]
    ridge = problem.evaluate(parameters).ridge

    def posteriors(at, covariance):
        point = problem.evaluate_carefully(at, ridge)
        return PerItemPosteriors.at(problem, point, covariance, 0.0, 1.0)

    found = posteriors(parameters, np.outer(axis, axis))
    unsure = np.zeros((len(axis), len(axis)))
    above, below = (posteriors(parameters + s * axis, unsure).means() for s in (1, -1))
    expected = np.abs(above - below)[:, 0] / 2
    shared = np.sqrt(found.shared.columns["discrimination"])
    np.testing.assert_allclose(shared, expected, atol=0.05 * expected.max())
    column = found.reported()["discrimination"]
    mean = found.average(column)
    total = found.error("discrimination", column, mean)
    np.testing.assert_allclose(total**2, found.sds(column, mean) ** 2 + shared**2)
    np.testing.assert_allclose(found.covariances()[:, 0, 0], total**2, rtol=1e-6)


def test_intervals_widen_with_them_and_nothing_else_does(posed):
    problem, parameters = posed
    point = problem.evaluate(parameters)
    sure, unsure = (
        PerItemPosteriors.at(problem, point, size * np.eye(len(parameters)), 0.0, 1.0).extras()
        for size in (0.0, 0.05)
    )
    for name in ("discrimination", "difficulty"):
        assert (unsure[f"{name}_lower"] < sure[f"{name}_lower"]).all()
        assert (unsure[f"{name}_upper"] > sure[f"{name}_upper"]).all()
    assert ((unsure["difficulty_upper"] <= 1) & (unsure["difficulty_lower"] >= 0)).all()
