"""The maximisation step: Fisher scoring of every entity at once, with step control."""

from collections.abc import Sequence

import numpy as np

from itemcurve.estimation.marginal.e_step import Expectation
from itemcurve.estimation.marginal.problem import Curves, EntitiesAtNodes, MarginalProblem
from itemcurve.numerics.engine import NUMPY, Engine
from itemcurve.numerics.shapes import (
    EntityCoordinates,
    EntityCurve,
    EntityMatrices,
    PerEntity,
)

_LONGEST_STEP = 1.0
_SHRINKAGE = (1.0, 0.25, 0.0625, 0.0)


def score(
    problem: MarginalProblem, x: EntityCoordinates, expectation: Expectation
) -> tuple[EntityCoordinates, EntityMatrices]:
    """Gradient (entities × coordinates) and complete-data information (… × coordinates).

    The gradient is also that of the marginal log-likelihood (Fisher's identity); both include
    the priors.
    """
    engine = problem.engine
    compute = engine.compile(type(problem.curves).score, static=("self", "engine"))
    gradient, information = compute(problem.curves, engine, problem.at_nodes(x), expectation.sums)
    gradient, information = np.array(gradient), np.array(information)
    _, slope, bend = problem.log_prior(x)
    diagonal = np.arange(x.shape[1])
    information[:, diagonal, diagonal] -= np.minimum(bend, 0.0)
    return _without_held(problem.free, gradient + slope, information)


def complete_gradient(
    problem: MarginalProblem, x: EntityCoordinates, expectation: Expectation
) -> EntityCoordinates:
    """Give the gradient alone, which is cheaper."""
    compute = problem.engine.compile(type(problem.curves).gradient, static=("self", "engine"))
    gradient = compute(problem.curves, problem.engine, problem.at_nodes(x), expectation.sums)
    found = np.asarray(gradient) + problem.log_prior(x)[1]
    return found if problem.free is None else np.where(problem.free, found, 0.0)


def _without_held(
    free: EntityCoordinates | None, gradient: EntityCoordinates, information: EntityMatrices
) -> tuple[EntityCoordinates, EntityMatrices]:
    """Take coordinates that are held out: no gradient, no coupling."""
    if free is None:
        return gradient, information
    both = free[:, :, None] & free[:, None, :]
    return np.where(free, gradient, 0.0), np.where(both, information, np.eye(free.shape[1]))


def scoring_step(
    problem: MarginalProblem,
    x: EntityCoordinates,
    expectation: Expectation,
    direction: EntityCoordinates,
) -> EntityCoordinates:
    """Give coordinates with a higher expected complete log-likelihood, entity by entity."""
    longest = np.abs(direction).max(axis=1, keepdims=True)
    step = direction * np.minimum(1.0, _LONGEST_STEP / np.maximum(longest, 1e-12))
    contract = problem.engine.compile(contracted, static=("engine",))
    before = contract(problem.engine, expectation.sums, expectation.curves) + _log_prior(problem, x)
    share = np.ones(len(x))
    for shrinkage in _SHRINKAGE:
        proposal = clipped(problem, x + share[:, None] * step)
        after = _expected_log_likelihood(problem, proposal, expectation)
        worse = after < before - 1e-9 * np.abs(before)
        if not worse.any():
            break
        share[worse] = shrinkage if shrinkage < 1.0 else _SHRINKAGE[1]
    return proposal


def clipped(problem: MarginalProblem, x: EntityCoordinates) -> EntityCoordinates:
    """Keep coordinates inside their bounds."""
    lower, upper = np.transpose(problem.bounds)
    return np.clip(x, lower, upper)


def _expected_log_likelihood(
    problem: MarginalProblem, x: EntityCoordinates, expectation: Expectation
) -> PerEntity:
    compute = problem.engine.compile(_complete, static=("engine", "curves"))
    total = compute(problem.engine, problem.curves, problem.at_nodes(x), expectation.sums)
    return np.asarray(total) + _log_prior(problem, x)


def _log_prior(problem: MarginalProblem, x: EntityCoordinates) -> PerEntity:
    """Log prior of each entity."""
    total = np.zeros(len(x)) if problem.pull is None else np.vecdot(problem.pull, x)
    for column, prior in enumerate(problem.priors):
        if prior is not None:
            own = prior.log_density(NUMPY, x[:, column])
            total += own if problem.free is None else np.where(problem.free[:, column], own, 0.0)
    return total


def _complete(
    engine: Engine, curves: Curves, at: EntitiesAtNodes, sums: Sequence[EntityCurve]
) -> PerEntity:
    return contracted(engine, sums, curves.values(engine, at))


def contracted(
    engine: Engine, left: Sequence[EntityCurve], right: Sequence[EntityCurve]
) -> PerEntity:
    """Σ_k Σ_nodes left_k ∘ right_k, entity by entity."""
    return sum(engine.xp.vecdot(a, b) for a, b in zip(left, right, strict=True))
