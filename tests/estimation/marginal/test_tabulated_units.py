"""Units looked up in a table of their sums: expectations are those of every unit by itself."""

from dataclasses import replace

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.estimation.identification.starting_values import start_values
from itemcurve.estimation.marginal.e_step import expect
from itemcurve.estimation.marginal.m_step import complete_gradient
from itemcurve.estimation.marginal.over_respondents.ability_grid import GridPlan
from itemcurve.estimation.marginal.over_respondents.respondent_problem import RespondentProblem
from itemcurve.models.free_coordinates import coordinates_of
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import get_engine


@pytest.mark.parametrize("engine", ["numpy", "jax"])
@pytest.mark.parametrize(("n_items", "is_even"), [(12, False), (12, True), (900, False)])
def test_expectations_are_those_of_every_unit_by_itself(n_items, is_even, engine, tmp_path):
    model, machine = ic.get_model("2pl"), get_engine(engine)
    responses = ic.simulate(model, respondents=300, items=n_items, seed=3).responses
    responses.write_blocks(tmp_path / "blocks")
    start = start_values(model, responses)
    with machine.double_precision():
        problem, plain = (
            RespondentProblem.build(Likelihood(model), own, start, machine).marginal
            for own in (ic.Responses.scan(tmp_path / "blocks"), responses)
        )
        assert problem.units.is_complete
        # Exact to more digits than a grid that is only as fine as a fit needs.
        grid = GridPlan(7.5, 512, 0 if n_items < 100 else 15, 4, is_even=is_even).grid()
        problem, plain = replace(problem, grid=grid), replace(plain, grid=grid)
        x, state = coordinates_of(model, start) + 0.1, problem.population.start() + 0.2
        found, expected = expect(problem, x, state), expect(plain, x, state)
        assert found.log_likelihood == pytest.approx(expected.log_likelihood, rel=1e-10)
        assert found.extent == pytest.approx(expected.extent, rel=1e-7)
        np.testing.assert_allclose(found.mass.sum(), 300)
        gradients = (complete_gradient(problem, x, own) for own in (found, expected))
        np.testing.assert_allclose(*gradients, atol=1e-6)
