"""Abilities and items as parameters together: the objective with its derivatives.

F(t, x) = Σ log f(y | t, x) + log priors. Its information matrix is an arrow: items touch each
other only through abilities, and abilities only through items.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Annotated, Any, NamedTuple

import numpy as np

from itemcurve.estimation.identification.point_priors import penalise
from itemcurve.models.cells import Cells
from itemcurve.models.free_coordinates import free_cells, held_values, values_at
from itemcurve.models.likelihood import Likelihood
from itemcurve.models.priors import Prior, on_coordinate
from itemcurve.numerics.engine import NUMPY, Array, Engine, as_dense
from itemcurve.numerics.shapes import (
    ItemCoordinates,
    ItemCouplings,
    ItemMatrices,
    ItemsByRespondents,
    ItemValues,
    PerCoordinate,
    PerItem,
    PerRespondent,
    RespondentsByItems,
    axes,
)
from itemcurve.responses.matrix import Responses

# Cells that are evaluated at once: a dozen arrays of them stay in a processor's cache.
_BLOCK_CELLS = 2**14
_STEP = 1e-5
MOST_IN_CORNER = 1500
ABILITY_BOUNDS = (-12.0, 12.0)
BlockSums = tuple[
    PerItem, ItemCoordinates, PerRespondent, ItemMatrices, PerRespondent, ItemCouplings
]
"""What a block of items adds up to: heights, slopes of both sides, information."""


@dataclass(frozen=True, eq=False)
class Slopes:
    """The objective at a point, with the parts of its gradient and of its information.

    Attributes
    ----------
    item_values : log-likelihood and log prior of each item; `value`: of all, abilities' priors
        included; `log_likelihood` without priors.
    item_slope, ability_slope : gradient (items × free, respondents).
    item_matrix, ability_matrix, cross : information (items × free × free, respondents, items ×
        free × respondents), or in its place the sum of squared scores.
    """

    item_values: PerItem
    value: float
    log_likelihood: float
    item_slope: ItemCoordinates
    ability_slope: PerRespondent
    item_matrix: ItemMatrices
    ability_matrix: PerRespondent
    cross: ItemCouplings


class CellBlock(NamedTuple):
    """Some items by all respondents.

    Attributes
    ----------
    t : abilities, of everybody or of everybody for every item.
    x : coordinates of the items (items × free).
    held : values of their parameters that are held (items × parameters).
    channels : of their responses (items × respondents each).
    """

    t: Annotated[Array, axes("respondents"), axes("items respondents 1")]
    x: ItemCoordinates
    held: ItemValues
    channels: Sequence[ItemsByRespondents]

    def cells(self, engine: Engine, likelihood: Likelihood, order: int) -> Cells:
        """Give each cell's log-likelihood with `order` derivatives."""
        values = values_at(engine, likelihood.model, self.x, self.held)
        return likelihood.cells(engine, self.t, values, self.channels, order)


@dataclass(frozen=True, eq=False)
class JointProblem:
    """The data and the model; `x` are the items' free coordinates, `t` the abilities."""

    engine: Engine
    likelihood: Likelihood
    held: ItemValues
    blocks: tuple[tuple[Array, ...], ...]
    priors: tuple[Prior | None, ...]
    ability_prior: Prior | None = None
    free: ItemCoordinates | None = None

    @classmethod
    def build(
        cls,
        likelihood: Likelihood,
        responses: Responses,
        values: ItemValues,
        engine: Engine,
        has_priors: bool,
    ) -> "JointProblem":
        """Set the problem up around starting `values` (items × parameters)."""
        plain = cls(
            engine=engine,
            likelihood=likelihood,
            held=held_values(likelihood.model, values),
            free=free_cells(likelihood.model, len(values)),
            blocks=split_items(likelihood, responses, engine, _BLOCK_CELLS),
            priors=(None,) * len(likelihood.free),
        )
        return plain.with_priors() if has_priors else plain

    def with_priors(self) -> "JointProblem":
        """The same problem with the priors of items and abilities."""
        model = self.likelihood.model
        specs = [model.parameters[i] for i in self.likelihood.free]
        return replace(
            self,
            # Difficulties next to abilities: with the mode of one taken in (0, 1) and of the other
            # on the logit scale, the scale stretches (slope 1.65 for β³ at 12 × 400, else 1.02).
            priors=tuple(on_coordinate(spec.prior) for spec in specs),
            ability_prior=model.ability_prior,
        )

    @property
    def is_coupled(self) -> bool:
        """Whether the smaller side fits into the corner of the arrow, inverted on every step."""
        size = len(self.held) * len(self.likelihood.free)
        return bool(min(size, self.n_respondents) <= MOST_IN_CORNER)

    @property
    def n_respondents(self) -> int:
        """Number of respondents."""
        return int(self.blocks[0][0].shape[1])

    @property
    def bounds(self) -> Annotated[Array, axes("2 free")]:
        """Where the items' coordinates are kept (2 × free)."""
        specs = self.likelihood.model.parameters
        return np.transpose([specs[i].bounds for i in self.likelihood.free])

    @property
    def n_free(self) -> int:
        """How many item coordinates are estimated."""
        return len(self.held) * len(self.priors) if self.free is None else int(self.free.sum())

    def values(self, x: ItemCoordinates) -> ItemValues:
        """Item parameters at coordinates `x` (items × parameters)."""
        return values_at(NUMPY, self.likelihood.model, x, self.held)

    def evaluate(self, x: ItemCoordinates, t: PerRespondent) -> Slopes:
        """Objective, gradient and information at a point."""
        return self._with_priors(self._summed(_information, x, t), x, t)

    def observed(self, x: ItemCoordinates, t: PerRespondent) -> Slopes:
        """Put the observed information in place of the expected one."""
        return self._with_priors(self._summed(_observed, x, t), x, t)

    def squared_scores(self, x: ItemCoordinates, t: PerRespondent) -> Slopes:
        """Put the sums of squared scores of single cells in place of the information."""
        return self._summed(_squares, x, t)

    def _summed(self, function: Callable[..., Any], x: ItemCoordinates, t: PerRespondent) -> Slopes:
        compute = self.engine.compile(function, static=("engine", "likelihood"))
        parts = []
        for block in self.cell_blocks(x, t):
            found = compute(self.engine, self.likelihood, block)
            # Without a corner nobody needs the coupling, which is as large as the data.
            kept = found if self.is_coupled else (*found[:-1], found[-1][:, :, :0])
            parts.append([np.asarray(part) for part in kept])
        return joined(parts)

    def cell_blocks(self, x: ItemCoordinates, t: PerRespondent) -> Iterator[CellBlock]:
        """Give the items, block by block, at these coordinates and abilities."""
        place, start = self.engine.place, 0
        for channels in self.blocks:
            rows = slice(start, start + channels[0].shape[0])
            yield CellBlock(place(t), place(x[rows]), place(self.held[rows]), channels)
            start = rows.stop

    def _with_priors(self, slopes: Slopes, x: ItemCoordinates, t: PerRespondent) -> Slopes:
        height, slope, bend = penalise(self.priors, x, self.free)
        matrix = slopes.item_matrix.copy()
        diagonal = np.arange(x.shape[1])
        matrix[:, diagonal, diagonal] -= np.minimum(bend, 0.0)
        own, pull, curvature = penalise((self.ability_prior,), t[:, None])
        return Slopes(
            item_values=slopes.item_values + log_priors(self.priors, x, self.free),
            value=slopes.value + height + own,
            log_likelihood=slopes.log_likelihood,
            item_slope=slopes.item_slope + slope,
            ability_slope=slopes.ability_slope + pull[:, 0],
            item_matrix=matrix,
            ability_matrix=slopes.ability_matrix - np.minimum(curvature[:, 0], 0.0),
            cross=slopes.cross,
        )


def joined(parts: Sequence[Sequence[Array]]) -> Slopes:
    """Put blocks of items together, each with the six parts that `_reduced` gives."""
    ability_slope, ability_matrix = (sum(p[k] for p in parts) for k in (2, 4))
    heights, item_slope, item_matrix, cross = (
        np.concatenate([p[k] for p in parts]) for k in (0, 1, 3, 5)
    )
    return Slopes(
        item_values=heights,
        value=float(heights.sum()),
        log_likelihood=float(heights.sum()),
        item_slope=item_slope,
        ability_slope=np.array(ability_slope),
        item_matrix=item_matrix,
        ability_matrix=np.array(ability_matrix),
        cross=cross,
    )


def log_priors(
    priors: Sequence[Prior | None], x: ItemCoordinates, free: ItemCoordinates | None
) -> PerItem:
    """Log prior of each entity."""
    total = np.zeros(len(x))
    for column, prior in enumerate(priors):
        if prior is not None:
            own = prior.log_density(NUMPY, x[:, column])
            total += own if free is None else np.where(free[:, column], own, 0.0)
    return total


def split_items(
    likelihood: Likelihood, responses: Responses, engine: Engine, cells: int
) -> tuple[tuple[Array, ...], ...]:
    """Channels of the data in blocks of items (items × respondents each, plain arrays)."""
    n_respondents, n_items = responses.shape
    channels = likelihood.channels(responses)
    n_blocks = max(1, -(-n_items * n_respondents // cells))
    edges = np.linspace(0, n_items, min(n_blocks, n_items) + 1).astype(int)
    return tuple(
        tuple(_plain(engine, c, start, stop, n_respondents) for c in channels)
        for start, stop in pairwise(edges)
    )


def _plain(
    engine: Engine, channel: RespondentsByItems | None, start: int, stop: int, rows: int
) -> Annotated[Array, axes("kept respondents")]:
    if channel is None:
        return engine.place(np.ones((stop - start, rows)))
    part = channel[:, start:stop]
    return engine.place(np.ascontiguousarray(as_dense(part).T, dtype=float))


def _information(engine: Engine, likelihood: Likelihood, block: CellBlock) -> BlockSums:
    cells = block.cells(engine, likelihood, 2)
    return _reduced(engine, cells.log_likelihood, cells.scores, cells.information)


def _observed(engine: Engine, likelihood: Likelihood, block: CellBlock) -> BlockSums:
    """Second derivatives of each cell, as central differences of its exact scores.

    Moving all abilities at once, or one coordinate of all items, moves each cell by itself.
    """
    width = block.x.shape[1]
    units = engine.xp.eye(width)
    moves = [(1.0, 0.0 * units[0]), *((0.0, units[k]) for k in range(width))]

    def scores(in_t: float, in_x: PerCoordinate) -> list[ItemsByRespondents]:
        moved = block._replace(t=block.t + _STEP * in_t, x=block.x + _STEP * in_x)
        return moved.cells(engine, likelihood, 1).scores

    bends = []
    for in_t, in_x in moves:
        pairs = zip(scores(in_t, in_x), scores(-in_t, -in_x), strict=True)
        bends.append([(below - above) / (2 * _STEP) for above, below in pairs])
    size = range(width + 1)
    products = [[(bends[i][j] + bends[j][i]) / 2 for j in size] for i in size]
    cells = block.cells(engine, likelihood, 1)
    return _reduced(engine, cells.log_likelihood, cells.scores, products)


def _squares(engine: Engine, likelihood: Likelihood, block: CellBlock) -> BlockSums:
    cells = block.cells(engine, likelihood, 1)
    products = [[left * right for right in cells.scores] for left in cells.scores]
    return _reduced(engine, cells.log_likelihood, cells.scores, products)


def _reduced(
    engine: Engine,
    height: ItemsByRespondents,
    scores: list[ItemsByRespondents],
    products: list[list[ItemsByRespondents]],
) -> BlockSums:
    """Sums over respondents for items, over items for respondents."""
    stack = engine.xp.stack
    rows = [stack([entry.sum(axis=1) for entry in row[1:]], axis=1) for row in products[1:]]
    return (
        height.sum(axis=1),
        stack([score.sum(axis=1) for score in scores[1:]], axis=1),
        scores[0].sum(axis=0),
        stack(rows, axis=1),
        products[0][0].sum(axis=0),
        stack(products[0][1:], axis=1),
    )
