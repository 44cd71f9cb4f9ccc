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

    def coordinate_moments(
        self,
    ) -> tuple[
        Annotated[Array, axes("items coordinates")], Annotated[Array, axes("items coordinates")]
    ]:
        """Means and standard deviations of the items' coordinates (items × coordinates)."""
        rows = self.problem.marginal.grid.coordinates
        means = self.weights @ rows.T
        second = self.weights @ (rows**2).T
        return means, np.sqrt(np.maximum(second - means**2, 0.0))

    def _distributions(self) -> Iterator[list[tuple[ItemLevels, ItemLevels]]]:
        rule = self.problem.marginal.grid.rule
        axes = self.problem.axes.axes
        if not isinstance(rule, WithinBox):
            yield [self._at_nodes(axis) for axis in range(len(axes))]
            return
        marginal = self.problem.marginal
        for log_values in log_densities(marginal, self.x, self.state):
            inside = rule.refine(marginal.engine, log_values + marginal.grid.log_quadrature)
            yield [
                (
                    self._reported(k, axis.at(np.asarray(inside.positions[k]))),
                    share_below(np.asarray(inside.marginal(k))),
                )
                for k, axis in enumerate(axes)
            ]

    def _at_nodes(self, axis: int) -> tuple[ItemLevels, ItemLevels]:
        axes = self.problem.axes.axes
        others = tuple(i + 1 for i in range(len(axes)) if i != axis)
        mass = self.weights.reshape(-1, *self.problem.axes.shape).sum(axis=others)
        levels = self._reported(axis, axes[axis].nodes)
        return np.broadcast_to(levels, mass.shape), share_below(mass)
