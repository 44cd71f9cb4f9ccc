"""Posteriors of items that are integrated on one grid for all."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from itemcurve.estimation.marginal.e_step import densities, log_densities
from itemcurve.estimation.marginal.over_items.item_posteriors import ItemPosteriors, share_below
from itemcurve.estimation.marginal.over_items.item_problem import ItemProblem
from itemcurve.numerics.engine import Array
from itemcurve.numerics.integration import WithinBox
from itemcurve.numerics.shapes import EntityCoordinates, ItemLevels, State, axes


@dataclass(frozen=True)
class GridPosteriors(ItemPosteriors):
    """Posteriors at the abilities `x` and the population's `state`."""

    problem: ItemProblem
    x: EntityCoordinates
    state: State

    @classmethod
    def at(
        cls,
        problem: ItemProblem,
        x: EntityCoordinates,
        state: State,
        location: float = 0.0,
        unit: float = 1.0,
    ) -> "GridPosteriors":
        """Integrate once more, and measure abilities as (θ − location)/unit."""
        found = densities(problem.marginal, x, state)
        weights = np.concatenate([np.asarray(density.weights) for density in found])
        nodes = problem.likelihood.model.rescale(problem.marginal.grid.points, location, unit)
        return cls(problem.likelihood, weights, nodes, location, unit, problem, x, state)

    def coordinate_sds(self) -> Annotated[Array, axes("items coordinates")]:
        """Standard deviations of the items' coordinates (items × coordinates)."""
        rows = self.problem.marginal.grid.coordinates
        return np.stack([self.sds(row, self.average(row)) for row in rows], axis=1)

    def _distributions(self) -> Iterator[list[tuple[ItemLevels, ItemLevels]]]:
        rule = self.problem.marginal.grid.rule
        axes = self.problem.axes.axes
        if not isinstance(rule, WithinBox):
            yield [self._at_nodes(axis) for axis in range(len(axes))]
            return
        for log_values in log_densities(self.problem.marginal, self.x, self.state):
            inside = rule.refine(self.problem.marginal.engine, log_values)
            yield [
                (
                    self._reported(
                        k, axis[0] + (axis[1] - axis[0]) * np.asarray(inside.positions[k])
                    ),
                    share_below(np.asarray(inside.marginal(k))),
                )
                for k, axis in enumerate(axes)
            ]

    def _at_nodes(self, axis: int) -> tuple[ItemLevels, ItemLevels]:
        axes = self.problem.axes.axes
        others = tuple(i + 1 for i in range(len(axes)) if i != axis)
        mass = self.weights.reshape(-1, *(len(a) for a in axes)).sum(axis=others)
        return np.broadcast_to(self._reported(axis, axes[axis]), mass.shape), share_below(mass)
