"""Whether a search that says it converged stands on a summit: finite differences say."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.estimation.optimisation import iterate as searches

# Units of log-likelihood. A search ends where a step promises less than a ten-thousandth of this.
GAIN = 0.01


class Summits:
    """Remembers where each search of a fit ended, and what it maximised."""

    def __init__(self) -> None:
        self.found: list[tuple[Any, Any]] = []

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
        for stepper, point in reversed(self.found):
            reached = float(stepper.objective(point))
            if abs(reached - objective) <= 1e-6 * max(1.0, abs(objective)):
                return _gain(stepper, point)
        return None


def _gain(stepper: Any, point: Any) -> float:
    """Step as Newton would along each coordinate, by differences that know nothing of formulas."""
    parts = [np.array(part, dtype=float) for part in stepper.coordinates(point)]
    shapes = [part.shape for part in parts]
    flat = np.concatenate([part.ravel() for part in parts])

    def height(moved: NDArray[np.float64]) -> float:
        ends = np.cumsum([int(np.prod(shape)) for shape in shapes])[:-1]
        pieces = [p.reshape(s) for p, s in zip(np.split(moved, ends), shapes, strict=True)]
        try:
            found = float(stepper.objective(stepper.at(*pieces)))
        except (ValueError, ArithmeticError, np.linalg.LinAlgError):
            return -np.inf
        return found if np.isfinite(found) else -np.inf

    start, best = height(flat), 0.0
    for place in range(flat.size):
        step = 1e-4 * max(1.0, abs(flat[place]))
        sides = [_along(height, flat, place, sign * step) - start for sign in (1, -1)]
        if not np.isfinite(sides).all():
            continue
        slope, bend = (sides[0] - sides[1]) / (2 * step), (sides[0] + sides[1]) / step**2
        length = np.clip(slope / max(-bend, 1e-8), -1.0, 1.0)
        best = max(best, *sides, _along(height, flat, place, length) - start)
    return best


def _along(height: Any, flat: NDArray[np.float64], place: int, step: float) -> float:
    moved = flat.copy()
    moved[place] += step
    return float(height(moved))
