"""What is known of every item once items are integrated out: moments, quantiles, probabilities."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from itemcurve.estimation.marginal.over_items.monotone_interpolation import interpolate_rows
from itemcurve.models.likelihood import Likelihood
from itemcurve.models.parameters import ParameterSpec, Role
from itemcurve.numerics.engine import NUMPY, Array
from itemcurve.numerics.shapes import (
    ItemLevels,
    ItemMatrices,
    ItemValues,
    PerItem,
    SameShape,
    SharedNodes,
    axes,
)

_QUANTILES = (0.05, 0.95)


@dataclass(frozen=True)
class ItemPosteriors(ABC):
    """Posteriors of all items, each as weights of nodes.

    Attributes
    ----------
    likelihood : with the model in its population form.
    weights : with which values at the nodes average to posterior means (items × nodes). Of
        narrow posteriors they may interpolate, and some are negative.
    nodes : item parameters at the nodes, in reported units: nodes × parameters where items share
        them, items × nodes × parameters where they do not.
    location, unit : abilities are reported as (θ − location)/unit.
    """

    likelihood: Likelihood
    weights: Annotated[Array, axes("items nodes")]
    nodes: Annotated[Array, axes("nodes parameters"), axes("items nodes parameters")]
    location: float
    unit: float

    def average(self, column: SharedNodes) -> PerItem:
        """Posterior means of a function of the nodes (items)."""
        return self.weights @ column if column.ndim == 1 else np.vecdot(self.weights, column)

    def means(self) -> ItemValues:
        """Posterior means of the parameters; those held are as they are (items × parameters)."""
        columns = []
        for index, spec in enumerate(self.likelihood.model.parameters):
            column = self.nodes[..., index]
            held = np.broadcast_to(column[..., 0], len(self.weights))
            columns.append(self.average(column) if spec.is_free else held)
        return np.stack(columns, axis=1)

    def reported(self) -> dict[str, SharedNodes]:
        """What tables show, at the nodes (items ×, where they are not shared, nodes)."""
        flat = self.nodes.reshape(-1, self.nodes.shape[-1])
        columns = self.likelihood.model.report(flat)
        return {name: c.reshape(self.nodes.shape[:-1]) for name, c in columns.items()}

    @property
    def basis(self) -> str:
        """What the errors of items are, in words."""
        return "exact item posteriors, given the abilities"

    def error(self, name: str, column: SharedNodes, mean: PerItem) -> PerItem:
        """Standard errors of a reported column, given at the nodes (items)."""
        return self.sds(column, mean)

    def sds(self, column: SharedNodes, mean: PerItem) -> PerItem:
        """Posterior standard deviations of a function of the nodes (items)."""
        return np.sqrt(np.maximum(self.average(column**2) - mean**2, 0.0))

    def covariances(self) -> ItemMatrices:
        """Posterior covariances of the free parameters (items × free × free)."""
        columns = [self.nodes[..., index] for index in self.likelihood.free]
        means = np.stack([self.average(column) for column in columns], axis=1)
        second = [[self.average(a * b) for b in columns] for a in columns]
        return np.moveaxis(np.array(second), 2, 0) - means[:, :, None] * means[:, None, :]

    def extras(self) -> dict[str, PerItem]:
        """Posterior quantiles, and the probability that a discrimination is negative."""
        specs = [self.likelihood.model.parameters[i] for i in self.likelihood.free]
        parts: dict[str, list[Array]] = {}
        for distributions in self._distributions():
            for spec, (levels, share) in zip(specs, distributions, strict=True):
                for key, values in _summarised(spec, levels, share).items():
                    parts.setdefault(key, []).append(values)
        return {key: np.concatenate(values) for key, values in parts.items()}

    @abstractmethod
    def _distributions(self) -> Iterator[list[tuple[ItemLevels, ItemLevels]]]:
        """For each block of items and each free parameter: levels, and the share below them.

        Both are items × levels.
        """

    def _reported(self, axis: int, coordinate: SameShape) -> SameShape:
        """One free parameter in reported units, from its unbounded coordinate."""
        index = self.likelihood.free[axis]
        model = self.likelihood.model
        values = np.repeat(
            self.nodes.reshape(-1, self.nodes.shape[-1])[:1], coordinate.size, axis=0
        )
        values[:, index] = model.parameters[index].transform.value(NUMPY, coordinate.ravel())
        moved = model.rescale(values, self.location, self.unit)
        return moved[:, index].reshape(coordinate.shape)


def share_below(mass: ItemLevels) -> ItemLevels:
    """Distribution function at evenly spaced levels, of the mass there (items × levels).

    The trapezoidal sum with its first Euler-Maclaurin correction.
    """
    padded = np.pad(mass, ((0, 0), (1, 1)))
    return np.cumsum(mass, axis=1) - mass / 2 - (padded[:, 2:] - padded[:, :-2]) / 24


def _summarised(
    spec: ParameterSpec, levels: ItemLevels, share: ItemLevels
) -> Mapping[str, PerItem]:
    """Quantiles of each item's posterior of one parameter (items × levels in, items out).

    Between levels the distribution function is interpolated on the probit scale, where a normal
    posterior is a straight line, however coarse the levels.
    """
    from scipy.special import ndtr, ndtri

    probits = np.maximum.accumulate(ndtri(np.clip(share, 1e-12, 1 - 1e-12)), axis=1)
    found = {
        f"{spec.name}_{end}": interpolate_rows(probits, levels, float(ndtri(q)))
        for end, q in zip(("lower", "upper"), _QUANTILES, strict=True)
    }
    if spec.role is Role.SLOPE:
        at_zero = interpolate_rows(levels, probits, 0.0)
        at_zero = np.where(levels[:, 0] > 0, -8.0, np.where(levels[:, -1] < 0, 8.0, at_zero))
        found["probability_negative"] = ndtr(at_zero)
    return found
