"""The maximisation step: Fisher scoring of every entity at once, with step control."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from itemcurve.estimation.marginal.e_step import Expectation
from itemcurve.estimation.marginal.problem import (
    Curves,
    EntitiesAtNodes,
    MarginalProblem,
    Restraints,
)
from itemcurve.models.priors import Kind
from itemcurve.numerics.engine import Engine, add_up
from itemcurve.numerics.shapes import (
    EntityCoordinates,
    EntityCurve,
    EntityMatrices,
    PerEntity,
)

_LONGEST_STEP = 1.0
# Shares of a step that are tried until an entity's expected log-likelihood does not fall.
_SHARES = (1.0, 0.25, 0.0625, 0.0)
_STATIC = ("engine", "curves", "kinds")
# Under which name the score of the responses at a point is kept with what was found there.
SCORE = "score"


def score(
    problem: MarginalProblem, x: EntityCoordinates, expectation: Expectation
) -> tuple[EntityCoordinates, EntityMatrices]:
    """Gradient (entities × coordinates) and complete-data information (… × coordinates).

    The gradient is also that of the marginal log-likelihood (Fisher's identity); both include
    the priors.
    """
    gradient, information = plain_score(problem, x, expectation)
    _, slope, bend = problem.log_prior(x)
    information = information - np.minimum(bend, 0.0)[:, :, None] * np.eye(x.shape[1])
    gradient, free = gradient + slope, problem.free
    if free is None:
        return gradient, information
    # Coordinates that are held are taken out: no gradient, no coupling.
    both = free[:, :, None] & free[:, None, :]
    return np.where(free, gradient, 0.0), np.where(both, information, np.eye(x.shape[1]))


def complete_gradient(
    problem: MarginalProblem, x: EntityCoordinates, expectation: Expectation
) -> EntityCoordinates:
    """Give the gradient alone, which is cheaper where nobody asked for the information before."""
    if SCORE in expectation.kept:
        return score(problem, x, expectation)[0]
    return np.array(_run(problem, _gradient_of, x, expectation))


def plain_score(
    problem: MarginalProblem, x: EntityCoordinates, expectation: Expectation
) -> tuple[EntityCoordinates, EntityMatrices]:
    """Score and Fisher information of the responses alone."""
    own, known = placed_score(problem, x, expectation)
    return np.asarray(own), np.asarray(known)


def placed_score(
    problem: MarginalProblem, x: EntityCoordinates, expectation: Expectation
) -> tuple[EntityCoordinates, EntityMatrices]:
    """The same where the engine computed it, kept with what was found at `x`."""
    if SCORE not in expectation.kept:
        engine, at = problem.engine, problem.at_nodes(x)
        run = engine.compile(_plain_scores, static=("engine", "curves"))
        expectation.kept[SCORE] = run(engine, problem.curves, at, expectation.sums)
    found: tuple[EntityCoordinates, EntityMatrices] = expectation.kept[SCORE]
    return found


def _plain_scores(
    engine: Engine, curves: Curves, at: EntitiesAtNodes, sums: Sequence[EntityCurve]
) -> tuple[EntityCoordinates, EntityMatrices]:
    def own(rows: slice) -> tuple[EntityCoordinates, EntityMatrices]:
        return curves.score(engine, at.of_rows(rows), [each[rows] for each in sums])

    gradient, information = engine.by_rows(own, at.x.shape[0], at.at_once)
    return gradient, information


def scoring_step(
    problem: MarginalProblem,
    x: EntityCoordinates,
    expectation: Expectation,
    direction: EntityCoordinates,
) -> EntityCoordinates:
    """Give coordinates with a higher expected complete log-likelihood, entity by entity."""
    place = problem.engine.place
    return np.asarray(_run(problem, moved_along, x, expectation, place(direction)))


def clipped(problem: MarginalProblem, x: EntityCoordinates) -> EntityCoordinates:
    """Keep coordinates inside their bounds."""
    lower, upper = np.transpose(problem.bounds)
    return np.clip(x, lower, upper)


def _run(
    problem: MarginalProblem,
    function: Any,
    x: EntityCoordinates,
    expectation: Expectation,
    *more: Any,
) -> Any:
    compute = problem.engine.compile(function, static=_STATIC)
    return compute(
        problem.engine,
        problem.curves,
        problem.prior_kinds,
        problem.restraints,
        problem.at_nodes(x),
        expectation.sums,
        *more,
    )


def scores_of(
    engine: Engine,
    curves: Curves,
    kinds: tuple[Kind, ...],
    restraints: Restraints,
    at: EntitiesAtNodes,
    sums: Sequence[EntityCurve],
) -> tuple[EntityCoordinates, EntityMatrices]:
    """What `score` gives, of arrays."""
    return restrained(engine, kinds, restraints, at.x, *curves.score(engine, at, sums))


def restrained(
    engine: Engine,
    kinds: tuple[Kind, ...],
    restraints: Restraints,
    x: EntityCoordinates,
    gradient: EntityCoordinates,
    information: EntityMatrices,
) -> tuple[EntityCoordinates, EntityMatrices]:
    """Score and information of the responses with what keeps entities in their place."""
    xp, free = engine.xp, restraints.free
    slope, bend = restraints.derivatives(engine, kinds, x)
    own = xp.eye(x.shape[1])
    gradient, information = gradient + slope, information - xp.minimum(bend, 0.0)[:, :, None] * own
    if free is None:
        return gradient, information
    # Coordinates that are held are taken out: no gradient, no coupling.
    both = free[:, :, None] & free[:, None, :]
    return xp.where(free, gradient, 0.0), xp.where(both, information, own)


def _gradient_of(
    engine: Engine,
    curves: Curves,
    kinds: tuple[Kind, ...],
    restraints: Restraints,
    at: EntitiesAtNodes,
    sums: Sequence[EntityCurve],
) -> EntityCoordinates:
    free = restraints.free
    slope, _ = restraints.derivatives(engine, kinds, at.x)
    found = curves.gradient(engine, at, sums) + slope
    return found if free is None else engine.xp.where(free, found, 0.0)


def moved_along(
    engine: Engine,
    curves: Curves,
    kinds: tuple[Kind, ...],
    restraints: Restraints,
    at: EntitiesAtNodes,
    sums: Sequence[EntityCurve],
    direction: EntityCoordinates,
    is_together: bool = False,
) -> EntityCoordinates:
    """What `scoring_step` gives, of arrays; with something in common, entities move together."""
    xp = engine.xp
    longest = xp.abs(direction).max(axis=None if is_together else 1, keepdims=True)
    step = direction * xp.minimum(1.0, _LONGEST_STEP / xp.maximum(longest, 1e-12))

    def height(x: EntityCoordinates) -> PerEntity:
        values = curves.values(engine, at._replace(x=x))
        own = contracted(engine, sums, values) + restraints.heights(engine, kinds, x)
        return own.sum() + 0.0 * own if is_together else own

    def proposal(share: PerEntity) -> EntityCoordinates:
        return xp.clip(at.x + share[:, None] * step, restraints.lower, restraints.upper)

    before, shares = height(at.x), xp.asarray(_SHARES)

    def shorten(number: Any, tried: tuple[PerEntity, Any]) -> tuple[PerEntity, Any]:
        share, _ = tried
        is_worse = height(proposal(share)) < before - 1e-9 * xp.abs(before)
        return xp.where(is_worse, shares[number + 1], share), is_worse.any()

    start = xp.ones(at.x.shape[0]), xp.asarray(True)
    share, _ = engine.take_turns(shorten, start, lambda tried: tried[1], len(_SHARES) - 1)
    return proposal(share)


def contracted(
    engine: Engine, left: Sequence[EntityCurve], right: Sequence[EntityCurve]
) -> PerEntity:
    """Σ_k Σ_nodes left_k ∘ right_k, entity by entity."""
    return add_up(engine.inner(a, b) for a, b in zip(left, right, strict=True))
