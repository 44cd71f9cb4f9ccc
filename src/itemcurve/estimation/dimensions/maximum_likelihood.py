"""Maximum likelihood of items of several abilities, started where posteriors have settled.

With the nodes held, the log-likelihood is a smooth function: L-BFGS climbs it in coordinates in
which every item's information is one. Then nodes are placed anew around the posteriors, and more of
them where that changes the log-likelihood, until nothing moves.
"""

from dataclasses import dataclass
from functools import partial
from typing import Annotated

import numpy as np
from scipy.optimize import minimize

from itemcurve.estimation.dimensions.correlations.correlation_angles import (
    angles_of,
    correlation_at,
    pulled_back,
)
from itemcurve.estimation.dimensions.marginal_surface import Height, Surface
from itemcurve.estimation.status import FitStatus
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes

_STEPS_A_ROUND = 60
# Steeper, a curve is a step to any sample; what a round at it may gain before it is over.
_MOST_SLOPE, _LITTLE = 30.0, 0.5
# Log-likelihood that rounds may still gain, and that more nodes may change.
_SETTLED = 3e-5
_SAME = 2e-5
# From here on it is asked whether nodes suffice.
_NEAR = 1e-3
MOST_CELLS = 4e8


@dataclass(frozen=True, eq=False)
class Place:
    """Where the search stands.

    Attributes
    ----------
    items, correlation : estimates.
    height : the log-likelihood there.
    surface : the nodes it was integrated at.
    """

    items: Annotated[Array, axes("items coordinates")]
    correlation: Annotated[Array, axes("dimensions dimensions")]
    height: Height
    surface: Surface


@dataclass(frozen=True, eq=False)
class Ascent:
    """Rounds of L-BFGS between which nodes are placed anew.

    Attributes
    ----------
    scale : root of the items' covariances, in whose coordinates the search goes.
    """

    surface: Surface
    free: Annotated[Array, axes("items coordinates")]
    scale: Annotated[Array, axes("items coordinates coordinates")]

    def at(self, items: Array, correlation: Array) -> Place:
        """Evaluate at these items."""
        return self._stand(self.surface, items, correlation)

    def coordinates(self, point: Place) -> tuple[Array, ...]:
        """Items and correlations."""
        return point.items, point.correlation

    def objective(self, point: Place) -> float:
        """The log-likelihood."""
        return point.height.log_likelihood

    def step(self, point: Place) -> tuple[Place, FitStatus | None]:
        """One round; converged where it gains nothing and more nodes change nothing."""
        found = self._climb(point)
        gained = found.height.log_likelihood - point.height.log_likelihood
        per_axis = found.surface.per_axis
        fresh = self._stand(
            found.surface.around(found.height.posteriors, per_axis),
            found.items,
            found.correlation,
        )
        slopes = found.items[:, : self.surface.pattern.size]
        if np.abs(slopes).max() >= _MOST_SLOPE and gained < _LITTLE:
            # An item that parts respondents perfectly has no finite slope; nodes never settle.
            return fresh, FitStatus.AT_BOUND
        if gained > _NEAR:
            return fresh, None
        # Nodes that err by more than a round gains make it crawl along their error.
        if self._can_refine(fresh):
            finer = self._stand(
                fresh.surface.around(fresh.height.posteriors, per_axis + 4),
                fresh.items,
                fresh.correlation,
            )
            if abs(finer.height.log_likelihood - fresh.height.log_likelihood) > max(gained, _SAME):
                return finer, None
        moved = abs(fresh.height.log_likelihood - found.height.log_likelihood)
        is_settled = gained <= _SETTLED and moved <= _SAME
        return fresh, FitStatus.CONVERGED if is_settled else None

    def _can_refine(self, point: Place) -> bool:
        items, respondents = self.surface.cells.shape
        is_reduced = self.surface.pattern.groups is not None
        size = 2 if is_reduced else self.surface.pattern.size
        nodes = (point.surface.per_axis + 4) ** size
        return items * respondents * nodes <= MOST_CELLS

    def _stand(self, surface: Surface, items: Array, correlation: Array) -> Place:
        return Place(items, correlation, surface.at(items, correlation), surface)

    def _climb(self, point: Place) -> Place:
        start = self._packed(point, np.zeros_like(point.items))
        found = minimize(
            partial(self._fall, point),
            start,
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": _STEPS_A_ROUND, "maxcor": 25, "ftol": 1e-14, "gtol": 1e-6},
        )
        items, correlation = self._unpacked(point, found.x)
        moved = self._stand(point.surface, items, correlation)
        return moved if moved.height.log_likelihood >= point.height.log_likelihood else point

    def _packed(self, point: Place, change: Array) -> Array:
        angles = angles_of(point.correlation) if self.surface.pattern.is_correlated else np.zeros(0)
        return np.concatenate([change[self.free], angles])

    def _unpacked(self, point: Place, x: Array) -> tuple[Array, Array]:
        count = int(self.free.sum())
        change = np.zeros_like(point.items)
        change[self.free] = x[:count]
        moved = point.items + np.einsum("jkl,jl->jk", self.scale, change)
        items = np.clip(np.where(self.free, moved, point.items), -_MOST_SLOPE, _MOST_SLOPE)
        if not self.surface.pattern.is_correlated:
            return items, point.correlation
        return items, correlation_at(x[count:], self.surface.pattern.size)

    def _fall(self, point: Place, x: Array) -> tuple[float, Array]:
        items, correlation = self._unpacked(point, x)
        height = point.surface.at(items, correlation)
        along = np.einsum("jkl,jk->jl", self.scale, height.item_gradient)[self.free]
        if self.surface.pattern.is_correlated:
            respondents = self.surface.cells.shape[1]
            inverse = np.linalg.inv(correlation)
            slope = 0.5 * (inverse @ height.moments @ inverse - respondents * inverse)
            along = np.concatenate([along, pulled_back(x[int(self.free.sum()) :], slope)])
        return -height.log_likelihood, -along


def scale_of(covariance: Array, free: Array) -> Array:
    """Roots of covariances, of what is free (items × coordinates × coordinates)."""
    whole = covariance + np.where(free, 1e-10, 1.0)[:, :, np.newaxis] * np.eye(free.shape[1])
    return np.linalg.cholesky(whole)
