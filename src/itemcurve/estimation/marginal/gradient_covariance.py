"""How the scores of a unit vary with its latent value: the part that missing data take away.

For functions h_r orthonormal under a unit's posterior, Cov(score) = Σ_r s_r s_rᵀ with
s_r = E[score · h_r], which is a handful of matrix products for all units of a block.
"""

from dataclasses import replace
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np

from itemcurve.estimation.marginal.complete_covariance import (
    Moments,
    Reduction,
    Varying,
    applies,
    assembled,
    block_moments,
    varying_functions,
)
from itemcurve.estimation.marginal.e_step import GridArrays, step_curves, unit_density
from itemcurve.estimation.marginal.factored_curves import StepCurve
from itemcurve.estimation.marginal.node_covariance import exact_covariance, is_cheap
from itemcurve.estimation.marginal.problem import MarginalProblem
from itemcurve.estimation.marginal.units import Step, UnitsInMemory, rows_of
from itemcurve.numerics.engine import NUMPY, Array, Engine, add_up, as_dense
from itemcurve.numerics.integration import Density
from itemcurve.numerics.orthonormal import orthonormal_polynomials, whitening
from itemcurve.numerics.row_blocks import Block, as_float, hadamard
from itemcurve.numerics.shapes import (
    EntityCoordinates,
    EntityMatrices,
    EntitySlope,
    EstimatedMatrix,
    GroupNodes,
    NodeFeatures,
    PerUnit,
    State,
    StateSlopes,
    UnitNodes,
    axes,
)

Wanted = Literal["all", "own", "units"]
_STATIC = ("self", "engine")


class Projection(NamedTuple):
    """How the covariance of scores is found, and what of it is wanted.

    The rule is that of the grid, which may go by band; a step gets the one of its units' band.
    """

    rule: Any
    degree: int
    reduction: Wanted
    varying: Varying


def score_covariance(
    problem: MarginalProblem, x: EntityCoordinates, state: State, degree: int, reduction: Reduction
) -> Array:
    """Σ over units of Cov(score | data).

    Parameters
    ----------
    degree : how many orthonormal polynomials carry it.
    reduction : `"all"` for all parameters together (parameters × parameters, the population's
        state last), `"own"` for each entity alone (entities × coordinates × coordinates).
    """
    return np.array(summed_covariance(problem, x, state, degree, reduction))


def summed_covariance(
    problem: MarginalProblem, x: EntityCoordinates, state: State, degree: int, reduction: Reduction
) -> Array:
    """The same as an array of the engine."""
    problem = _one_by_one(problem)
    engine, arrays = problem.engine, _arrays(problem, x, state)
    curves, slopes, _, state_slopes, *_ = arrays
    varying = varying_functions(curves)
    step = Step(_block_covariance, Projection(problem.grid.rule, degree, reduction, varying))
    found = problem.units.total(step, *arrays)
    if isinstance(found, tuple):
        assemble = engine.compile(assembled, static=("engine", "reduction", "varying"))
        found = assemble(engine, reduction, varying, curves, slopes, state_slopes, found)
    return found


def _one_by_one(problem: MarginalProblem) -> MarginalProblem:
    """The problem where units of many coordinates can be taken one by one.

    Compiled code cannot do that, and by a few functions of the coordinates their covariance is
    known to some per cent only: engines would disagree about what a search does next.
    """
    units = problem.units
    if problem.grid.is_line or not isinstance(units, UnitsInMemory):
        return problem
    return (
        problem if units.engine is NUMPY else replace(problem, engine=NUMPY, units=units.on_host())
    )


def latent_covariances(
    problem: MarginalProblem, x: EntityCoordinates, state: State
) -> Annotated[Array, axes("units estimated")]:
    """Each unit's covariance of its latent value with the scores, in its standard deviations."""
    step = Step(_block_covariance, Projection(problem.grid.rule, 1, "units", ()))
    return np.asarray(rows_of(problem.units, step, *_arrays(problem, x, state)))


def _arrays(problem: MarginalProblem, x: EntityCoordinates, state: State) -> tuple[Any, ...]:
    """What the step needs to know beside a block."""
    engine = problem.engine
    place = engine.place
    at, kind = problem.at_nodes(x), type(problem.curves)
    return (
        step_curves(engine, problem.curves, at),
        engine.compile(kind.slopes, static=_STATIC)(problem.curves, engine, at),
        place(problem.population.log_density(state, problem.grid.coordinates)),
        place(problem.population.slopes(state, problem.grid.coordinates)),
        GridArrays.of(engine, problem.grid),
        None if problem.grid.is_line else _features(problem),
    )


def _features(problem: MarginalProblem) -> NodeFeatures:
    """Monomials of the standardised coordinates up to degree two (features × nodes)."""
    scaled = [(c - c.mean()) / c.std() for c in problem.grid.coordinates]
    pairs = [a * b for i, a in enumerate(scaled) for b in scaled[i:]]
    return problem.engine.place(np.stack([*scaled, *pairs]))


def _block_covariance(
    engine: Engine,
    settings: Projection,
    block: Block,
    groups: PerUnit | None,
    curves: list[StepCurve],
    slopes: list[list[EntitySlope]],
    log_density: GroupNodes,
    population_slopes: StateSlopes,
    grid: GridArrays,
    features: NodeFeatures | None,
) -> Array | Moments:
    density = unit_density(engine, settings.rule, block, groups, curves, log_density, grid)
    reduction = settings.reduction
    if reduction != "units" and applies(reduction, settings.varying, density, block, slopes):
        how = reduction, settings.varying, density
        return block_moments(engine, *how, block, groups, curves, slopes, population_slopes)
    if reduction == "all" and _is_on_few_nodes(engine, density, block, groups, slopes, features):
        spread = density.onto_nodes(engine)
        return exact_covariance(block, spread, slopes[0], population_slopes)
    plain = [None if own is None else as_float(engine, as_dense(own)) for own in block]

    def scores(factor: Array | None) -> list[Array]:
        spread = density.onto_nodes(engine, factor)
        columns = [
            add_up(
                hadamard(engine, channel, spread @ slope.T)
                for channel, slope in zip(plain, parts, strict=True)
            )
            for parts in slopes
        ]
        return [*columns, _population_scores(engine, spread, groups, population_slopes)]

    if features is None:
        basis = orthonormal_polynomials(engine, density.weights, density.points, settings.degree)
        projected = [scores(factor) for factor in basis]
    else:
        raw = [scores(feature) for feature in features]
        white = whitening(engine, density.weights, features)
        projected = _whitened(engine, scores(None), raw, *white)
    if reduction == "units":
        return _flat(engine, projected[0])
    reduce = _outer_products if reduction == "all" else _own_products
    return add_up(reduce(engine, parts) for parts in projected)


def _is_on_few_nodes(
    engine: Engine,
    density: Density,
    block: Block,
    groups: PerUnit | None,
    slopes: list[list[EntitySlope]],
    features: NodeFeatures | None,
) -> bool:
    """Whether units can be taken one by one, which compiled code cannot do."""
    if features is None or engine.name != "numpy" or groups is not None or len(slopes) > 1:
        return False
    return is_cheap(density.weights, slopes[0][0].shape[0], len(block), len(features) + 1)


def _population_scores(
    engine: Engine, spread: UnitNodes, groups: PerUnit | None, slopes: StateSlopes
) -> Annotated[Array, axes("units state")]:
    """E[score of the population's state] of every unit (units × state)."""
    if groups is None:
        return spread @ slopes[0].T
    return engine.xp.einsum("un,usn->us", spread, slopes[groups])


def _whitened(
    engine: Engine,
    mean: list[Array],
    raw: list[list[Array]],
    means: Annotated[Array, axes("units features")],
    root: Annotated[Array, axes("units features features")],
) -> list[list[Array]]:
    """Turn E[score · feature] into E[score · h] for the orthonormal combinations h."""
    solved = []
    for column, average in enumerate(mean):
        stacked = engine.xp.stack([scores[column] for scores in raw], axis=1)
        centred = stacked - means[:, :, None] * average[:, None, :]
        solved.append(engine.xp.linalg.solve(root, centred))
    return [[column[:, r, :] for column in solved] for r in range(len(raw))]


def _outer_products(engine: Engine, scores: list[Array]) -> EstimatedMatrix:
    """Σ_units s sᵀ of all parameters."""
    flat = _flat(engine, scores)
    return flat.T @ flat


def _flat(engine: Engine, scores: list[Array]) -> Annotated[Array, axes("units estimated")]:
    """Scores of units by parameter, ordered entity by entity, then the state."""
    *columns, state = scores
    own = engine.xp.stack(columns, axis=2).reshape(state.shape[0], -1)
    return engine.xp.concatenate([own, state], axis=1)


def _own_products(engine: Engine, scores: list[Array]) -> EntityMatrices:
    """Σ_units s sᵀ within each entity."""
    xp = engine.xp
    *columns, _ = scores
    size = len(columns)
    own = {
        (a, b): xp.einsum("ue,ue->e", columns[a], columns[b])
        for a in range(size)
        for b in range(a, size)
    }
    rows = [[own[min(a, b), max(a, b)] for b in range(size)] for a in range(size)]
    return xp.stack([xp.stack(row, axis=1) for row in rows], axis=1)
