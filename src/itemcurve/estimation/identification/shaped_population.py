"""Populations of abilities of other shapes than the normal.

A Davidian curve (Woods and Lin 2009; Zhang and Davidian 2001) is φ(u) P(u)², P a polynomial of
degree k. In orthonormal Hermite polynomials h_j, P = Σ c_j h_j / √Σ c_j² makes it integrate to one
whatever the c. One of them, the pivot, is held at one; all others at zero, with pivot 0, are the
normal.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.polynomial import hermite_e

from itemcurve.estimation.identification.population import Coordinate, Population
from itemcurve.models.priors import Normal, Prior
from itemcurve.numerics.engine import NUMPY, Array, Engine
from itemcurve.numerics.shapes import GroupNodes, PopulationNodes, State, StateMatrix, StateSlopes

_HALF_LOG_TWO_PI = 0.5 * float(np.log(2 * np.pi))
# Beyond, another pivot would serve.
_STEEPEST = 20.0
_NOTHING = 1e-12


def hermite(points: Array, degree: int) -> Array:
    """Orthonormal Hermite polynomials of degrees 0 to `degree` (degrees × points)."""
    scale = np.sqrt(np.cumprod(np.maximum(np.arange(degree + 1.0), 1.0)))
    return hermite_e.hermevander(points, degree).T / scale[:, None]


def davidian_slopes(points: Array, coefficients: Array) -> tuple[Array, Array]:
    """Derivatives of log φ(u) P(u)² in u (points), and in coefficients of P (degrees × points)."""
    own = hermite(points, len(coefficients) - 1)
    curve = coefficients @ own
    curve = np.where(np.abs(curve) < _NOTHING, _NOTHING, curve)
    # h_j′ = √j h_{j−1}
    bend = (np.sqrt(np.arange(1.0, len(coefficients))) * coefficients[1:]) @ own[:-1]
    scaled = 2 * coefficients / (coefficients @ coefficients)
    return 2 * bend / curve - points, 2 * own / curve - scaled[:, None]


@dataclass(frozen=True)
class DavidianPopulation(Population):
    """One coordinate, x = m + s u: what is free of m and log s, then c without its pivot."""

    degree: int = 2
    pivot: int = 0

    has_polynomial_scores = False

    @property
    def size(self) -> int:
        """Number of free quantities."""
        return self._n_base + self.degree

    @property
    def _n_base(self) -> int:
        ability = self.coordinates[0]
        return int(ability.is_mean_free) + int(ability.is_sd_free)

    def start(self) -> State:
        """The normal that the coordinate's prior is, where the pivot is 0."""
        return np.concatenate([self._base.start(), np.zeros(self.degree)])

    @cached_property
    def _base(self) -> Population:
        return Population(self.coordinates)

    def base(self, state: State) -> tuple[float, float]:
        """M and s."""
        prior = self._base.at(np.asarray(state)[: self._n_base])[0]
        assert isinstance(prior, Normal)
        return float(prior.mean), float(prior.sd)

    def moments(self, state: State) -> tuple[Array, Array]:
        """Mean and standard deviation (groups each: one)."""
        mean, sd = self.base(state)
        weights = self._weights(state)
        # u h_j = √(j+1) h_{j+1} + √j h_{j−1}.
        roots = np.sqrt(np.arange(1.0, self.degree + 2))
        moved = np.append(0.0, roots * weights)
        moved[: self.degree] += roots[: self.degree] * weights[1:]
        centre = float(weights @ moved[: self.degree + 1])
        spread = np.sqrt(max(float(moved @ moved) - centre**2, _NOTHING))
        return np.array([mean + sd * centre]), np.array([sd * spread])

    def _weights(self, state: State) -> Array:
        """Coefficients of P in orthonormal polynomials, squares adding up to one."""
        found = self.coefficients(state)
        return found / np.sqrt(found @ found)

    def coefficients(self, state: State) -> Array:
        """C."""
        return np.insert(np.asarray(state, dtype=float)[self._n_base :], self.pivot, 1.0)

    def priors_at(self, engine: Engine, state: Iterable[Any], group: int = 0) -> tuple[Prior, ...]:
        """The normal of the same mean and spread: what the scale of ability is told by."""
        mean, sd = self.moments(np.array([float(value) for value in state]))
        return (Normal(float(mean[0]), float(sd[0])),)

    def log_density(
        self, state: State, nodes: PopulationNodes, engine: Engine = NUMPY
    ) -> GroupNodes:
        """Log density at the nodes (1 × nodes)."""
        mean, sd = self.base(state)
        u = (nodes[0] - mean) / sd
        height = np.abs(self._weights(state) @ hermite(u, self.degree))
        found = 2 * np.log(np.maximum(height, _NOTHING)) - 0.5 * u**2
        return (found - np.log(sd) - _HALF_LOG_TWO_PI)[None, :]

    def slopes(self, state: State, nodes: PopulationNodes, engine: Engine = NUMPY) -> StateSlopes:
        """Derivatives of the log density in the state (1 × state × nodes)."""
        mean, sd = self.base(state)
        ability, c = self.coordinates[0], self.coefficients(state)
        along, inside = davidian_slopes((nodes[0] - mean) / sd, c)
        u = (nodes[0] - mean) / sd
        rows = [-along / sd] * ability.is_mean_free + [-1 - u * along] * ability.is_sd_free
        rows += list(np.delete(inside, self.pivot, axis=0))
        return np.stack(rows)[None, :, :]

    def gradient(
        self, state: State, nodes: PopulationNodes, mass: GroupNodes, engine: Engine = NUMPY
    ) -> State:
        """Gradient of the expected log density of `mass` (1 × nodes) in the state."""
        return np.asarray(self.slopes(state, nodes)[0] @ mass[0])

    def bounds(self) -> Array:
        """Lowest and highest value of each part of the state (2 × state)."""
        ends = np.full((2, self.degree), _STEEPEST) * [[-1.0], [1.0]]
        return np.hstack([self._base.bounds().reshape(2, self._n_base), ends])

    def penalty(self, state: State) -> tuple[float, State, State]:
        """Log density of what is anchored of the state, with its first two derivatives."""
        height, slope, bend = self._base.penalty(state[: self._n_base])
        rest = np.zeros(self.degree)
        return height, np.concatenate([slope, rest]), np.concatenate([bend, rest])


@dataclass(frozen=True, eq=False)
class KnownDensity(Population):
    """A density given at the nodes of one grid; nothing of it is estimated by a search.

    Attributes
    ----------
    log_heights : its logarithm at the nodes.
    """

    log_heights: Array

    @classmethod
    def of(cls, log_heights: Array, nodes: Array, quadrature: Array) -> "KnownDensity":
        """The density with its mean and spread."""
        mass = np.exp(log_heights) * quadrature
        mass = mass / mass.sum()
        mean = float(mass @ nodes)
        sd = float(np.sqrt(max(mass @ (nodes - mean) ** 2, _NOTHING)))
        return cls((Coordinate(Normal(mean, sd)),), log_heights)

    def moments(self, state: State) -> tuple[Array, Array]:
        """Mean and standard deviation (groups each: one)."""
        prior = self.coordinates[0].prior
        assert isinstance(prior, Normal)
        return np.array([prior.mean]), np.array([prior.sd])

    def log_density(
        self, state: State, nodes: PopulationNodes, engine: Engine = NUMPY
    ) -> GroupNodes:
        """Log density at the nodes (1 × nodes)."""
        return self.log_heights[None, :]


@dataclass(frozen=True)
class TiltedNormal(Population):
    """A normal times exp(t₁ h₃ + t₂ h₄), near t = 0: what skewed or peaked abilities look like.

    Means and spreads are free as far as the coordinate says; the tilt comes last in the state.
    """

    degrees = (3, 4)

    @cached_property
    def _base(self) -> Population:
        return Population(self.coordinates)

    def moments(self, state: State) -> tuple[Array, Array]:
        """Mean and standard deviation of the normal (groups each: one)."""
        prior = self.at(state)[0]
        assert isinstance(prior, Normal)
        return np.array([prior.mean]), np.array([prior.sd])

    @property
    def size(self) -> int:
        """Number of free quantities."""
        return self._base.size + len(self.degrees)

    def start(self) -> State:
        """No tilt."""
        return np.concatenate([self._base.start(), np.zeros(len(self.degrees))])

    def priors_at(self, engine: Engine, state: Iterable[Any], group: int = 0) -> tuple[Prior, ...]:
        """The normal."""
        return self._base.priors_at(engine, list(state)[: self._base.size], group)

    def log_density(
        self, state: State, nodes: PopulationNodes, engine: Engine = NUMPY
    ) -> GroupNodes:
        """Log density at the nodes: that of the normal, since the tilt is none."""
        return self._base.log_density(state[: self._base.size], nodes, engine)

    def slopes(self, state: State, nodes: PopulationNodes, engine: Engine = NUMPY) -> StateSlopes:
        """Derivatives of the log density in the state, where there is no tilt."""
        base = self._base.slopes(state[: self._base.size], nodes, engine)
        return np.concatenate([base, self._tilts(state, nodes)[None, :, :]], axis=1)

    def _tilts(self, state: State, nodes: PopulationNodes) -> Array:
        prior = self._base.at(state[: self._base.size])[0]
        assert isinstance(prior, Normal)
        u = (nodes[0] - prior.mean) / prior.sd
        return hermite(u, max(self.degrees))[list(self.degrees)]

    def gradient(
        self, state: State, nodes: PopulationNodes, mass: GroupNodes, engine: Engine = NUMPY
    ) -> State:
        """Gradient of the expected log density of `mass` in the state."""
        return np.asarray(self.slopes(state, nodes)[0] @ mass[0])

    def information(self, state: State, nodes: PopulationNodes, mass: GroupNodes) -> StateMatrix:
        """Minus the second derivatives of the expected log density (state × state)."""
        size, ability = self._base.size, self.coordinates[0]
        found = np.eye(self.size) * mass.sum()
        found[:size, :size] = self._base.information(state[:size], nodes, mass)
        prior = self._base.at(state[:size])[0]
        assert isinstance(prior, Normal)
        u = (nodes[0] - prior.mean) / prior.sd
        own, bends = hermite(u, max(self.degrees)), []
        if ability.is_mean_free:
            bends.append(np.full_like(u, 1 / prior.sd))
        if ability.is_sd_free:
            bends.append(u)
        for column, degree in enumerate(self.degrees, start=size):
            # −∂h_j/∂mean = √j h_{j−1} / sd, −∂h_j/∂log sd = √j h_{j−1} u
            for row, factor in enumerate(bends):
                value = mass[0] @ (np.sqrt(degree) * own[degree - 1] * factor)
                found[row, column] = found[column, row] = value
        return found

    def penalty(self, state: State) -> tuple[float, State, State]:
        """Log density of what is anchored of the state, with its first two derivatives."""
        height, slope, bend = self._base.penalty(state[: self._base.size])
        rest = np.zeros(len(self.degrees))
        return height, np.concatenate([slope, rest]), np.concatenate([bend, rest])

    def bounds(self) -> Array:
        """Lowest and highest value of each part of the state (2 × state)."""
        ends = np.full((2, len(self.degrees)), _STEEPEST) * [[-1.0], [1.0]]
        return np.hstack([self._base.bounds().reshape(2, self._base.size), ends])
