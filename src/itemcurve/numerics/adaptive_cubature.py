"""Nodes for integrals over two coordinates, laid for every row of many where its own mass lies.

Rows differ in width by factors of thousands, and their mass lies along curved ridges: no shared
grid, and no ellipse around a peak, holds them all. Nested nodes do. The outer coordinate has a
lattice of its own range in every row; at each of its points the inner coordinate is integrated
around its conditional peak by a Gauss-Hermite rule of the conditional width. A ridge may bend as it
likes, as long as across it there is one peak.
"""

from typing import NamedTuple, Protocol

import numpy as np

from itemcurve.numerics.hermite import gauss_hermite
from itemcurve.numerics.shapes import PerRow, RowNodes, RowPoints

# Points along the outer coordinate for a first look over the whole range.
_SCOUTING = 40
# What lies this far below the highest logarithm does not count: e⁻¹⁴ = 8e-7.
_DEPTH = 14.0
_MOST_ZOOMS = 10
_FEWEST_STEPS, _MOST_STEPS = 5, 30
_STRAGGLERS = 0.02
_LONGEST_STEP = 1.0
# A Gauss-Hermite rule a hundredth of a standard deviation off its peak is as good as on it: what a
# Newton step of this length, in standard deviations, leaves.
_CLOSE = 0.1
# Points with so little of the mass do not count when it strays.
_COUNTS = 1e-2
# Nodes still see mass this far away, and so narrow or wide, in standard deviations.
_FARTHEST_OFFSET = 1.5
_SEEN = (0.4, 2.5)
# Along a row, mass ends where it has fallen by so much (in logarithms), and covers at least such a
# share of the points.
_EDGE = 10.0
_FEWEST_INSIDE = 0.6


class Conditional(Protocol):
    """Functions of an outer and an inner coordinate, seen along the inner one.

    Attributes
    ----------
    limits : where inner peaks are looked for.
    """

    limits: tuple[float, float]

    def __call__(self, rows: PerRow, outer: PerRow, inner: PerRow) -> tuple[PerRow, PerRow, PerRow]:
        """Log values of these rows there, with slope and curvature in the inner one (all flat)."""


class Points(NamedTuple):
    """How many points a row has: along the outer coordinate, and across at each of them."""

    outer: int
    inner: int


# The mass of a normal row is ten standard deviations long. On 13 to 17 points, one or two of them
# beyond each end, the trapezoidal rule is right to 1e-8. Across, a row that is nearly normal needs
# five points, one with the tails of a prior nine.
SHARP = Points(13, 5)
FULL = Points(17, 9)


class Straying(NamedTuple):
    """How far mass may stray from its nodes, across, before they are laid anew.

    Attributes
    ----------
    offset : of the mean, in the standard deviations that the nodes were laid for.
    widths : of the standard deviation, in those.
    """

    offset: float
    widths: tuple[float, float]


LITTLE = Straying(0.4, (0.75, 1.4))
# Differences of what is summed at the nodes ask for more.
LEAST = Straying(0.05, (0.95, 1.05))


class Ridge(NamedTuple):
    """The conditional peaks of many rows along their outer coordinate (rows × points each).

    Attributes
    ----------
    outer : points of each row, evenly spaced.
    peak : where the inner coordinate is most likely there.
    width : its standard deviation there, by the curvature.
    """

    outer: RowPoints
    peak: RowPoints
    width: RowPoints

    def nodes(self, inner: int) -> tuple[RowNodes, RowNodes, RowNodes]:
        """Outer and inner coordinate, and logarithm of the volume, of all nodes (rows × nodes)."""
        offsets, log_weights = gauss_hermite(inner)
        rows, points = self.outer.shape
        outer = np.repeat(self.outer, inner, axis=1)
        across = self.peak[:, :, None] + self.width[:, :, None] * offsets
        step = self.outer[:, 1] - self.outer[:, 0]
        volume = np.log(step)[:, None, None] + np.log(self.width)[:, :, None] + log_weights
        return outer, across.reshape(rows, -1), volume.reshape(rows, points * inner)

    def of(self, rows: PerRow) -> "Ridge":
        """The ridges of some rows."""
        return Ridge(*(part[rows] for part in self))

    def put(self, rows: PerRow, other: "Ridge") -> None:
        """Replace those of some rows."""
        for part, new in zip(self, other, strict=True):
            part[rows] = new

    def copy(self) -> "Ridge":
        """One of its own that can be changed."""
        return Ridge(*(part.copy() for part in self))

    def on(self, points: int) -> "Ridge":
        """The same ridges at so many points."""
        if points == self.outer.shape[1]:
            return self
        return _moved(self, _lattice(self.outer[:, 0], self.outer[:, -1], points))

    def following(self, weights: RowNodes, allowed: "Straying") -> tuple["Ridge", PerRow, PerRow]:
        """Ridges that have moved a little, where the mass on their old nodes says they are now.

        Parameters
        ----------
        weights : share of each row's mass at the nodes.

        Returns
        -------
        The ridges; which rows should move to them; and which have moved too far to tell.
        """
        rows, points = self.outer.shape
        by_point = weights.reshape(rows, points, -1)
        offsets = gauss_hermite(by_point.shape[2])[0]
        mass = by_point.sum(axis=2)
        share = by_point / np.maximum(mass, 1e-300)[:, :, None]
        mean = share @ offsets
        sd = np.sqrt(np.maximum(share @ offsets**2 - mean**2, 1e-6))
        top = mass.max(axis=1, keepdims=True)
        counts = mass > _COUNTS * top
        narrowest, widest = allowed.widths
        is_near = (np.abs(mean) < allowed.offset) & (sd > narrowest) & (sd < widest)
        is_seen = (np.abs(mean) < _FARTHEST_OFFSET) & (sd > _SEEN[0]) & (sd < _SEEN[1])
        is_lost = ~_is_spanned(mass / top) | (counts & ~is_seen).any(axis=1)
        moved = Ridge(
            self.outer,
            self.peak + self.width * mean,
            self.width * np.clip(sd, 0.5, 2.0),
        )
        return moved, (counts & ~is_near).any(axis=1) & ~is_lost, is_lost


def find_ridge(
    conditional: Conditional,
    rows: int,
    span: tuple[float, float],
    points: int,
    near: Ridge | None = None,
) -> Ridge:
    """Find where the mass of every row lies.

    Parameters
    ----------
    span : of the outer coordinate, to look for mass in; it is left where mass reaches beyond.
    points : along the outer coordinate.
    near : ridges of nearly the same functions, with as many points, to start from.
    """
    if near is None:
        return _search(conditional, np.arange(rows), span, points)
    return follow_ridge(conditional, np.arange(rows), span, near)


def follow_ridge(
    conditional: Conditional, rows: PerRow, span: tuple[float, float], near: Ridge
) -> Ridge:
    """Find where the mass of some rows lies, from where it lay when they were a little different.

    Parameters
    ----------
    near : ridges of these rows to start from.
    """
    found, is_held, _ = _follow(conditional, rows, near, is_strict=False)
    # A ridge that was lost is looked for everywhere.
    lost = np.flatnonzero(~is_held)
    if lost.size:
        anew = _search(conditional, rows[lost], span, near.outer.shape[1])
        for old, new in zip(found, anew, strict=True):
            old[lost] = new
    return found


def _search(
    conditional: Conditional, rows: PerRow, span: tuple[float, float], points: int
) -> Ridge:
    """Look over the whole range, then into its highest place and the highest one beside that.

    A spike between two points of the lattice may look lower than a broad hill elsewhere.
    """
    outer = np.tile(np.linspace(*span, _SCOUTING), (len(rows), 1))
    wide, heights = _rows_at_peaks(conditional, rows, outer, np.zeros_like(outer))
    lower, upper, _ = _range(wide, heights)
    first, _, top = _follow(conditional, rows, _moved(wide, _lattice(lower, upper, points)))
    place = _second_peak(heights, (outer >= lower[:, None]) & (outer <= upper[:, None]))
    other = np.flatnonzero(place >= 0)
    if other.size:
        step = outer[0, 1] - outer[0, 0]
        centre = outer[other, place[other]]
        start = _moved(
            Ridge(*(part[other] for part in wide)), _lattice(centre - step, centre + step, points)
        )
        second, _, height = _follow(conditional, rows[other], start)
        is_higher = height > top[other]
        for old, new in zip(first, second, strict=True):
            old[other[is_higher]] = new[is_higher]
    return first


def _second_peak(heights: RowPoints, is_taken: RowPoints) -> PerRow:
    """Column of each row's highest local maximum outside of what is taken; −1 for none."""
    padded = np.pad(heights, ((0, 0), (1, 1)), constant_values=-np.inf)
    is_peak = (heights > padded[:, :-2]) & (heights > padded[:, 2:]) & ~is_taken
    found = np.where(is_peak, heights, -np.inf).argmax(axis=1)
    return np.where(is_peak.any(axis=1), found, -1)


def _follow(
    conditional: Conditional, rows: PerRow, near: Ridge, is_strict: bool = True
) -> tuple[Ridge, PerRow, PerRow]:
    """Move and zoom each row's lattice until it spans the row's mass.

    Parameters
    ----------
    is_strict : whether a lattice is moved that spans the mass, but not as well as it could.

    Returns
    -------
    The ridges, whether each lattice spans its row's mass, and the highest log mass on it.
    """
    found = Ridge(*(np.array(part) for part in near))
    is_held, top = np.zeros(len(rows), dtype=bool), np.full(len(rows), -np.inf)
    for _ in range(_MOST_ZOOMS):
        todo = np.flatnonzero(~is_held)
        outer = found.outer[todo]
        ridge, heights = _rows_at_peaks(conditional, rows[todo], outer, found.peak[todo])
        lower, upper, fits = _range(ridge, heights)
        if not is_strict:
            fits |= _is_spanned(np.exp(heights - heights.max(axis=1, keepdims=True)))
        outer = np.where(fits[:, None], outer, _lattice(lower, upper, outer.shape[1]))
        for part, new in zip(found, _moved(ridge, outer), strict=True):
            part[todo] = new
        is_held[todo], top[todo] = fits, heights.max(axis=1)
        if is_held.all():
            break
    return found, is_held, top


def _rows_at_peaks(
    conditional: Conditional, rows: PerRow, outer: RowPoints, start: RowPoints
) -> tuple[Ridge, RowPoints]:
    """Find the conditional peaks on these lattices, and the logarithm of the mass at each."""
    flat = np.repeat(rows, outer.shape[1])
    peak, width, height = find_peaks(conditional, flat, outer.ravel(), start.ravel())
    shape = outer.shape
    ridge = Ridge(outer, peak.reshape(shape), width.reshape(shape))
    return ridge, (height + np.log(width)).reshape(shape)


def find_peaks(
    conditional: Conditional, rows: PerRow, outer: PerRow, start: PerRow
) -> tuple[PerRow, PerRow, PerRow]:
    """Find the inner peak at every outer coordinate by Newton's method (all flat).

    Returns
    -------
    Peaks, standard deviations by the curvature there, and log values.
    """
    best, here = np.array(start), np.array(start)
    width, height = np.ones_like(here), np.full_like(here, -np.inf)
    active = np.arange(len(here))
    for turn in range(_MOST_STEPS):
        value, slope, bend = conditional(rows[active], outer[active], here[active])
        sd = 1 / np.sqrt(np.maximum(np.abs(bend), 1e-4))
        step = np.clip(slope * sd**2, -_LONGEST_STEP, _LONGEST_STEP)
        step = np.clip(here[active] + step, *conditional.limits) - here[active]
        is_better = value >= height[active] - 1e-9 * np.abs(value)
        won = active[is_better]
        best[won], width[won], height[won] = here[won], sd[is_better], value[is_better]
        is_done = is_better & (np.abs(step) < _CLOSE * sd)
        here[active] = np.where(is_better, here[active] + step, (here[active] + best[active]) / 2)
        # So close to a peak it is a parabola: the last step needs no look at where it leads.
        there = active[is_done]
        best[there], height[there] = here[there], height[there] + (slope * step)[is_done] / 2
        active = active[~is_done]
        # The last few lie where there is hardly any mass, and take as long as all the others.
        if active.size <= (_STRAGGLERS * len(here) if turn >= _FEWEST_STEPS else 0):
            break
    return best, width, height


def _is_spanned(heights: RowPoints) -> PerRow:
    """Whether lattices reach both ends of their rows' mass, and resolve it."""
    is_inside = heights > np.exp(-_EDGE)
    resolves = is_inside.sum(axis=1) >= _FEWEST_INSIDE * heights.shape[1]
    return ~is_inside[:, 0] & ~is_inside[:, -1] & resolves


def _range(ridge: Ridge, heights: RowPoints) -> tuple[PerRow, PerRow, PerRow]:
    """Give the range that holds each row's mass, and whether the lattice has just that range."""
    outer, points = ridge.outer, ridge.outer.shape[1]
    is_inside = heights > heights.max(axis=1, keepdims=True) - _DEPTH
    first = is_inside.argmax(axis=1)
    last = points - 1 - is_inside[:, ::-1].argmax(axis=1)
    step = outer[:, 1] - outer[:, 0]
    half = step * points / 2
    lower = outer[:, 0] + np.where(first == 0, -half, (first - 1) * step)
    upper = outer[:, 0] + np.where(
        last == points - 1, (points - 1) * step + half, (last + 1) * step
    )
    fits = (first >= 1) & (first <= 2) & (last >= points - 3) & (last <= points - 2)
    return lower, upper, fits


def _lattice(lower: PerRow, upper: PerRow, points: int) -> RowPoints:
    return lower[:, None] + (upper - lower)[:, None] * np.linspace(0, 1, points)


def _moved(ridge: Ridge, outer: RowPoints) -> Ridge:
    """A ridge on other lattices, interpolated."""
    columns = (ridge.peak, ridge.width)
    triples = [zip(outer, ridge.outer, column, strict=True) for column in columns]
    return Ridge(outer, *(np.array([np.interp(*row) for row in rows]) for rows in triples))
