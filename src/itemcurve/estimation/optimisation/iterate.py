"""The one loop of all methods: step, tell progress and checkpoint, stop.

A stepper knows what is maximised and how to come closer; the loop knows when to stop counting, whom
to tell, and where an interrupted search goes on.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from itemcurve.estimation.status import FitStatus
from itemcurve.numerics.engine import Array

Point = TypeVar("Point")
Coordinates = tuple[Array, ...]
Progress = Callable[[int, float], None]
"""Called with the number of each iteration and the objective after it."""


class Checkpoint(Protocol):
    """Remembers where searches stand, and where those of an interrupted fit stood."""

    def resume(self, start: Coordinates) -> Coordinates:
        """Give where the next search begins: at `start` itself, or where it stood before."""

    def save(self, reached: Coordinates) -> None:
        """Keep where the search under way has come to."""


@dataclass(frozen=True)
class Watch:
    """Who is told of every iteration."""

    progress: Progress | None = None
    checkpoint: Checkpoint | None = None

    def begin(self, start: Coordinates) -> Coordinates:
        """Give where a search begins."""
        return start if self.checkpoint is None else self.checkpoint.resume(start)

    def tell(self, iteration: int, objective: float, reached: Coordinates) -> None:
        """Pass a finished iteration on."""
        if self.checkpoint is not None:
            self.checkpoint.save(reached)
        if self.progress is not None:
            self.progress(iteration, objective)


UNWATCHED = Watch()


class Stepper(Protocol[Point]):
    """What is maximised and how; it may remember what one step teaches the next."""

    def at(self, *coordinates: Array) -> Point:
        """Evaluate what is maximised at these coordinates."""

    def coordinates(self, point: Point) -> Coordinates:
        """Give where a point lies, as `at` takes it."""

    def objective(self, point: Point) -> float:
        """Give how high a point lies."""

    def step(self, point: Point) -> tuple[Point, FitStatus | None]:
        """Give the next point, and how the search ended if it did.

        The very point that was given stands for no step at all.
        """


@dataclass(frozen=True)
class Optimum(Generic[Point]):
    """Where a search ended, and how."""

    point: Point
    status: FitStatus
    iterations: int


def iterate(
    stepper: Stepper[Point],
    start: Coordinates,
    *,
    max_iterations: int,
    done: int = 0,
    known: Point | None = None,
    watch: Watch = UNWATCHED,
) -> Optimum[Point]:
    """Step from a start until the stepper says how it ended, or the iterations are used up.

    Parameters
    ----------
    max_iterations : in all, of which `done` were spent by earlier searches of the same fit; at
        least one more is made.
    known : the start as it was evaluated before.

    Returns
    -------
    The optimum, with the number of iterations in all.
    """
    first = watch.begin(start)
    point = known if known is not None and first is start else stepper.at(*first)
    last = max(max_iterations, done + 1)
    for iteration in range(done + 1, last + 1):
        found, status = stepper.step(point)
        if found is point and status is not None:
            return Optimum(point, status, iteration - 1)
        point = found
        watch.tell(iteration, stepper.objective(point), stepper.coordinates(point))
        if status is not None:
            return Optimum(point, status, iteration)
    return Optimum(point, FitStatus.MAX_ITERATIONS, last)
