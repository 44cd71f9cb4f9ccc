"""The population that one side of the data is drawn from, described at the nodes of a grid.

Over respondents it is the distribution of abilities; over items, that of item parameters. Both
are products of priors of single coordinates; of a normal one, location and spread can be
estimated together with everything else (empirical Bayes).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from itemcurve.models.priors import Normal, Prior
from itemcurve.numerics.engine import NUMPY, Array

_FARTHEST = 20.0
_MOST_TURNS = 50
_SETTLED = 1e-12


@dataclass(frozen=True)
class Coordinate:
    """One coordinate: its prior, what of it is estimated, and how strongly held to its start."""

    prior: Prior
    is_mean_free: bool = False
    is_sd_free: bool = False
    is_anchored: bool = False
    """Whether mean and log sd have a unit normal prior around their starting values."""
    least_sd: float = 0.05
    """Below this, a population is a point to the grid it is integrated on."""


@dataclass(frozen=True)
class Population:
    """A product of coordinates; `state` holds the free means and log standard deviations."""

    coordinates: tuple[Coordinate, ...]

    @property
    def _slots(self) -> list[tuple[int, str]]:
        found = []
        for index, coordinate in enumerate(self.coordinates):
            found += [(index, "mean")] * coordinate.is_mean_free
            found += [(index, "log_sd")] * coordinate.is_sd_free
        return found

    @property
    def size(self) -> int:
        """Number of free quantities."""
        return len(self._slots)

    def start(self) -> Array:
        """The state that the priors themselves describe."""
        return np.array([_read(self.coordinates[i].prior, what) for i, what in self._slots])

    def at(self, state: Array) -> tuple[Prior, ...]:
        """Give the priors that a state stands for."""
        priors = [coordinate.prior for coordinate in self.coordinates]
        for (index, what), value in zip(self._slots, state, strict=True):
            priors[index] = _written(priors[index], what, float(value))
        return tuple(priors)

    def log_density(self, state: Array, nodes: Array) -> Array:
        """Log density at the nodes (coordinates × nodes in, nodes out)."""
        priors = self.at(state)
        return sum(p.log_measure(NUMPY, x) for p, x in zip(priors, nodes, strict=True))

    def slopes(self, state: Array, nodes: Array) -> Array:
        """Derivatives of the log density in the state (state × nodes)."""
        priors = self.at(state)
        rows = [_slope(priors[i], what, nodes[i]) for i, what in self._slots]
        return np.stack(rows) if rows else np.zeros((0, nodes.shape[1]))

    def curvature(self, state: Array, nodes: Array) -> Array:
        """Second derivatives (state × state × nodes)."""
        priors, slots = self.at(state), self._slots
        found = np.zeros((len(slots), len(slots), nodes.shape[1]))
        for row, (i, what) in enumerate(slots):
            for column, (j, other) in enumerate(slots):
                if i == j:
                    found[row, column] = _curvature(priors[i], what, other, nodes[i])
        return found

    def updated(self, state: Array, nodes: Array, mass: Array) -> Array:
        """The state that maximises the expected log density of `mass`, and its own (`penalty`)."""
        found = {}
        for index in {index for index, _ in self._slots}:
            found[index] = _best_normal(self.coordinates[index], nodes[index], mass)
        values = [found[index][0 if what == "mean" else 1] for index, what in self._slots]
        return np.clip(np.array(values), *self.bounds())

    def rescaled(self, state: Array, location: float, scale: float) -> Array:
        """The state when the one coordinate is measured as (x − location)/scale."""
        moved = np.array(state, dtype=float)
        for slot, (_, what) in enumerate(self._slots):
            mean = what == "mean"
            moved[slot] = (state[slot] - location) / scale if mean else state[slot] - np.log(scale)
        return moved

    def mirrored(self, state: Array) -> Array:
        """The state when all coordinates change their sign."""
        signs = [-1.0 if what == "mean" else 1.0 for _, what in self._slots]
        return np.asarray(state) * np.array(signs)

    def bounds(self) -> Array:
        """Lowest and highest value of each part of the state (2 × state)."""
        lowest = [
            -_FARTHEST if what == "mean" else np.log(self.coordinates[index].least_sd)
            for index, what in self._slots
        ]
        return np.array([lowest, [_FARTHEST] * len(lowest)])

    def penalty(self, state: Array) -> tuple[float, Array, Array]:
        """Log density of the state itself with first and second derivatives (anchored ones)."""
        held = np.array([float(self.coordinates[i].is_anchored) for i, _ in self._slots])
        gap = (state - self.start()) * held
        return float(-0.5 * gap @ gap), -gap, -held


def _best_normal(coordinate: Coordinate, nodes: Array, mass: Array) -> tuple[float, float]:
    """Mean and log sd of the normal that describes `mass` best, as far as they are free.

    Anchored ones maximise n E[log density] − ½ (m − m₀)² − ½ (l − l₀)², l the log sd: the mean for
    a given sd in closed form and the log sd for a given mean by Newton's method, in turn.
    """
    total = mass.sum()
    share = mass / total
    start, start_log = _read(coordinate.prior, "mean"), _read(coordinate.prior, "log_sd")
    centre = float(share @ nodes)
    spread = float(share @ (nodes - centre) ** 2)
    held = float(coordinate.is_anchored)
    mean = centre if coordinate.is_mean_free else start
    log_sd = 0.5 * np.log(max(spread + (centre - mean) ** 2, 1e-12))
    if not coordinate.is_sd_free:
        log_sd = start_log
    for _ in range(_MOST_TURNS if coordinate.is_anchored else 0):
        before = mean, log_sd
        precision = total * np.exp(-2 * log_sd)
        if coordinate.is_mean_free:
            mean = (precision * centre + held * start) / (precision + held)
        if coordinate.is_sd_free:
            squares = precision * (spread + (centre - mean) ** 2)
            slope = squares - total - held * (log_sd - start_log)
            # A step of one e-fold at most: far below the answer the curvature is enormous.
            log_sd += float(np.clip(slope / (2 * squares + held), -1.0, 1.0))
        if abs(mean - before[0]) + abs(log_sd - before[1]) < _SETTLED:
            break
    return float(mean), float(log_sd)


def _normal(prior: Prior) -> Normal:
    assert isinstance(prior, Normal), "only normal coordinates have a free location or spread"
    return prior


def _read(prior: Prior, what: str) -> float:
    normal = _normal(prior)
    return normal.mean if what == "mean" else float(np.log(normal.sd))


def _written(prior: Prior, what: str, value: float) -> Prior:
    normal = _normal(prior)
    return (
        replace(normal, mean=value) if what == "mean" else replace(normal, sd=float(np.exp(value)))
    )


def _slope(prior: Prior, what: str, x: Array) -> Array:
    normal = _normal(prior)
    z = (x - normal.mean) / normal.sd
    return z / normal.sd if what == "mean" else z**2 - 1.0


def _curvature(prior: Prior, what: str, other: str, x: Array) -> Array:
    normal = _normal(prior)
    z = (x - normal.mean) / normal.sd
    if what != other:
        return -2.0 * z / normal.sd
    return np.full_like(x, -1.0 / normal.sd**2) if what == "mean" else -2.0 * z**2


def penalise(priors: Sequence[Prior | None], x: Array) -> tuple[float, Array, Array]:
    """Log prior of parameters that are point estimates, with its first two derivatives in x.

    Parameters
    ----------
    priors : one per column, None for a flat one.
    x : unbounded coordinates (entities × columns).
    """
    total, slope, bend = 0.0, np.zeros_like(x), np.zeros_like(x)
    for column, prior in enumerate(priors):
        if prior is not None:
            total += float(np.sum(prior.log_density(NUMPY, x[:, column])))
            slope[:, column] = prior.slope(NUMPY, x[:, column])
            bend[:, column] = prior.curvature(NUMPY, x[:, column])
    return total, slope, bend
