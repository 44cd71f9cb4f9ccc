"""What is known of every item once items are integrated out: moments, quantiles, probabilities."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from itemcurve.estimation.expectation import densities, log_densities
from itemcurve.estimation.over_items import OverItems
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY, Array
from itemcurve.numerics.integration import WithinBox

_QUANTILES = (0.05, 0.95)


@dataclass(frozen=True)
class ItemPosteriors:
    """Posteriors of all items at the abilities `x` and the population's `state`.

    Attributes
    ----------
    weights : with which values at the nodes average to posterior means (items × nodes). Of
        narrow posteriors they interpolate, and some are negative.
    nodes : item parameters at the nodes, in reported units (nodes × parameters).
    """

    problem: OverItems
    x: Array
    state: Array
    location: float
    unit: float
    weights: Array
    nodes: Array

    @classmethod
    def at(
        cls, problem: OverItems, x: Array, state: Array, location: float = 0.0, unit: float = 1.0
    ) -> "ItemPosteriors":
        """Integrate once more, and measure abilities as (θ − location)/unit."""
        found = densities(problem.side, x, state)
        weights = np.concatenate([np.asarray(density.weights) for density in found])
        nodes = problem.likelihood.model.rescale(problem.side.grid.points, location, unit)
        return cls(problem, x, state, location, unit, weights, nodes)

    @property
    def likelihood(self) -> Likelihood:
        """The likelihood, with the model in its population form."""
        return self.problem.likelihood

    def coordinate_sds(self) -> Array:
        """Standard deviations of the items' coordinates (items × coordinates)."""
        rows = self.problem.side.grid.coordinates
        return np.stack([self.sds(row, self.weights @ row) for row in rows], axis=1)

    def means(self) -> Array:
        """Posterior means of the parameters; those held are as they are (items × parameters)."""
        values = self.weights @ self.nodes
        specs = self.likelihood.model.parameters
        held = [i for i, spec in enumerate(specs) if not spec.is_free]
        values[:, held] = self.nodes[0, held]
        return values

    def sds(self, column: Array, mean: Array) -> Array:
        """Posterior standard deviations of a function of the nodes (items)."""
        return np.sqrt(np.maximum(self.weights @ column**2 - mean**2, 0.0))

    def covariances(self) -> Array:
        """Posterior covariances of the free parameters (items × free × free)."""
        columns = self.nodes[:, self.likelihood.free].T
        means = self.weights @ columns.T
        second = np.einsum("ig,ag,bg->iab", self.weights, columns, columns, optimize=True)
        return second - means[:, :, None] * means[:, None, :]

    def extras(self) -> dict[str, Array]:
        """Posterior quantiles, and the probability that a discrimination is negative."""
        names = [self.likelihood.model.parameters[i].name for i in self.likelihood.free]
        parts: dict[str, list[Array]] = {}
        for marginals in self._marginals():
            for name, (levels, mass) in zip(names, marginals, strict=True):
                for key, values in _summarised(name, levels, mass).items():
                    parts.setdefault(key, []).append(values)
        return {key: np.concatenate(values) for key, values in parts.items()}

    def _marginals(self) -> Iterator[list[tuple[Array, Array]]]:
        """For each block of items and each free parameter: levels and mass (items × levels)."""
        rule = self.problem.side.grid.rule
        axes = self.problem.axes.axes
        if not isinstance(rule, WithinBox):
            yield [self._at_nodes(axis) for axis in range(len(axes))]
            return
        for log_values in log_densities(self.problem.side, self.x, self.state):
            inside = rule.refine(self.problem.side.engine, log_values)
            yield [
                (
                    self._reported(
                        k, axis[0] + (axis[1] - axis[0]) * np.asarray(inside.positions[k])
                    ),
                    np.asarray(inside.marginal(k)),
                )
                for k, axis in enumerate(axes)
            ]

    def _at_nodes(self, axis: int) -> tuple[Array, Array]:
        axes = self.problem.axes.axes
        others = tuple(i + 1 for i in range(len(axes)) if i != axis)
        mass = self.weights.reshape(-1, *(len(a) for a in axes)).sum(axis=others)
        return np.broadcast_to(self._reported(axis, axes[axis]), mass.shape), mass

    def _reported(self, axis: int, coordinate: Array) -> Array:
        """One free parameter in reported units, from its unbounded coordinate."""
        index = self.likelihood.free[axis]
        model = self.likelihood.model
        values = np.repeat(self.problem.side.grid.points[:1], coordinate.size, axis=0)
        values[:, index] = model.parameters[index].transform.value(NUMPY, coordinate.ravel())
        moved = model.rescale(values, self.location, self.unit)
        return moved[:, index].reshape(coordinate.shape)


def _summarised(name: str, levels: Array, mass: Array) -> Mapping[str, Array]:
    """Quantiles of each item's posterior of one parameter (items × levels in, items out).

    The distribution function at the levels is the trapezoidal sum with its first Euler-Maclaurin
    correction; between levels it is interpolated on the probit scale, where a normal posterior
    is a straight line, however coarse the levels.
    """
    from scipy.special import ndtr, ndtri

    padded = np.pad(mass, ((0, 0), (1, 1)))
    share = np.cumsum(mass, axis=1) - mass / 2 - (padded[:, 2:] - padded[:, :-2]) / 24
    probits = np.maximum.accumulate(ndtri(np.clip(share, 1e-12, 1 - 1e-12)), axis=1)
    pairs = list(zip(probits, levels, strict=True))
    found = {
        f"{name}_{end}": np.array([np.interp(ndtri(q), row, level) for row, level in pairs])
        for end, q in zip(("lower", "upper"), _QUANTILES, strict=True)
    }
    if name == "discrimination":
        at_zero = [np.interp(0.0, level, row, left=-8.0, right=8.0) for row, level in pairs]
        found["probability_negative"] = ndtr(np.array(at_zero))
    return found
