"""The population that is estimated beside everything else."""

import numpy as np
import pytest
from scipy.optimize import minimize

import itemcurve as ic
from itemcurve.estimation.identification.population import Coordinate, Population
from itemcurve.estimation.marginal import em_newton
from itemcurve.models.priors import Normal


@pytest.mark.parametrize("is_anchored", [True, False])
@pytest.mark.parametrize("free", [(True, True), (True, False), (False, True)])
def test_the_update_maximises_expected_density_and_its_own(is_anchored, free):
    rng = np.random.default_rng(0)
    nodes, mass = rng.normal(2.0, 3.0, size=(1, 40)), 3 * rng.random(40)
    coordinate = Coordinate(Normal(0.0, 1.0), *free, is_anchored=is_anchored)
    population = Population((coordinate,))

    def loss(state):
        own = population.penalty(state)[0]
        return -(population.log_density(state, nodes)[0] @ mass + own)

    found = population.updated(population.start(), nodes, mass[None, :])
    expected = minimize(loss, population.start(), tol=1e-12)
    np.testing.assert_allclose(found, expected.x, atol=1e-5)


def test_a_fit_that_calls_itself_converged_has_no_gradient_left(monkeypatch):
    """So many items that only EM serves; few respondents, so that the population's prior counts."""
    gradients = []
    original = em_newton.maximise

    def watched(problem, *given, **settings):
        optimum = original(problem, *given, **settings)
        gradient = em_newton.marginal_gradient(problem, optimum.point)
        gradients.append(gradient[-problem.population.size :])
        return optimum

    module = "itemcurve.estimation.marginal.grid_refinement.maximise"
    monkeypatch.setattr(module, watched)
    drawn = ic.simulate("2pl", respondents=60, items=450, seed=3).responses.array()
    # Easier and more alike than the priors expect: the population moves away from its start.
    drawn = np.maximum(drawn, np.random.default_rng(0).random(drawn.shape) < 0.6)
    fit = ic.fit(ic.Responses.from_array(drawn), "2pl", method=ic.Marginal(over="respondents"))
    assert fit.status.is_converged
    assert np.abs(gradients[-1]).max() < 0.1
