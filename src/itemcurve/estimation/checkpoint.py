"""Where the climbs of a fit stand, so that an interrupted fit can go on.

A method makes one climb or several, in an order that its data and settings decide. A course
remembers the coordinates that each has reached; given to the next attempt, every climb starts
there: those that were finished end at once, and the interrupted one goes on. The maximum is the
same; its last digits depend on the way to it, as far as the tolerance allows.
"""

from collections.abc import Callable, Sequence

import numpy as np

from itemcurve.numerics.engine import Array

Reached = tuple[Array, ...]


class Course:
    """A report (`fit(report=...)`) that also remembers where every climb stands.

    Parameters
    ----------
    report : called with each iteration and its objective.
    known : where the climbs of an interrupted attempt stood.
    """

    def __init__(
        self, report: Callable[[int, float], None] | None = None, known: Sequence[Reached] = ()
    ) -> None:
        self.iterations = 0
        self._report = report
        self._known = list(known)
        self._reached: list[Reached] = []

    def __call__(self, iteration: int, objective: float) -> None:
        """Pass a finished iteration on."""
        self.iterations += 1
        if self._report is not None:
            self._report(iteration, objective)

    @property
    def reached(self) -> tuple[Reached, ...]:
        """The coordinates of each climb begun so far."""
        return tuple(self._reached)

    @property
    def is_going_on(self) -> bool:
        """Whether there is an interrupted attempt to go on from."""
        return bool(self._known)

    def begin(self, start: Reached) -> Reached:
        """Give the coordinates at which the next climb is to start."""
        place = len(self._reached)
        known = self._known[place] if place < len(self._known) else ()
        if [part.shape for part in known] != [part.shape for part in start]:
            # Another climb than the interrupted attempt made here: nothing later fits either.
            del self._known[place:]
            known = start
        self._reached.append(known)
        return known

    def remember(self, reached: Reached) -> None:
        """Keep the coordinates that the climb under way has reached."""
        self._reached[-1] = tuple(np.asarray(part) for part in reached)


def begin_climb(report: object, *start: Array) -> Reached:
    """Give where a climb starts: at `start`, or where a course knows it to have been."""
    return report.begin(start) if isinstance(report, Course) else start


def remember_climb(report: object, *reached: Array) -> None:
    """Tell a course where the climb stands; other reports do not want to know."""
    if isinstance(report, Course):
        report.remember(reached)
