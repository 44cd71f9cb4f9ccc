"""Two abilities go through the solver of one: curves, grid and population know their number."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ModelError
from itemcurve.estimation.identification.population import Coordinate, Population
from itemcurve.estimation.marginal.em_newton import maximise
from itemcurve.estimation.marginal.over_respondents.respondent_problem import ItemCurves
from itemcurve.estimation.marginal.problem import Grid, MarginalProblem
from itemcurve.estimation.marginal.units import UnitsInMemory
from itemcurve.families.bernoulli import Bernoulli
from itemcurve.models.boundary import UNTREATED, Boundary
from itemcurve.models.contract import LatentScale
from itemcurve.models.likelihood import Likelihood
from itemcurve.models.parameters import ParameterSpec, Role
from itemcurve.models.priors import Normal, Prior
from itemcurve.models.transforms import FREE
from itemcurve.numerics.engine import NUMPY, Array, Engine
from itemcurve.numerics.integration import AtNodes
from itemcurve.numerics.row_blocks import split_rows

ITEMS, RESPONDENTS = 16, 800


@dataclass(frozen=True)
class TwoAbilities:
    """η = a₁θ₁ + a₂θ₂ + e; a slope is held at 0 where an item does not ask for an ability."""

    parameters: tuple[ParameterSpec, ...]
    name: str = "two abilities"
    orientation: int = 1
    dimensions: int = 2
    family: ClassVar[Bernoulli] = Bernoulli()
    latent: ClassVar[LatentScale] = LatentScale()
    ability_prior: ClassVar[Prior] = Normal(0.0, 3.0)
    boundary: ClassVar[Boundary] = UNTREATED

    def natural(self, engine: Engine, abilities: Array, values: Array) -> Sequence[Array]:
        return (values[:, :2] @ abilities.T + values[:, 2:3],)

    def item_jacobian(
        self, engine: Engine, abilities: Array, values: Array, index: int
    ) -> Sequence[Array]:
        one = np.ones((len(values), len(abilities)))
        return (one if index == 2 else one * abilities[None, :, index],)

    def ability_jacobian(
        self, engine: Engine, abilities: Array, values: Array, dimension: int = 0
    ) -> Sequence[Array]:
        return (values[:, dimension : dimension + 1] * np.ones((1, len(abilities))),)


def held_at_zero(rows: range) -> tuple[float | None, ...]:
    return tuple(0.0 if item in rows else None for item in range(ITEMS))


@pytest.fixture(scope="module")
def setting():
    rng = np.random.default_rng(0)
    values = np.column_stack([rng.uniform(0.8, 2.0, (ITEMS, 2)), rng.normal(size=ITEMS)])
    values[:6, 1] = 0.0
    values[10:, 0] = 0.0
    # The mask is a Q-matrix: it says which ability an item asks for.
    specs = (
        ParameterSpec("first", Role.SLOPE, FREE, fixed=held_at_zero(range(10, ITEMS))),
        ParameterSpec("second", Role.SLOPE, FREE, fixed=held_at_zero(range(6)), dimension=1),
        ParameterSpec("intercept", Role.INTERCEPT, FREE),
    )
    model = TwoAbilities(specs)
    abilities = rng.normal(size=(RESPONDENTS, 2))
    chance = 1 / (1 + np.exp(-model.natural(NUMPY, abilities, values)[0].T))
    observed = (rng.random(chance.shape) < chance).astype(float)
    return model, values, ic.Responses.from_array(observed)


def problem_of(model, responses):
    likelihood = Likelihood(model)
    nodes, weights = np.polynomial.hermite_e.hermegauss(15)
    points = np.array([(first, second) for first in nodes for second in nodes])
    logs = np.log(weights / weights.sum())
    population = Population((Coordinate(Normal(0.0, 1.0)), Coordinate(Normal(0.0, 1.0))))
    density = population.log_density(np.zeros(0), points.T)[0]
    grid = Grid(points, points.T.copy(), np.add.outer(logs, logs).ravel() - density, AtNodes())
    held = np.column_stack([spec.held(ITEMS) for spec in model.parameters])
    blocks = split_rows(NUMPY, likelihood.channels(responses), RESPONDENTS, ITEMS, 4096)
    return MarginalProblem(
        engine=NUMPY,
        curves=ItemCurves(likelihood),
        held=held,
        units=UnitsInMemory(NUMPY, blocks, RESPONDENTS),
        grid=grid,
        population=population,
        priors=(None,) * 3,
        bounds=tuple(spec.bounds for spec in model.parameters),
        polynomials=5,
        free=np.isnan(held),
    )


def test_two_abilities_are_estimated_where_the_mask_identifies_them(setting):
    model, values, responses = setting
    problem = problem_of(model, responses)
    start = np.where(problem.free, [1.0, 1.0, 0.0], 0.0)
    found = maximise(
        problem, start, np.zeros(0), standardise=None, tolerance=1e-7, max_iterations=200
    )
    assert found.status.is_converged
    at_truth = maximise(
        problem, values, np.zeros(0), standardise=None, tolerance=1e-7, max_iterations=200
    )
    assert found.point.objective == pytest.approx(at_truth.point.objective, abs=1e-4)
    estimated = np.where(problem.free, found.point.x, 0.0)
    assert (estimated[:6, 1] == 0).all()
    assert np.corrcoef(estimated[:, :2].ravel(), values[:, :2].ravel())[0, 1] > 0.9
    assert np.abs(estimated[:, 2] - values[:, 2]).max() < 0.6


def test_methods_of_one_ability_refuse_two(setting):
    model, _, responses = setting
    for method in (ic.Marginal(over="respondents"), ic.Joint(), ic.Variational()):
        with pytest.raises(ModelError, match="one ability"):
            ic.fit(responses, model, method=method, prior=None)
