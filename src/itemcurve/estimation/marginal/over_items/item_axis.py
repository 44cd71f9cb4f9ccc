"""One axis of a grid over items: fine where items are known well, coarse where they are not.

Difficulties are known well among the abilities and vaguely beyond them, slopes well near zero and
vaguely where they are steep. An even axis fine enough for the former wastes most of its nodes on
the latter. Here nodes are even in t, with u = centre + width · sinh(t): neighbours lie a distance
of step · √(1 + ((u − centre)/width)²) apart. The trapezoidal rule in t loses none of its accuracy.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import PerItem, PerNode, SameShape, axes

# So wide is as good as even.
_EVEN = 1e6
# Of a posterior's standard deviation. Skewed posteriors ask for more nodes than normal ones: on
# real matrices steps of 0.6 err by 1e-3 in an item's log-likelihood, steps of 1 by 1e-2.
_STEP_IN_SDS = 0.6
# The narrowest posteriors, of items, that may be resolved a little less well than that.
_NARROWEST = 0.05
# A posterior on a single node shows no width: it may be this share of a step.
_LEAST_VISIBLE = 0.25
_CENTRES = np.array([0.02, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.98])
_WIDTHS = np.array([0.03, 0.06, 0.12, 0.25, 0.5, 4.0])


@dataclass(frozen=True)
class Spacing:
    """How far apart nodes lie at a coordinate."""

    step: float
    """Where they are closest: at the centre."""
    centre: float = 0.0
    width: float = _EVEN

    def at(self, coordinate: SameShape) -> SameShape:
        """Distance of neighbours at a coordinate."""
        return self.step * np.hypot(1.0, (coordinate - self.centre) / self.width)

    def even(self, coordinate: SameShape) -> SameShape:
        """The coordinate in which nodes are evenly apart, at steps of one."""
        return np.arcsinh((coordinate - self.centre) / self.width) * (self.width / self.step)


@dataclass(frozen=True)
class Axis:
    """Nodes along one coordinate.

    Attributes
    ----------
    first : the first node, in the spacing's even coordinate.
    stride : from node to node, in that coordinate.
    size : number of nodes.
    """

    spacing: Spacing
    first: float
    stride: float
    size: int

    @classmethod
    def across(cls, ends: tuple[float, float], spacing: Spacing, size: int) -> "Axis":
        """As many nodes as given from one end to the other."""
        low, high = spacing.even(np.array(ends)).tolist()
        return cls(spacing, low, (high - low) / (size - 1), size)

    def widened(self, nodes: int) -> "Axis":
        """The axis with some more nodes beyond each end."""
        first = self.first - nodes * self.stride
        return Axis(self.spacing, first, self.stride, self.size + 2 * nodes)

    def at(self, position: SameShape) -> SameShape:
        """The coordinate at a position, counted in nodes from the first."""
        own = self.spacing
        t = (self.first + self.stride * position) * (own.step / own.width)
        return own.centre + own.width * np.sinh(t)

    @property
    def nodes(self) -> PerNode:
        """Their coordinates."""
        return self.at(np.arange(self.size, dtype=float))

    @property
    def widths(self) -> PerNode:
        """How much of the coordinate each node stands for."""
        return self.stride * self.spacing.at(self.nodes)

    def step_at(self, coordinate: SameShape) -> SameShape:
        """Distance of neighbours at a coordinate."""
        return self.stride * self.spacing.at(coordinate)


def needed_size(ends: tuple[float, float], spacing: Spacing) -> int:
    """How many nodes span the ends."""
    return int(np.ceil(np.ptp(spacing.even(np.array(ends))))) + 1


def fitting_spacing(means: PerItem, sds: PerItem, axis: Axis, ends: tuple[float, float]) -> Spacing:
    """The spacing with the fewest nodes from end to end that resolves nearly every item.

    Parameters
    ----------
    means, sds : of the items' posteriors, as found on `axis`.
    """
    sds = _visible(means, sds, axis)
    centres, widths = (
        part.ravel()
        for part in np.meshgrid(np.quantile(means, _CENTRES), _WIDTHS * (ends[1] - ends[0]))
    )
    stretch = np.hypot(1.0, (means - centres[:, None]) / widths[:, None])
    steps = _STEP_IN_SDS * np.quantile(sds / stretch, _NARROWEST, axis=1)
    found = [Spacing(*map(float, row)) for row in zip(steps, centres, widths, strict=True)]
    return min(found, key=lambda spacing: float(np.ptp(spacing.even(np.array(ends)))))


def coarseness(means: PerItem, sds: PerItem, axis: Axis, seen_on: Axis) -> float:
    """Steps of an axis in standard deviations of the posteriors it resolves worst, but for a few.

    As a multiple of what is wanted: at most 1 where all is well.

    Parameters
    ----------
    means, sds : of the items' posteriors, as found on the axis `seen_on`.
    """
    steps = axis.step_at(means) / _visible(means, sds, seen_on)
    return float(np.quantile(steps, 1 - _NARROWEST)) / _STEP_IN_SDS


def _visible(means: PerItem, sds: PerItem, axis: Axis) -> PerItem:
    return np.maximum(sds, _LEAST_VISIBLE * axis.step_at(means))


def lattice(parts: Sequence[Array]) -> Annotated[Array, axes("coordinates nodes")]:
    """All combinations of values along axes, the last running fastest."""
    return np.stack([part.ravel() for part in np.meshgrid(*parts, indexing="ij")])
