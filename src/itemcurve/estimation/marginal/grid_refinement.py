"""A maximum on a grid that fits what was found there: search, look, lay a better grid, go on."""

from collections.abc import Callable
from typing import Protocol, TypeVar

from itemcurve.estimation.marginal.em_newton import Point, maximise
from itemcurve.estimation.marginal.em_steps import ScaleMove
from itemcurve.estimation.marginal.learnt_curvature import Learnt
from itemcurve.estimation.marginal.problem import MarginalProblem
from itemcurve.estimation.optimisation.iterate import Optimum, Watch
from itemcurve.numerics.shapes import EntityCoordinates, State

# Tolerance of a first search that only shows which grid to finish on.
_SCOUTING_TOLERANCE = 1e-2


class OnGrid(Protocol):
    """A marginal problem together with what laid its grid."""

    @property
    def marginal(self) -> MarginalProblem:
        """The problem on the present grid."""

    @property
    def standardise(self) -> ScaleMove | None:
        """How to move along a scale of ability that the likelihood leaves open."""


Problem = TypeVar("Problem", bound=OnGrid)


def maximise_refined(
    problem: Problem,
    x: EntityCoordinates,
    state: State,
    *,
    refine: Callable[[Problem, Point], Problem | None],
    most_refinements: int,
    tolerance: float,
    max_iterations: int,
    watch: Watch,
    done: int = 0,
    learnt: Learnt | None = None,
    known: Point | None = None,
    scouts: bool = True,
    is_rough: bool = False,
) -> tuple[Problem, Optimum[Point]]:
    """Search until the grid is good enough for the point found on it.

    Parameters
    ----------
    refine : the problem on a better grid, or None when its grid is good enough for a point.
    done : iterations that earlier searches have spent.
    learnt : what these have left, and where this one leaves what it finds.
    known : the start as an earlier search has seen it.
    scouts : whether the grid is so uncertain that a first search only shows which one to finish on.
    is_rough : whether it is enough to come near.
    """
    iterations, learnt = done, learnt or Learnt()
    for attempt in range(most_refinements + 1):
        is_scouting = scouts and not attempt and tolerance < _SCOUTING_TOLERANCE
        optimum = maximise(
            problem.marginal,
            x,
            state,
            standardise=problem.standardise,
            tolerance=_SCOUTING_TOLERANCE if is_scouting else tolerance,
            max_iterations=max_iterations,
            done=iterations,
            known=known,
            watch=watch,
            learnt=learnt,
            is_rough=is_rough,
        )
        iterations = optimum.iterations
        x, state = optimum.point.x, optimum.point.state
        better = refine(problem, optimum.point)
        if not is_scouting and (better is None or attempt == most_refinements):
            break
        known = optimum.point if better is None else None
        problem = better or problem
    return problem, optimum
