"""The population that one side of the data is drawn from, described at the nodes of a grid.

Over respondents it is the distribution of abilities; over items, that of item parameters. Both
are products of priors of single coordinates; of a normal one, location and spread can be
estimated together with everything else (empirical Bayes).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp, log
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

import numpy as np

from itemcurve.models.priors import Normal, Prior, join_prior
from itemcurve.numerics.engine import NUMPY, Array, Engine, add_up
from itemcurve.numerics.shapes import (
    GroupNodes,
    PerNode,
    PopulationNodes,
    State,
    StateMatrix,
    StateSlopes,
    axes,
)
from itemcurve.numerics.symmetric_matrices import decompose

_FARTHEST = 20.0
_MOST_TURNS = 50
# From the best unanchored values, compiled code takes these without looking: an anchor weighs as
# much as one unit, so each turn gains digits by their number.
_COMPILED_TURNS = 8
_SETTLED = 1e-12


@dataclass(frozen=True, eq=False)
class Design:
    """How the means and log sds of groups of units depend on what is estimated.

    A group's mean is its row of `mean` times as many free terms, its log sd its row of `log_sd`
    times others: an indicator of every group gives each a mean of its own, covariates a regression
    (each distinct row of them is a group). The first term of each starts at the prior's own value,
    so its column is one wherever no other term speaks.

    Attributes
    ----------
    mean, log_sd : groups × terms.
    """

    mean: Annotated[Array, axes("groups means")]
    log_sd: Annotated[Array, axes("groups log_sds")]


ONE_GROUP = Design(np.ones((1, 1)), np.ones((1, 1)))


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
    design: Design = ONE_GROUP
    """How groups of units differ."""


class Slot(NamedTuple):
    """One free quantity: of which coordinate, mean or log sd, and its column of the design."""

    coordinate: int
    what: Literal["mean", "log_sd"]
    terms: Annotated[Array, axes("groups")]
    """The column of the design (groups)."""
    is_first: bool


@dataclass(frozen=True)
class Population:
    """A product of coordinates; `state` holds the free means and log standard deviations.

    Units may come from several groups, each with its own mean and standard deviation: what is said
    of nodes is then said group by group.
    """

    coordinates: tuple[Coordinate, ...]

    has_polynomial_scores: ClassVar[bool] = True
    """Whether derivatives in the state are polynomials of the latent value: few terms carry their
    covariance within a unit."""

    @cached_property
    def _slots(self) -> list[Slot]:
        found: list[Slot] = []
        for index, coordinate in enumerate(self.coordinates):
            design = coordinate.design
            if coordinate.is_mean_free:
                columns = enumerate(design.mean.T)
                found += [Slot(index, "mean", column, place == 0) for place, column in columns]
            if coordinate.is_sd_free:
                columns = enumerate(design.log_sd.T)
                found += [Slot(index, "log_sd", column, place == 0) for place, column in columns]
        return found

    @property
    def size(self) -> int:
        """Number of free quantities."""
        return len(self._slots)

    def state_names(self, coordinates: Sequence[str]) -> list[str]:
        """What each part of the state is, given names of the coordinates."""
        words = {"mean": "mean", "log_sd": "spread"}
        return [f"{words[slot.what]} of {coordinates[slot.coordinate]}" for slot in self._slots]

    @property
    def n_groups(self) -> int:
        """Number of groups of units."""
        return max(len(coordinate.design.mean) for coordinate in self.coordinates)

    def start(self) -> State:
        """The state that the priors themselves describe."""
        return np.array(
            [
                _read(self.coordinates[slot.coordinate].prior, slot.what) if slot.is_first else 0.0
                for slot in self._slots
            ]
        )

    def at(self, state: State, group: int = 0) -> tuple[Prior, ...]:
        """Give the priors that a state stands for in a group."""
        return self.priors_at(NUMPY, [float(value) for value in state], group)

    def priors_at(self, engine: Engine, state: Iterable[Any], group: int = 0) -> tuple[Prior, ...]:
        """The same for a state of single numbers, of plain ones or of those of compiled code."""
        priors = [coordinate.prior for coordinate in self.coordinates]
        found: dict[tuple[int, str], Any] = {}
        for slot, value in zip(self._slots, state, strict=True):
            key = slot.coordinate, slot.what
            found[key] = found.get(key, 0.0) + value * float(slot.terms[group])
        for (index, what), value in found.items():
            priors[index] = _written(engine, priors[index], what, value)
        return tuple(priors)

    def log_density(
        self, state: State, nodes: PopulationNodes, engine: Engine = NUMPY
    ) -> GroupNodes:
        """Log density at the nodes (coordinates × nodes in, groups × nodes out)."""
        priors = [self.priors_at(engine, state, group) for group in self._groups]
        return engine.xp.stack([_log_density(engine, own, nodes) for own in priors])

    def slopes(self, state: State, nodes: PopulationNodes, engine: Engine = NUMPY) -> StateSlopes:
        """Derivatives of the log density in the state (groups × state × nodes)."""
        if not self._slots:
            return engine.xp.zeros((self.n_groups, 0, nodes.shape[1]))
        found = []
        for group in self._groups:
            priors = self.priors_at(engine, state, group)
            own = [
                float(slot.terms[group])
                * _slope(priors[slot.coordinate], slot.what, nodes[slot.coordinate])
                for slot in self._slots
            ]
            found.append(engine.xp.stack(own))
        return engine.xp.stack(found)

    def curvature(
        self, state: State, nodes: PopulationNodes
    ) -> Annotated[Array, axes("groups state state nodes")]:
        """Second derivatives (groups × state × state × nodes)."""
        slots = self._slots
        found = np.zeros((self.n_groups, len(slots), len(slots), nodes.shape[1]))
        for group in self._groups:
            priors = self.at(state, group)
            for row, slot in enumerate(slots):
                for column, other in enumerate(slots):
                    if slot.coordinate == other.coordinate:
                        place = slot.coordinate
                        own = _curvature(priors[place], slot.what, other.what, nodes[place])
                        found[group, row, column] = slot.terms[group] * other.terms[group] * own
        return found

    def gradient(
        self, state: State, nodes: PopulationNodes, mass: GroupNodes, engine: Engine = NUMPY
    ) -> State:
        """Gradient of the expected log density of `mass` (groups × nodes) in the state."""
        slopes = self.slopes(state, nodes, engine)
        return add_up(own @ at for own, at in zip(slopes, mass, strict=True))

    def information(self, state: State, nodes: PopulationNodes, mass: GroupNodes) -> StateMatrix:
        """Minus the second derivatives of the expected log density (state × state)."""
        bends = self.curvature(state, nodes)
        return -add_up(own @ at for own, at in zip(bends, mass, strict=True))

    @property
    def is_plain(self) -> bool:
        """Whether no design makes groups differ, so that `updated` needs no search."""
        return all(coordinate.design is ONE_GROUP for coordinate in self.coordinates)

    def updated(
        self, state: State, nodes: PopulationNodes, mass: GroupNodes, engine: Engine = NUMPY
    ) -> State:
        """The state that maximises the expected log density of `mass`, and its own (`penalty`)."""
        if not self._slots:
            return state
        if not self.is_plain:
            return self._ascended(state, nodes, mass)
        found = {}
        for index in {slot.coordinate for slot in self._slots}:
            total = mass[0].sum()
            centre = mass[0] @ nodes[index] / total
            spread = mass[0] @ (nodes[index] - centre) ** 2 / total
            found[index] = best_normal(self.coordinates[index], total, centre, spread, engine)
        values = [found[slot.coordinate][slot.what == "log_sd"] for slot in self._slots]
        return engine.xp.clip(engine.xp.stack(values), *self.bounds())

    def _ascended(self, state: State, nodes: PopulationNodes, mass: GroupNodes) -> State:
        """The same for any design, by Newton's method."""

        def height(at: State) -> float:
            return float((self.log_density(at, nodes) * mass).sum()) + self.penalty(at)[0]

        for _ in range(_MOST_TURNS):
            _, pull, bend = self.penalty(state)
            gradient = self.gradient(state, nodes, mass) + pull
            matrix = self.information(state, nodes, mass) + np.diag(1e-9 - bend)
            values, axes = decompose(matrix)
            step = axes @ ((axes.T @ gradient) / np.maximum(np.abs(values), 1e-9))
            step = np.clip(step, -1.0, 1.0)
            before = height(state)
            for share in (1.0, 0.25, 0.05, 0.0):
                moved = np.clip(state + share * step, *self.bounds())
                if height(moved) >= before:
                    break
            change = float(np.abs(moved - state).max())
            state = moved
            if change < _SETTLED:
                break
        return state

    def rescaled(
        self, state: State, location: float, scale: float, engine: Engine = NUMPY
    ) -> State:
        """The state when the one coordinate is measured as (x − location)/scale."""
        xp, moved = engine.xp, []
        for slot, value in zip(self._slots, state, strict=True):
            if slot.what == "mean":
                moved.append((value - location * slot.is_first) / scale)
            else:
                moved.append(value - xp.log(scale) if slot.is_first else value)
        return xp.stack(moved) if moved else state

    def mirrored(self, state: State) -> State:
        """The state when all coordinates change their sign."""
        signs = [-1.0 if slot.what == "mean" else 1.0 for slot in self._slots]
        return np.asarray(state) * np.array(signs)

    def bounds(self) -> Annotated[Array, axes("2 state")]:
        """Lowest and highest value of each part of the state (2 × state)."""
        lowest = [
            np.log(self.coordinates[slot.coordinate].least_sd)
            if slot.what == "log_sd" and slot.is_first
            else -_FARTHEST
            for slot in self._slots
        ]
        return np.array([lowest, [_FARTHEST] * len(lowest)])

    def penalty(self, state: State) -> tuple[float, State, State]:
        """Log density of the state itself with first and second derivatives (anchored ones)."""
        held = np.array([float(self.coordinates[s.coordinate].is_anchored) for s in self._slots])
        gap = (state - self.start()) * held
        return -0.5 * (gap @ gap), -gap, -held

    @property
    def _groups(self) -> range:
        return range(self.n_groups)


def _log_density(engine: Engine, priors: tuple[Prior, ...], nodes: PopulationNodes) -> PerNode:
    return add_up(p.log_measure(engine, x) for p, x in zip(priors, nodes, strict=True))


class _PlainNumbers:
    """What a search for two numbers needs of NumPy, at a tenth of the time."""

    exp, log, maximum = staticmethod(exp), staticmethod(log), staticmethod(max)

    @staticmethod
    def clip(value: float, lowest: float, highest: float) -> float:
        """The nearest number between two ends."""
        return min(max(value, lowest), highest)


def best_normal(
    coordinate: Coordinate, total: float, centre: float, spread: float, engine: Engine = NUMPY
) -> tuple[float, float]:
    """Mean and log sd of the normal that describes a sample best, as far as they are free.

    Anchored ones maximise n E[log density] − ½ (m − m₀)² − ½ (l − l₀)², l the log sd: the mean for
    a given sd in closed form and the log sd for a given mean by Newton's method, in turn.

    Parameters
    ----------
    total, centre, spread : size, mean and variance of the sample.
    """
    xp: Any = _PlainNumbers if isinstance(centre, float) else engine.xp
    start, start_log = _read(coordinate.prior, "mean"), _read(coordinate.prior, "log_sd")
    mean = centre if coordinate.is_mean_free else start + 0.0 * centre
    log_sd = 0.5 * xp.log(xp.maximum(spread + (centre - mean) ** 2, 1e-12))
    if not coordinate.is_sd_free:
        log_sd = start_log + 0.0 * centre
    if not coordinate.is_anchored:
        return mean, log_sd

    def turn(at: tuple[Any, Any]) -> tuple[Any, Any]:
        mean, log_sd = at
        precision = total * xp.exp(-2 * log_sd)
        if coordinate.is_mean_free:
            mean = (precision * centre + start) / (precision + 1.0)
        if coordinate.is_sd_free:
            squares = precision * (spread + (centre - mean) ** 2)
            slope = squares - total - (log_sd - start_log)
            # A step of one e-fold at most: far below the answer the curvature is enormous.
            log_sd = log_sd + xp.clip(slope / (2 * squares + 1.0), -1.0, 1.0)
        return mean, log_sd

    found: tuple[float, float] = engine.settle(
        turn, (mean, log_sd), _is_settled, _MOST_TURNS, _COMPILED_TURNS
    )
    return found


def _is_settled(before: tuple[float, float], after: tuple[float, float]) -> bool:
    return abs(after[0] - before[0]) + abs(after[1] - before[1]) < _SETTLED


def _normal(prior: Prior | None) -> Normal:
    assert isinstance(prior, Normal), "only normal coordinates have a free location or spread"
    return prior


def _read(prior: Prior, what: str) -> float:
    normal = _normal(prior)
    return normal.mean if what == "mean" else float(np.log(normal.sd))


def _written(engine: Engine, prior: Prior, what: str, value: Any) -> Prior:
    normal = _normal(prior)
    if what == "mean":
        return join_prior(type(normal), (value, normal.sd))
    sd = exp(value) if isinstance(value, float) else engine.xp.exp(value)
    return join_prior(type(normal), (normal.mean, sd))


def _slope(prior: Prior, what: str, x: PerNode) -> PerNode:
    normal = _normal(prior)
    z = (x - normal.mean) / normal.sd
    return z / normal.sd if what == "mean" else z**2 - 1.0


def _curvature(prior: Prior, what: str, other: str, x: PerNode) -> PerNode:
    normal = _normal(prior)
    z = (x - normal.mean) / normal.sd
    if what != other:
        return -2.0 * z / normal.sd
    return np.full_like(x, -1.0 / normal.sd**2) if what == "mean" else -2.0 * z**2
