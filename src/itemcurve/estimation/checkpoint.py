"""Where the searches of a fit stand, so that an interrupted fit can go on.

A method makes one search or several, in an order that its data and settings decide. A checkpoint
remembers the coordinates that each has reached; given to the next attempt, every search starts
there: those that were finished end at once, and the interrupted one goes on. The maximum is the
same; its last digits depend on the way to it, as far as the tolerance allows.
"""

from collections.abc import Sequence

import numpy as np

from itemcurve.estimation.optimisation.iterate import Coordinates


class MemoryCheckpoint:
    """A checkpoint (`fit(checkpoint=...)`) that remembers where every search stands.

    Parameters
    ----------
    known : where the searches of an interrupted attempt stood.
    """

    def __init__(self, known: Sequence[Coordinates] = ()) -> None:
        self.iterations = 0
        self._known = list(known)
        self._reached: list[Coordinates] = []

    @property
    def reached(self) -> tuple[Coordinates, ...]:
        """The coordinates of each search begun so far."""
        return tuple(self._reached)

    @property
    def is_resumed(self) -> bool:
        """Whether there is an interrupted attempt to go on from."""
        return bool(self._known)

    def resume(self, start: Coordinates) -> Coordinates:
        """Give the coordinates at which the next search is to start."""
        place = len(self._reached)
        known = self._known[place] if place < len(self._known) else ()
        if [part.shape for part in known] != [part.shape for part in start]:
            # Another search than the interrupted attempt made here: nothing later fits either.
            del self._known[place:]
            known = start
        self._reached.append(known)
        return known

    def save(self, reached: Coordinates) -> None:
        """Keep the coordinates that the search under way has reached."""
        self.iterations += 1
        self._reached[-1] = tuple(np.asarray(part) for part in reached)
