"""The log-likelihood of a bifactor pattern: given the general ability, groups are independent.

So however many groups there are, no integral has more than two dimensions (Gibbons and Hedeker
1992): over the general ability at nodes g_q, and at each of them, group by group, over the special
one at nodes s_r.

    log L = log Σ_q w_q Π_groups Σ_r w_r Π_items f(y | g_q, s_r)
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp, roots_hermitenorm

from itemcurve.estimation.dimensions.composite_cells import CellMoments, CompositeCells
from itemcurve.estimation.dimensions.loading_pattern import LoadingPattern
from itemcurve.estimation.dimensions.marginal_surface import Height
from itemcurve.estimation.dimensions.normal_sides import Normals
from itemcurve.estimation.dimensions.observed_information import add_item_blocks, item_scores
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes

_CELLS_AT_ONCE = 2**20
_WIDER = 1.15
"""A posterior of one ability alone has heavier tails than a normal one."""


class Axis(NamedTuple):
    """Nodes of one ability, those of each respondent around its posterior.

    Attributes
    ----------
    points : respondents × nodes.
    log_weight : logarithm of prior density times volume.
    """

    points: Annotated[Array, axes("respondents nodes")]
    log_weight: Annotated[Array, axes("respondents nodes")]


class _Group(NamedTuple):
    """Items of one group at the nodes of some respondents."""

    items: NDArray[np.intp]
    column: int
    """Their special ability; 0 where they have none."""
    at: CellMoments
    design: Array
    log_inner: Array
    """log Σ_r (respondents × general nodes)."""
    log_joint: Array
    """Before the sum (respondents × general nodes × special nodes)."""


@dataclass(frozen=True, eq=False)
class BifactorNodes:
    """Nodes of all abilities."""

    axes: tuple[Axis, ...]
    per_axis: int


@dataclass(frozen=True, eq=False)
class BifactorSurface:
    """Responses under a bifactor pattern, integrated at given nodes."""

    cells: CompositeCells
    pattern: LoadingPattern
    nodes: BifactorNodes

    @classmethod
    def placed(
        cls, cells: CompositeCells, pattern: LoadingPattern, posteriors: Normals, per_axis: int
    ) -> "BifactorSurface":
        """Nodes around these posteriors, ability by ability."""
        x, weights = roots_hermitenorm(per_axis)
        log_weights = np.log(weights / weights.sum()) + 0.5 * x**2
        found = []
        for column in range(pattern.size):
            spread = _WIDER * np.sqrt(posteriors.covariance[:, column, column])[:, np.newaxis]
            points = posteriors.mean[:, column : column + 1] + spread * x
            found.append(Axis(points, log_weights + np.log(spread) - 0.5 * points**2))
        return cls(cells, pattern, BifactorNodes(tuple(found), per_axis))

    @property
    def per_axis(self) -> int:
        """Nodes of one dimension."""
        return self.nodes.per_axis

    def around(self, posteriors: Normals, per_axis: int) -> "BifactorSurface":
        """The same with other nodes."""
        return self.placed(self.cells, self.pattern, posteriors, per_axis)

    def at(self, items: Array, correlation: Array) -> Height:
        """The log-likelihood of items; abilities are uncorrelated."""
        total, gradient = self.cells.base, np.zeros_like(items)
        mean = np.zeros((self.cells.shape[1], self.pattern.size))
        square = np.zeros_like(mean)
        for rows, groups in self._blocks(items):
            general = self.nodes.axes[0]
            log_general = general.log_weight[rows] + sum(own.log_inner for own in groups)
            height = logsumexp(log_general, axis=1, keepdims=True)
            total += float(height.sum())
            share = np.exp(log_general - height)
            mean[rows, 0] = (share * general.points[rows]).sum(axis=1)
            square[rows, 0] = (share * general.points[rows] ** 2).sum(axis=1)
            for own in groups:
                weight = _weights(own, share)
                self._add(gradient, own, weight.ravel())
                if own.column:
                    special = weight.sum(axis=1)
                    points = self.nodes.axes[own.column].points[rows]
                    mean[rows, own.column] = (special * points).sum(axis=1)
                    square[rows, own.column] = (special * points**2).sum(axis=1)
        spread = np.maximum(square - mean**2, 1e-8)[:, :, np.newaxis] * np.eye(self.pattern.size)
        return Height(total, gradient, np.eye(self.pattern.size), Normals(mean, spread))

    def information(
        self, items: Array, correlation: Array
    ) -> Annotated[Array, axes("estimated estimated")]:
        """Observed information, E[I] − Cov[s | y], of all items' coordinates, item by item.

        Given the general ability, scores of different groups are independent.
        """
        size, count = items.size, items.shape[1]
        known, missing = np.zeros((size, size)), np.zeros((size, size))
        for rows, groups in self._blocks(items):
            log_general = self.nodes.axes[0].log_weight[rows]
            log_general = log_general + sum(own.log_inner for own in groups)
            share = np.exp(log_general - logsumexp(log_general, axis=1, keepdims=True))
            given = np.zeros((*share.shape, size))
            for own in groups:
                weight = _weights(own, share)
                places = (own.items[:, np.newaxis] * count + np.arange(count)).ravel()
                design = np.zeros((len(own.design), self.pattern.size + 1))
                design[:, [0, *([own.column] if own.column else []), -1]] = own.design
                block = np.zeros((len(places), len(places)))
                add_item_blocks(block, own.at, design, weight.ravel())
                known[np.ix_(places, places)] += block
                scores = item_scores(own.at, design)
                missing[np.ix_(places, places)] += (scores * weight.reshape(-1, 1)).T @ scores
                inner = np.exp(own.log_joint - own.log_inner[:, :, np.newaxis])
                means = (scores.reshape(*inner.shape, -1) * inner[..., np.newaxis]).sum(axis=2)
                given[:, :, places] = means
                flat = means * np.sqrt(share)[:, :, np.newaxis]
                flat = flat.reshape(-1, len(places))
                missing[np.ix_(places, places)] -= flat.T @ flat
            scaled = (given * np.sqrt(share)[:, :, np.newaxis]).reshape(-1, size)
            missing += scaled.T @ scaled
            mean = (given * share[:, :, np.newaxis]).sum(axis=1)
            missing -= mean.T @ mean
        return known - missing

    def _blocks(self, items: Array) -> Iterator[tuple[slice, list[_Group]]]:
        """Respondents a few at a time, all groups at their nodes."""
        count, respondents = self.cells.shape
        size = max(1, _CELLS_AT_ONCE // (count * self.nodes.per_axis**2))
        for start in range(0, respondents, size):
            rows = slice(start, min(start + size, respondents))
            yield rows, [self._group(column, rows, items) for column in self._columns()]

    def _columns(self) -> list[int]:
        groups = self.pattern.groups
        assert groups is not None
        return sorted(set(groups.tolist()))

    def _group(self, column: int, rows: slice, items: Array) -> _Group:
        assert self.pattern.groups is not None
        own = np.flatnonzero(self.pattern.groups == column)
        general = self.nodes.axes[0].points[rows]
        if column:
            special = self.nodes.axes[column]
            points, log_weight = special.points[rows], special.log_weight[rows]
        else:
            points, log_weight = np.zeros((len(general), 1)), np.zeros((len(general), 1))
        shape = (*general.shape, points.shape[1])
        columns = [np.broadcast_to(general[:, :, np.newaxis], shape).ravel()]
        if column:
            columns.append(np.broadcast_to(points[:, np.newaxis], shape).ravel())
        design = np.column_stack([*columns, np.ones(np.prod(shape))])
        size = self.pattern.size
        linear = items[own][:, [0, *([column] if column else []), size]]
        cells = self._responses(own, rows, shape[1] * shape[2])
        at = cells.at(linear @ design.T, items[own, size + 1 :])
        log_joint = at.log_likelihood.sum(axis=0).reshape(shape) + log_weight[:, np.newaxis]
        return _Group(own, column, at, design, logsumexp(log_joint, axis=2), log_joint)

    def _responses(self, own: NDArray[np.intp], rows: slice, nodes: int) -> CompositeCells:
        channels = [np.repeat(c[own, rows], nodes, axis=1) for c in self.cells.channels]
        return replace(
            self.cells,
            channels=channels,
            held=self.cells.held[own],
            start=self.cells.start[own],
            log_base=np.zeros(0),
        )

    def _add(self, gradient: Array, own: _Group, weight: Array) -> None:
        size = self.pattern.size
        places = np.array([0, *([own.column] if own.column else []), size])
        found = own.at.score @ (own.design * weight[:, np.newaxis])
        gradient[np.ix_(own.items, places)] += found
        for place, score in enumerate(own.at.own_scores, start=size + 1):
            gradient[own.items, place] += score @ weight


def _weights(own: _Group, share: Array) -> Array:
    """Posterior weights of a group's nodes (respondents × general × special)."""
    inner = np.exp(own.log_joint - own.log_inner[:, :, np.newaxis])
    return share[:, :, np.newaxis] * inner
