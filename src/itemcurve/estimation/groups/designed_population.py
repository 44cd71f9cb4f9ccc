"""A population of abilities whose mean and spread differ between respondents.

θ ~ N(d_g μ, exp(s_g λ)²) in group g, with rows d_g and s_g of a design. Covariates make nearly
every respondent a group of its own, so everything here is said of all groups at once.
"""

from dataclasses import dataclass

import numpy as np

from itemcurve.estimation.identification.population import Population
from itemcurve.models.priors import Normal
from itemcurve.numerics.engine import NUMPY, Array, Engine
from itemcurve.numerics.shapes import (
    GroupNodes,
    PopulationNodes,
    State,
    StateMatrix,
    StateSlopes,
)

_HALF_LOG_TWO_PI = 0.5 * float(np.log(2 * np.pi))


@dataclass(frozen=True)
class DesignedPopulation(Population):
    """One normal coordinate; groups differ as its design says."""

    is_base_free: tuple[bool, bool] = (False, False)
    """Whether mean and log sd of the first group are estimated, as the first term of each."""

    def moments(self, state: State) -> tuple[Array, Array]:
        """Mean and standard deviation of every group."""
        ability = self.coordinates[0]
        prior, design = ability.prior, ability.design
        assert isinstance(prior, Normal)
        n_means = design.mean.shape[1] if ability.is_mean_free else 0
        count = len(design.mean)
        means = design.mean @ state[:n_means] if n_means else np.full(count, prior.mean)
        logs = np.full(count, np.log(prior.sd))
        if ability.is_sd_free:
            logs = design.log_sd @ state[n_means:]
        return means, np.exp(logs)

    def log_density(
        self, state: State, nodes: PopulationNodes, engine: Engine = NUMPY
    ) -> GroupNodes:
        """Log density at the nodes (groups × nodes)."""
        z, sd = self._standardised(state, nodes)
        return -0.5 * z**2 - np.log(sd)[:, None] - _HALF_LOG_TWO_PI

    def slopes(self, state: State, nodes: PopulationNodes, engine: Engine = NUMPY) -> StateSlopes:
        """Derivatives of the log density in the state (groups × state × nodes)."""
        z, sd = self._standardised(state, nodes)
        in_mean, in_log = self._terms
        parts = [
            in_mean[:, :, None] * (z / sd[:, None])[:, None, :],
            in_log[:, :, None] * (z**2 - 1.0)[:, None, :],
        ]
        return np.concatenate(parts, axis=1)

    def gradient(
        self, state: State, nodes: PopulationNodes, mass: GroupNodes, engine: Engine = NUMPY
    ) -> State:
        """Gradient of the expected log density of `mass` (groups × nodes) in the state."""
        z, sd = self._standardised(state, nodes)
        in_mean, in_log = self._terms
        first = in_mean.T @ ((mass * z).sum(axis=1) / sd)
        second = in_log.T @ (mass * (z**2 - 1.0)).sum(axis=1)
        return np.concatenate([first, second])

    def information(self, state: State, nodes: PopulationNodes, mass: GroupNodes) -> StateMatrix:
        """Minus the second derivatives of the expected log density (state × state)."""
        z, sd = self._standardised(state, nodes)
        in_mean, in_log = self._terms
        total = mass.sum(axis=1)
        corner = in_mean.T @ (in_mean * (total / sd**2)[:, None])
        side = in_mean.T @ (in_log * (2.0 * (mass * z).sum(axis=1) / sd)[:, None])
        rest = in_log.T @ (in_log * (2.0 * (mass * z**2).sum(axis=1))[:, None])
        return np.block([[corner, side], [side.T, rest]])

    def penalty(self, state: State) -> tuple[float, State, State]:
        """Log density of the first group's mean and log sd, which priors of the items leave open.

        What sets groups apart is estimated as it is.
        """
        held = np.zeros(self.size)
        if self.coordinates[0].is_anchored:
            held[self._base_places] = 1.0
        gap = (state - self.start()) * held
        return -0.5 * float(gap @ gap), -gap, -held

    @property
    def _base_places(self) -> list[int]:
        """Places of the first group's own mean and log sd in the state."""
        n_means = self._terms[0].shape[1]
        return [
            place for place, is_free in zip((0, n_means), self.is_base_free, strict=True) if is_free
        ]

    @property
    def _terms(self) -> tuple[Array, Array]:
        """Designs of what is free (groups × terms each)."""
        ability = self.coordinates[0]
        mean, log_sd = ability.design.mean, ability.design.log_sd
        return (
            mean if ability.is_mean_free else mean[:, :0],
            log_sd if ability.is_sd_free else log_sd[:, :0],
        )

    def _standardised(self, state: State, nodes: PopulationNodes) -> tuple[GroupNodes, Array]:
        mean, sd = self.moments(np.asarray(state, dtype=float))
        return (nodes[0] - mean[:, None]) / sd[:, None], sd
