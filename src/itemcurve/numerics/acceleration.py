"""Anderson acceleration of a fixed-point iteration.

Walker and Ni (2011). The next point combines the last few so that their combined residual is
smallest; near the solution this turns linear convergence into something close to Newton's.
"""

from collections import deque
from typing import Annotated, NamedTuple

import numpy as np

from itemcurve.numerics.engine import NUMPY, Array, Engine
from itemcurve.numerics.shapes import Estimated, axes

Rows = Annotated[Array, axes("steps estimated")]


class Trail(NamedTuple):
    """The last images and residuals of x → F(x), newest last, as compiled code carries them.

    Attributes
    ----------
    images, residuals : F(x) and F(x) − x (steps × estimated); rows not yet used come first.
    used : how many rows are used.
    """

    images: Rows
    residuals: Rows
    used: Array

    @classmethod
    def empty(cls, engine: Engine, size: int, depth: int = 5) -> "Trail":
        """Nothing remembered."""
        rows = engine.place(engine.xp.zeros((depth + 1, size)))
        return cls(rows, rows, engine.place(np.zeros((), dtype=int)))

    def mixed(
        self, engine: Engine, point: Estimated, image: Estimated
    ) -> "tuple[Estimated, Trail]":
        """The next point from x and F(x), and what is remembered then."""
        xp = engine.xp
        images = xp.concatenate([self.images[1:], image[None]])
        residuals = xp.concatenate([self.residuals[1:], (image - point)[None]])
        used = xp.minimum(self.used + 1, len(images))
        places = xp.arange(len(images) - 1)
        is_used = (places >= len(images) - used)[:, None]
        steps = xp.where(is_used, xp.diff(residuals, axis=0), 0.0)
        moves = xp.where(is_used, xp.diff(images, axis=0), 0.0)
        found = image - mixture(engine, steps, residuals[-1]) @ moves
        return xp.where(used < 3, image, found), Trail(images, residuals, used)


def mixture(engine: Engine, steps: Rows, residual: Estimated) -> Annotated[Array, axes("steps")]:
    """How much of each step makes the residual smallest; none of a step of zeros."""
    xp = engine.xp
    gram = steps @ steps.T
    # A little ridge keeps the small least-squares problem well posed when residuals align.
    ridge = 1e-10 * xp.trace(gram) + 1e-300
    return xp.linalg.solve(gram + ridge * xp.eye(len(gram)), steps @ residual)


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
        return image - mixture(NUMPY, steps, residuals[-1]) @ moves
