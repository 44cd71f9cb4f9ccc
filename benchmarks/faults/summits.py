"""Whether a search that says it converged stands on a summit: finite differences say."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.estimation.optimisation import iterate as searches
from itemcurve.models.mixed_likelihood import likelihood_of

# Units of log-likelihood. A search ends where a step promises less than a ten-thousandth of this.
GAIN = 0.01
_FAR = 0.3
# Of the way between two places.
_SHARES = (*np.geomspace(1e-3, 0.05, 8), *np.linspace(0.1, 1.0, 19))


class Summits:
    """Remembers where each search of a fit ended, and what it maximised."""

    def __init__(self) -> None:
        self.found: list[tuple[Any, Any]] = []
        self.base = 0.0

    def belong_to(self, fit: Any) -> None:
        """Learn what of the fit's log-likelihood no parameter moves: searches leave it out."""
        likelihood = likelihood_of(fit.estimates.model)
        self.base = float(sum(likelihood.log_base(block) for block in fit.responses.blocks()))

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Look on while the block fits."""
        plain = searches.iterate

        def iterate(stepper: Any, *given: Any, **named: Any) -> Any:
            optimum = plain(stepper, *given, **named)
            self.found.append((stepper, optimum.point))
            return optimum

        places = [m for m in list(sys.modules.values()) if getattr(m, "iterate", None) is plain]
        for module in places:
            module.iterate = iterate  # type: ignore[attr-defined]
        try:
            yield
        finally:
            for module in places:
                module.iterate = plain  # type: ignore[attr-defined]

    def gain(self, objective: float) -> float | None:
        """Give how much higher one step along any coordinate leads; None if nothing is known.

        Parameters
        ----------
        objective : what the fit reports, to tell which of its searches it speaks of.
        """
        reached = self._reached(objective)
        return None if reached is None else _gain(*reached)

    def valley(self, objective: float, other: "Summits", higher: float) -> float:
        """Give how far down the straight way to a higher place leads before it leads up.

        Above zero, that place is another summit, and this one is one, too.

        Parameters
        ----------
        objective, higher : what the two fits report.
        other : of the fit that ended higher.
        """
        own, there = self._reached(objective), other._reached(higher)
        if own is None or there is None:
            return 0.0
        stepper, point = own
        begin = [np.array(part, dtype=float) for part in stepper.coordinates(point)]
        end = [np.array(part, dtype=float) for part in there[0].coordinates(there[1])]
        if [part.shape for part in begin] != [part.shape for part in end]:
            return 0.0
        start, lowest = float(stepper.objective(point)), 0.0
        for share in _SHARES:
            parts = [a + share * (b - a) for a, b in zip(begin, end, strict=True)]
            height = float(stepper.objective(stepper.at(*parts))) - start
            if height > GAIN:
                break
            lowest = min(lowest, height)
        return -lowest

    def _reached(self, objective: float) -> tuple[Any, Any] | None:
        """The search that a fit speaks of, and where it ended."""
        heights = [float(stepper.objective(point)) for stepper, point in self.found]
        for base in dict.fromkeys((0.0, self.base)):
            for height, found in zip(reversed(heights), reversed(self.found), strict=True):
                if abs(height + base - objective) <= 1e-6 * max(1.0, abs(objective)):
                    return found
        return None


def _gain(stepper: Any, point: Any) -> float:
    """Step as Newton would along each coordinate, by differences that know nothing of formulas."""
    parts = [np.array(part, dtype=float) for part in stepper.coordinates(point)]
    shapes = [part.shape for part in parts]
    flat = np.concatenate([part.ravel() for part in parts])
    low, high = _limits(stepper, flat.size)

    def height(moved: NDArray[np.float64]) -> float:
        if (moved < low).any() or (moved > high).any():
            return -np.inf
        ends = np.cumsum([int(np.prod(shape)) for shape in shapes])[:-1]
        pieces = [p.reshape(s) for p, s in zip(np.split(moved, ends), shapes, strict=True)]
        try:
            found = float(stepper.objective(_followed(stepper, point, pieces)))
        except (ValueError, ArithmeticError, np.linalg.LinAlgError):
            return -np.inf
        return found if np.isfinite(found) else -np.inf

    start, best = height(flat), 0.0
    for way in _ways(stepper, shapes):
        step = 1e-4 * max(1.0, float(np.abs(flat[way]).max()))
        sides = [_along(height, flat, way, sign * step) - start for sign in (1, -1)]
        best = max(best, *sides)
        if not np.isfinite(sides).all():
            continue
        slope, bend = (sides[0] - sides[1]) / (2 * step), (sides[0] + sides[1]) / step**2
        length = float(np.clip(slope / max(-bend, 1e-8), -_FAR, _FAR))
        # A long way off there may be other summits: only where the slope leads there.
        if slope * length > GAIN / 10:
            best = max(best, _along(height, flat, way, length) - start)
    return best


def _followed(stepper: Any, point: Any, pieces: list[NDArray[np.float64]]) -> Any:
    """What is maximised at other coordinates, on the nodes that the search has followed there.

    Nodes laid anew for each of two places differ by more than their heights: of an odd set by 0.03,
    where a dense grid of a million nodes told what nodes that are followed tell.
    """
    if not hasattr(point, "ridge"):
        return stepper.at(*pieces)
    problem = stepper.problem
    return problem.evaluate(problem.clipped(np.concatenate(pieces)), point.ridge)


def _ways(stepper: Any, shapes: list[tuple[int, ...]]) -> list[list[int]]:
    """Coordinates to move, those together that are one and the same for all items."""
    sizes = [int(np.prod(shape)) for shape in shapes]
    if type(stepper).__name__ == "FullRankAscent":
        # What follows is a matrix, of which one number alone cannot change.
        sizes = sizes[:2]
    ways = [[place] for place in range(sum(sizes))]
    shared = getattr(getattr(stepper, "problem", None), "common", ())
    width = shapes[0][-1]
    for column in shared:
        ways[column] = list(range(column, sizes[0], width))
    return [way for at, way in enumerate(ways) if not _repeats(at, shared, width, sizes[0])]


def _repeats(at: int, shared: Any, width: int, size: int) -> bool:
    return width <= at < size and at % width in shared


def _limits(stepper: Any, size: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The box of the search, where it has one: a population may not be narrower than it says."""
    low, high = np.full(size, -np.inf), np.full(size, np.inf)
    population = getattr(getattr(stepper, "problem", None), "population", None)
    if population is not None and hasattr(population, "bounds"):
        ends = [np.atleast_1d(end) for end in population.bounds()]
        if ends[0].size:
            low[-ends[0].size :], high[-ends[0].size :] = ends
    return low, high


def _along(height: Any, flat: NDArray[np.float64], way: list[int], step: float) -> float:
    moved = flat.copy()
    moved[way] += step
    return float(height(moved))
