"""Items integrated out, each on nodes of its own: for posteriors that no shared grid resolves.

Of Γ's errors some are known to a factor of two and others to a thousandth, so the posteriors of
some items are a thousand times narrower than those of others, and they are bent. Here each item has
its own nested nodes, laid anew wherever the abilities go. That costs one density per response and
node, where a shared grid needs matrix products alone; in return there is nothing to interpolate.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from itemcurve.estimation.identification.point_priors import penalise
from itemcurve.estimation.identification.population import Coordinate, Population
from itemcurve.estimation.marginal.over_items.conditional_item_densities import (
    ConditionalDensities,
)
from itemcurve.estimation.marginal.over_items.item_grid import prior_range
from itemcurve.estimation.marginal.over_items.narrow_item_posteriors import NarrowItems
from itemcurve.models.cell_derivatives import cell_derivatives
from itemcurve.models.likelihood import Likelihood
from itemcurve.models.parameters import Role
from itemcurve.models.priors import LogNormal
from itemcurve.numerics.adaptive_cubature import (
    FULL,
    LEAST,
    LITTLE,
    SHARP,
    Points,
    Ridge,
    Straying,
    find_ridge,
    follow_ridge,
)
from itemcurve.numerics.engine import NUMPY, Array, as_dense
from itemcurve.numerics.shapes import (
    Curve,
    Estimated,
    EstimatedMatrix,
    ItemsByRespondents,
    ItemValues,
    PerItem,
    PerNode,
    PerRespondent,
    PerRow,
    PopulationNodes,
    State,
    axes,
)
from itemcurve.responses.matrix import Responses

# Responses × nodes evaluated at once.
_CELLS = 2**17
_ABILITY_BOUNDS = (-12.0, 12.0)
_LEAST_SD = 0.15
# Beyond this, the logit of a probability is lost in rounding.
_FARTHEST = 30.0
# Items whose inner coordinate is known this well, given the outer one, have normal peaks.
_SHARP_WIDTH = 0.02
# Responses that leave little of a prior in an item's posterior.
_MANY_RESPONDENTS = 50
_ROUGH = Points(11, 3)


@dataclass(frozen=True)
class PerItemPoint:
    """What is known at some abilities and population.

    Attributes
    ----------
    parameters : abilities, then the population's state.
    objective : marginal log-likelihood plus log priors.
    gradient : of the objective.
    information : observed information of the objective; empty where not asked for.
    scale : expected squares of each parameter's scores, the unit of its damping: the complete-data
        information near the solution, and more where responses fit badly.
    ridge : where the items' posteriors lie.
    """

    parameters: Estimated
    log_likelihood: float
    objective: float
    gradient: Estimated
    information: EstimatedMatrix
    scale: Estimated
    ridge: Ridge


@dataclass(frozen=True)
class ItemsOnNodes:
    """A block of items at their nodes: weights are items × nodes, what follows is flat."""

    rows: PerItem
    weights: Curve
    log_integrals: PerItem
    coordinates: PopulationNodes
    values: Annotated[Array, axes("nodes parameters")]
    scores: Annotated[Array, axes("nodes respondents")]
    bends: Annotated[Array, axes("nodes|0 respondents")]
    """Second derivatives in ability; empty where not asked for."""

    def of(self, is_kept: PerItem) -> "ItemsOnNodes":
        """Some items of the block."""
        if is_kept.all():
            return self
        flat = np.repeat(is_kept, self.weights.shape[1])
        return ItemsOnNodes(
            self.rows[is_kept],
            self.weights[is_kept],
            self.log_integrals[is_kept],
            self.coordinates[:, flat],
            self.values[flat],
            self.scores[flat],
            self.bends[flat] if len(self.bends) else self.bends,
        )


@dataclass(frozen=True)
class PerItemProblem:
    """The problem with items integrated out on nodes of their own; two free item parameters.

    Attributes
    ----------
    channels : items × respondents each.
    held : values of all item parameters where they are fixed (items × parameters).
    """

    likelihood: Likelihood
    channels: tuple[ItemsByRespondents, ...]
    held: ItemValues
    population: Population
    points: Points
    bounds: tuple[tuple[float, float], ...] = (_ABILITY_BOUNDS,)
    free: None = None

    @classmethod
    def build(
        cls, likelihood: Likelihood, responses: Responses, population: Population
    ) -> "PerItemProblem":
        """Set the problem up; `likelihood` has the model in its population form."""
        n_respondents, n_items = responses.shape
        ones = np.ones((n_items, n_respondents))
        channels = tuple(
            ones if c is None else np.ascontiguousarray(as_dense(c.T), dtype=float)
            for c in likelihood.channels(responses)
        )
        specs = likelihood.model.parameters
        columns = [np.nan_to_num(spec.held(n_items)) for spec in specs]
        coordinates = [replace(c, least_sd=_LEAST_SD) for c in population.coordinates]
        return cls(
            likelihood,
            channels,
            np.stack(columns, axis=1).astype(float),
            Population(tuple(coordinates)),
            FULL if n_respondents < _MANY_RESPONDENTS else SHARP,
        )

    @property
    def n_items(self) -> int:
        """Number of items."""
        return len(self.held)

    def blunted(self, power: float) -> "PerItemProblem":
        """The problem with every likelihood raised to a power, and integrated in passing."""
        channels = tuple(power * channel for channel in self.channels)
        return replace(self, channels=channels, points=_ROUGH)

    def split(self, parameters: Estimated) -> tuple[PerRespondent, State]:
        """Abilities and the population's state."""
        count = self.channels[0].shape[1]
        return parameters[:count], parameters[count:]

    def evaluate(
        self,
        parameters: Estimated,
        near: Ridge | None = None,
        *,
        with_information: bool = True,
        allowed: Straying = LITTLE,
    ) -> PerItemPoint:
        """Integrate the items out.

        Parameters
        ----------
        near : where the posteriors lay at parameters near by; None to look for them everywhere.
        allowed : how far they may have strayed from there.
        """
        abilities, state = self.split(parameters)
        if near is None:
            across, span = self._across(abilities, state)
            ridge = find_ridge(across, self.n_items, span, self.points.outer)
            blocks = self.at_nodes(abilities, state, ridge, with_information)
        else:
            ridge = near.on(self.points.outer).copy()
            blocks = self._followed(abilities, state, ridge, with_information, allowed)
        size = len(parameters)
        total, gradient, information = 0.0, np.zeros(size), np.zeros((size, size))
        squares = np.zeros(size)
        for block in blocks:
            total += float(block.log_integrals.sum())
            weight = block.weights.ravel()
            slopes = self.scores_of(block, state)
            weighted = slopes * weight[:, None]
            means = weighted.reshape(*block.weights.shape, size).sum(axis=1)
            gradient += means.sum(axis=0)
            squares += np.vecdot(slopes.T, weighted.T)
            if with_information:
                information += self._information(abilities, state, ridge, block, slopes, means)
        prior = self.likelihood.model.ability_prior
        penalty, push, bend = penalise((prior,), abilities[:, None])
        state_penalty, state_push, state_bend = self.population.penalty(state)
        diagonal = np.concatenate([-bend[:, 0], -state_bend])
        return PerItemPoint(
            parameters,
            total,
            total + penalty + state_penalty,
            gradient + np.concatenate([push[:, 0], state_push]),
            information + np.diag(diagonal),
            squares + 1.0,
            ridge,
        )

    def evaluate_carefully(self, parameters: Estimated, near: Ridge) -> PerItemPoint:
        """Integrate on nodes that lie where the mass is, as differences of sums at them ask for."""
        inside = self.clipped(parameters)
        laid = self.evaluate(inside, near, with_information=False, allowed=LEAST)
        return self.evaluate(inside, laid.ridge)

    def clipped(self, parameters: Estimated) -> Estimated:
        """Keep parameters inside their bounds."""
        x, state = self.split(parameters)
        bounded = np.clip(state, *self.population.bounds())
        return np.concatenate([np.clip(x, *_ABILITY_BOUNDS), bounded])

    def stretched(self, parameters: Estimated, log_factor: float) -> Estimated:
        """Multiply abilities, and divide the discriminations of the population, by a factor."""
        abilities, state = self.split(parameters)
        state = state.copy()
        place, slope = self._slope_in_state()
        is_log = isinstance(slope.prior, LogNormal)
        if slope.is_mean_free:
            mean = state[place]
            state[place] = mean - log_factor if is_log else mean * np.exp(-log_factor)
        if slope.is_sd_free and not is_log:
            state[place + int(slope.is_mean_free)] -= log_factor
        return self.clipped(np.concatenate([abilities * np.exp(log_factor), state]))

    def _slope_in_state(self) -> tuple[int, Coordinate]:
        """Where the population's state speaks of discriminations, and how it describes them."""
        place = 0
        specs = [self.likelihood.model.parameters[i] for i in self.likelihood.free]
        for spec, coordinate in zip(specs, self.population.coordinates, strict=True):
            if spec.role is Role.SLOPE:
                return place, coordinate
            place += coordinate.is_mean_free + coordinate.is_sd_free
        raise AssertionError("items on nodes of their own have a slope")

    def at_nodes(
        self,
        abilities: PerRespondent,
        state: State,
        ridge: Ridge,
        with_bends: bool = False,
        items: PerRow | None = None,
    ) -> Iterator[ItemsOnNodes]:
        """Give items, all when none are named, block by block with posteriors at their nodes."""
        items = np.arange(self.n_items) if items is None else items
        per_item = self.points.outer * self.points.inner * self.channels[0].shape[1]
        size = max(1, _CELLS // per_item)
        for start in range(0, len(items), size):
            yield self._on_nodes(items[start : start + size], abilities, state, ridge, with_bends)

    def scores_of(
        self, block: ItemsOnNodes, state: State
    ) -> Annotated[Array, axes("nodes estimated")]:
        """Scores of abilities and state at the nodes of a block."""
        return np.hstack([block.scores, self.population.slopes(state, block.coordinates)[0].T])

    def _followed(
        self,
        abilities: PerRespondent,
        state: State,
        ridge: Ridge,
        with_bends: bool,
        allowed: Straying,
    ) -> Iterator[ItemsOnNodes]:
        """Give items at their nodes, which are laid anew where mass has left them.

        A peak that has moved by a part of its width is where its mass says; those that have gone
        further are looked for together: each look asks for many densities of few items.
        """
        strays, lost = [], []
        for block in self.at_nodes(abilities, state, ridge, with_bends):
            moved, has_moved, is_lost = ridge.of(block.rows).following(block.weights, allowed)
            is_stray = has_moved | is_lost
            ridge.put(block.rows[is_stray], moved.of(is_stray))
            strays.append(block.rows[is_stray])
            lost.append(block.rows[is_lost])
            yield block.of(~is_stray)
        items = np.concatenate(lost)
        if items.size:
            across, span = self._across(abilities, state)
            ridge.put(items, follow_ridge(across, items, span, ridge.of(items)))
        yield from self.at_nodes(abilities, state, ridge, with_bends, np.concatenate(strays))

    def _on_nodes(
        self,
        rows: PerRow,
        abilities: PerRespondent,
        state: State,
        ridge: Ridge,
        with_bends: bool,
    ) -> ItemsOnNodes:
        outer, inner, volume = ridge.of(rows).nodes(self.points.inner)
        flat = np.repeat(rows, outer.shape[1])
        coordinates = np.stack([outer.ravel(), inner.ravel()])
        values, channels = self.values_at(flat, coordinates), self.channels_of(flat)
        pairs = ((0, 0),) if with_bends else ()
        cells = cell_derivatives(
            self.likelihood, NUMPY, abilities, values, channels, (None,), pairs
        )
        logs = cells.total.sum(axis=1) + self.population.log_density(state, coordinates)[0]
        logs = logs.reshape(outer.shape) + volume
        top = logs.max(axis=1, keepdims=True)
        mass = np.exp(logs - top)
        sums = mass.sum(axis=1, keepdims=True)
        return ItemsOnNodes(
            rows,
            mass / sums,
            (top + np.log(sums))[:, 0],
            coordinates,
            values,
            cells.slopes[0],
            cells.bends[0] if with_bends else np.zeros((0, len(abilities))),
        )

    def _across(
        self, abilities: PerRespondent, state: State
    ) -> tuple[ConditionalDensities, tuple[float, float]]:
        """Items along their inner coordinate, and the range of the outer one to look in."""
        span = prior_range(self.population.at(state)[0])
        return ConditionalDensities(self, abilities, state), span

    def _information(
        self,
        abilities: PerRespondent,
        state: State,
        ridge: Ridge,
        block: ItemsOnNodes,
        slopes: Annotated[Array, axes("nodes estimated")],
        means: Annotated[Array, axes("items estimated")],
    ) -> EstimatedMatrix:
        """What a block of items adds to the observed information.

        Louis (1982): the complete-data curvature, less how the scores vary within items. The latter
        take nearly all of the former away, so that an error of 1e-5 would count.
        """
        count = len(abilities)
        is_sharp = ridge.width[block.rows].max(axis=1) < _SHARP_WIDTH
        weight = np.where(is_sharp[:, None], 0.0, block.weights).ravel()
        smooth = means[~is_sharp]
        found = smooth.T @ smooth - slopes.T @ (slopes * weight[:, None])
        found[np.diag_indices(count)] -= weight @ block.bends
        found[count:, count:] += self.population.information(
            state, block.coordinates, weight[None, :]
        )
        if is_sharp.any():
            rows, points = block.rows[is_sharp], ridge.outer.shape[1]
            sharp = NarrowItems(
                self.likelihood,
                self.population,
                np.repeat(rows, points),
                self.channels,
                self.values_at,
                np.stack([ridge.outer[rows].ravel(), ridge.peak[rows].ravel()]),
                abilities,
                state,
            )
            mass = block.weights[is_sharp].reshape(len(rows), points, -1).sum(axis=2)
            found += sharp.information(mass)
        return found

    def values_at(
        self, rows: PerNode, coordinates: PopulationNodes
    ) -> Annotated[Array, axes("nodes parameters")]:
        """Values of all parameters of these items (nodes × parameters)."""
        values = self.held[rows]
        for index, column in zip(self.likelihood.free, coordinates, strict=True):
            transform = self.likelihood.model.parameters[index].transform
            values[:, index] = transform.value(NUMPY, np.clip(column, -_FARTHEST, _FARTHEST))
        return values

    def channels_of(self, rows: PerNode) -> list[Annotated[Array, axes("nodes respondents")]]:
        """Channels of these items (nodes × respondents each)."""
        return [channel[rows] for channel in self.channels]
