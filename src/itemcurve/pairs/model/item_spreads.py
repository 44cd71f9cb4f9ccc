"""How much items differ, estimated from the votes themselves."""

from dataclasses import replace

import numpy as np

from itemcurve.pairs.model.newton_search import Maximum, maximise
from itemcurve.pairs.model.pair_problem import PairProblem
from itemcurve.pairs.votes.vote_data import Floats

_MOST_ROUNDS = 60
_TOLERANCE = 2e-3
_LEAST_SPREAD = 1e-2


def maximise_with_spreads(
    problem: PairProblem, start: Floats, max_iterations: int
) -> tuple[Maximum, dict[str, float]]:
    """Search parameters and, in turns, the spread of each kind that items have of their own.

    The spread is that of a normal distribution of which items are drawn; its variance becomes the
    mean over items of squared distance from the centre plus posterior variance: the EM step, with
    the posterior taken as normal about its mode (Laplace).
    """
    best = maximise(problem, start, max_iterations)
    spreads: dict[str, float] = {}
    for _ in range(_MOST_ROUNDS if problem.layout.width else 0):
        fresh = _spreads(best)
        is_settled = spreads and max(abs(fresh[n] / spreads[n] - 1) for n in fresh) < _TOLERANCE
        spreads = fresh
        if is_settled:
            break
        problem = replace(problem, precision=_precision(problem, spreads))
        best = maximise(problem, best.point.theta, max_iterations)
    return best, spreads


def _spreads(best: Maximum) -> dict[str, float]:
    problem = best.point.problem
    variances = np.diagonal(best.system.item_covariances(), axis1=1, axis2=2)
    found = {}
    for place, name in enumerate(problem.layout.item_parts):
        off = problem.layout.block(best.point.theta - problem.centre, name)
        spread = float(np.sqrt(np.mean(off**2 + variances[:, place])))
        found[name] = max(spread, _LEAST_SPREAD)
    return found


def _precision(problem: PairProblem, spreads: dict[str, float]) -> Floats:
    precision = problem.precision.copy()
    for name, spread in spreads.items():
        problem.layout.block(precision, name)[:] = spread**-2
    return precision
