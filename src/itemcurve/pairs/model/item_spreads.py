"""How much items differ, estimated from the votes themselves."""

from dataclasses import replace

import numpy as np

from itemcurve.pairs.model.newton_search import Maximum, is_curved, maximise
from itemcurve.pairs.model.pair_problem import PairProblem
from itemcurve.pairs.votes.vote_data import Floats

_MOST_ROUNDS = 60
_TOLERANCE = 1e-3
_LEAST_SPREAD, _MOST_SPREAD = 1e-2, 3.0
_MOST_RATIO = 0.9


def maximise_with_spreads(
    problem: PairProblem, start: Floats, max_iterations: int
) -> tuple[Maximum, dict[str, float]]:
    """Search parameters and, in turns, the spread of each kind that items have of their own.

    The spread is that of a normal distribution of which items are drawn; its variance becomes the
    mean over items of squared distance from the centre plus posterior variance: the EM step, with
    the posterior taken as normal about its mode (Laplace).
    """
    best = maximise(problem, start, max_iterations)
    if not problem.layout.width or not is_curved(best):
        return best, {}
    known = [_spreads(best)]
    for _ in range(_MOST_ROUNDS):
        problem = replace(problem, precision=_precision(problem, known[-1]))
        best = maximise(problem, best.point.theta, max_iterations)
        if not is_curved(best):
            break
        found = _spreads(best)
        is_settled = bool(np.abs(found / known[-1] - 1).max() < _TOLERANCE)
        known = _look_ahead([*known, found])
        if is_settled:
            break
    return best, dict(zip(problem.layout.item_parts, known[-1].tolist(), strict=True))


def _look_ahead(known: list[Floats]) -> list[Floats]:
    """After two steps in a row go to where a geometric series of such steps would end (Aitken)."""
    if len(known) < 3:
        return known
    logs = np.log(known)
    first, second = logs[1] - logs[0], logs[2] - logs[1]
    ratio = np.divide(second, first, out=np.zeros_like(first), where=first != 0)
    ratio = np.where((ratio > 0) & (ratio < 1), np.minimum(ratio, _MOST_RATIO), 0.0)
    ahead = np.exp(logs[2] + second * ratio / (1 - ratio))
    return [np.clip(ahead, _LEAST_SPREAD, _MOST_SPREAD)]


def _spreads(best: Maximum) -> Floats:
    """Of each part, by the squares of what was found."""
    problem = best.point.problem
    variances = np.diagonal(best.system.item_covariances(), axis1=1, axis2=2)
    off = [
        problem.layout.block(best.point.theta - problem.centre, n)
        for n in problem.layout.item_parts
    ]
    squares = np.stack(off, axis=1) ** 2 + variances
    return np.clip(np.sqrt(squares.mean(axis=0)), _LEAST_SPREAD, _MOST_SPREAD)


def _precision(problem: PairProblem, spreads: Floats) -> Floats:
    precision = problem.precision.copy()
    for name, spread in zip(problem.layout.item_parts, spreads, strict=True):
        problem.layout.block(precision, name)[:] = spread**-2
    return precision
