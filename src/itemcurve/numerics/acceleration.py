"""Anderson acceleration of a fixed-point iteration.

Walker and Ni (2011). The next point combines the last few so that their combined residual is
smallest; near the solution this turns linear convergence into something close to Newton's.
"""

from collections import deque

import numpy as np

from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import Estimated


class AndersonMixer:
    """Remembers the last points and residuals of x → F(x) and proposes the next point."""

    def __init__(self, depth: int = 5) -> None:
        self._points: deque[Array] = deque(maxlen=depth + 1)
        self._residuals: deque[Array] = deque(maxlen=depth + 1)

    def forget(self) -> None:
        """Start again, after a proposal that did not help."""
        self._points.clear()
        self._residuals.clear()

    def propose(self, point: Estimated, image: Estimated) -> Estimated:
        """Give the next point from x and F(x); flat arrays."""
        self._points.append(image)
        self._residuals.append(image - point)
        if len(self._points) < 3:
            return image
        residuals = np.stack(self._residuals)
        images = np.stack(self._points)
        steps, moves = np.diff(residuals, axis=0), np.diff(images, axis=0)
        # A little ridge keeps the small least-squares problem well posed when residuals align.
        gram = steps @ steps.T
        gram[np.diag_indices_from(gram)] += 1e-10 * np.trace(gram) + 1e-300
        mixture = np.linalg.solve(gram, steps @ residuals[-1])
        return image - mixture @ moves
