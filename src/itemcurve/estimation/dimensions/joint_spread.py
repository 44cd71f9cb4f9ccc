"""How uncertain both sides are together, where each side's own posterior takes the other as known.

Normal posteriors of one side given the other are too narrow: what is not known of the items adds to
what is not known of the abilities. The curvature of the joint log posterior has a block for every
respondent, a block for every item, and a coupling for every response,

    −∂²/∂θ∂(a, e) = I a (θ, 1)ᵀ − (score) [1 0],

so the covariance of one side is the inverse of a Schur complement, as large as the smaller side,
and that of the other follows from it. What moves all abilities together (origin, unit and, where
they are explored, the axes) is a matter of convention and no error.
"""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from itemcurve.estimation.dimensions.composite_cells import CellMoments
from itemcurve.estimation.dimensions.loading_pattern import LoadingPattern
from itemcurve.estimation.dimensions.normal_sides import flat, outer
from itemcurve.estimation.dimensions.variational_climb import Climb, Standing
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes

# Coordinates of the smaller side up to which all are inverted together, and products for that.
_MOST_COORDINATES = 2500
_MOST_PRODUCTS = 6e10
JOINT, APART = "joint curvature of respondents and items", "each side given the other"

RespondentMatrices = Annotated[Array, axes("respondents dimensions dimensions")]
ItemMatrices = Annotated[Array, axes("items coordinates coordinates")]


@dataclass(frozen=True, eq=False)
class Spread:
    """Covariances of both sides.

    Attributes
    ----------
    respondents, items : of each one's coordinates.
    kind : where they come from, in words.
    """

    respondents: RespondentMatrices
    items: ItemMatrices
    kind: str


def find_spread(climb: Climb, at: Standing) -> Spread:
    """Covariances of abilities and items, the uncertainty of the other side included.

    Of items without priors, origin and unit are those of the population that respondents are drawn
    from, and how well the sample tells them is part of the items' errors.
    """
    respondents, size = at.respondents.mean.shape
    items, width = at.items.mean.shape
    sides = respondents * size, items * width
    products = float(min(sides)) ** 2 * max(sides)
    if min(sides) > _MOST_COORDINATES or products > _MOST_PRODUCTS:
        return Spread(at.respondents.covariance, at.item_covariance, APART)
    curvature = _Curvature.at(climb, at)
    return curvature.over_respondents() if sides[0] <= sides[1] else curvature.over_items()


@dataclass(frozen=True, eq=False)
class _Curvature:
    """Blocks of the joint curvature; `coupling` is respondents × dimensions × items × width."""

    abilities: Annotated[Array, axes("respondents dimensions")]
    items: Annotated[Array, axes("items coordinates")]
    free: Annotated[Array, axes("items coordinates")]
    pattern: LoadingPattern
    of_respondents: RespondentMatrices
    of_items: ItemMatrices
    coupling: Array
    is_population_scale: bool

    @classmethod
    def at(cls, climb: Climb, standing: Standing) -> "_Curvature":
        size, free = climb.pattern.size, climb.free
        moments = _moments(climb, standing)
        mean, items = standing.respondents.mean, standing.items.mean
        slopes, design = items[:, :size], np.column_stack([mean, np.ones(len(mean))])
        own = (flat(outer(slopes)).T @ moments.information).T.reshape(-1, size, size)
        own = own + np.linalg.inv(standing.correlation)
        pairs = free[:, :, np.newaxis] & free[:, np.newaxis, :]
        other = _item_information(moments, design) + standing.prior.precision
        ridge = np.where(free, 1e-9, 1.0)[:, :, np.newaxis] * np.eye(items.shape[1])
        other = np.where(pairs, other, 0.0) + ridge
        coupling = _coupling(moments, slopes, design)
        coupling = coupling * free[np.newaxis, np.newaxis]
        is_held = climb.are_points
        return cls(mean, items, free, climb.pattern, own, other, coupling, is_held)

    def over_respondents(self) -> Spread:
        """Respondents are fewer: invert their Schur complement."""
        count, size = self.abilities.shape
        given = np.linalg.inv(self.of_items)
        # C Xᵀ of each item (items × width × respondents·dimensions).
        moved = np.einsum("jkl,ndjl->jknd", given, self.coupling, optimize=True)
        moved = moved.reshape(*self.items.shape, -1)
        crossed = self.coupling.transpose(2, 3, 0, 1).reshape(*self.items.shape, -1)
        schur = _block_diagonal(self.of_respondents)
        schur -= np.tensordot(crossed, moved, axes=((0, 1), (0, 1)))
        root = _root_without(schur, self._common_abilities())
        blocks = root.reshape(count, size, -1)
        own = blocks @ blocks.transpose(0, 2, 1)
        added = moved @ root
        total = given + added @ added.transpose(0, 2, 1)
        return Spread(own, self._masked(total), JOINT)

    def over_items(self) -> Spread:
        """Items are fewer: invert theirs."""
        count, width = self.items.shape
        given = np.linalg.inv(self.of_respondents)
        moved = np.einsum("nkl,nljw->nkjw", given, self.coupling, optimize=True)
        moved = moved.reshape(*self.abilities.shape, -1)
        crossed = self.coupling.reshape(*self.abilities.shape, -1)
        schur = _block_diagonal(self.of_items)
        schur -= np.tensordot(crossed, moved, axes=((0, 1), (0, 1)))
        root = _root_without(schur, self._common_items())
        added = moved @ root
        people = given + added @ added.transpose(0, 2, 1)
        if self.is_population_scale:
            blocks = root.reshape(count, width, -1)
            own = blocks @ blocks.transpose(0, 2, 1)
        else:
            own = self._from_the_mean(schur, given, moved)
        return Spread(people, self._masked(own), JOINT)

    def _from_the_mean(self, schur: Array, given: Array, moved: Array) -> ItemMatrices:
        """Covariances of items whose origin is the mean ability of the sample.

        With V the change of intercepts by one unit of origin, they are ω + V θ̄, and abilities given
        the items are −M ω + ε: hence (I − V M̄) ω + V ε̄. To leave the origin out of ω instead would
        say that intercepts of all items of an ability are right on average.
        """
        (count, width), size = self.items.shape, self.pattern.size
        is_origin = np.array([column == size for _, column in self._moves()])
        common = self._common_items()
        root = _root_without(schur, common[:, ~is_origin])
        shift = common[:, is_origin]
        root = root - shift @ (moved.mean(axis=0) @ root)
        blocks = root.reshape(count, width, -1)
        own = blocks @ blocks.transpose(0, 2, 1)
        mean = given.mean(axis=0) / len(given)
        origins = shift.reshape(count, width, -1)
        return own + origins @ mean @ origins.transpose(0, 2, 1)

    def _masked(self, covariance: ItemMatrices) -> ItemMatrices:
        return np.where(self.free[:, :, None] & self.free[:, None, :], covariance, 0.0)

    def _moves(self) -> list[tuple[int, int]]:
        """Which (ability, other ability or 1) moves leave the responses as they are."""
        size = self.pattern.size
        if self.is_population_scale:
            return []
        if self.pattern.is_exploratory:
            return [(row, column) for row in range(size) for column in range(size + 1)]
        return [(row, column) for row in range(size) for column in (row, size)]

    def _common_abilities(self) -> Array:
        """Directions in which all abilities move together (respondents·dimensions × moves)."""
        count, size = self.abilities.shape
        design = np.column_stack([self.abilities, np.ones(count)])
        found = np.zeros((len(self._moves()), count, size))
        for place, (row, column) in enumerate(self._moves()):
            found[place, :, row] = design[:, column]
        return found.reshape(len(found), -1).T

    def _common_items(self) -> Array:
        """The same seen from the items (items·width × moves)."""
        found = []
        for row, column in self._moves():
            move = np.zeros_like(self.items)
            move[:, column] = self.items[:, row]
            found.append((move * self.free).ravel())
        if self.is_population_scale and self.pattern.is_exploratory:
            found = self._turns()
        return np.array(found).reshape(-1, self.items.size).T

    def _turns(self) -> list[Array]:
        """Rotations of the axes, seen from the items."""
        found = []
        for row in range(self.pattern.size):
            for column in range(row):
                move = np.zeros_like(self.items)
                move[:, column], move[:, row] = self.items[:, row], -self.items[:, column]
                found.append(move.ravel())
        return found


def _moments(climb: Climb, at: Standing) -> CellMoments:
    from itemcurve.estimation.dimensions.normal_sides import predictors

    own = at.items.mean[:, climb.pattern.size + 1 :]
    return climb.cells.expect(*predictors(at.respondents, at.items), own)


def _item_information(moments: CellMoments, design: Array) -> ItemMatrices:
    width = design.shape[1]
    square = (moments.information @ flat(outer(design))).reshape(-1, width, width)
    if not len(moments.own_scores):
        return square
    crossed = np.stack([own @ design for own in moments.own_coupling], axis=2)
    inner = moments.own_information.sum(axis=3).transpose(2, 0, 1)
    return np.block([[square, crossed], [crossed.transpose(0, 2, 1), inner]])


def _coupling(moments: CellMoments, slopes: Array, design: Array) -> Array:
    """Blocks −∂²/∂θ∂ω of every response (respondents × dimensions × items × width)."""
    size = slopes.shape[1]
    linear = np.einsum("jn,jk,nl->nkjl", moments.information, slopes, design, optimize=True)
    for dimension in range(size):
        linear[:, dimension, :, dimension] -= moments.score.T
    if not len(moments.own_scores):
        return linear
    own = np.einsum("ojn,jk->nkjo", moments.own_coupling, slopes, optimize=True)
    return np.concatenate([linear, own], axis=3)


def _block_diagonal(blocks: Array) -> Array:
    count, width = blocks.shape[:2]
    found = np.zeros((count, width, count, width))
    found[np.arange(count), :, np.arange(count), :] = blocks
    return found.reshape(count * width, count * width)


def _root_without(curvature: Array, directions: Array) -> Array:
    """A root of the inverse on what is left when some directions are taken out.

    Directions that the data leave open beside these have no finite error; a curvature below that
    of a thousandth of one observation counts as such, and as no error.
    """
    basis = np.linalg.qr(directions)[0]
    inner = curvature - basis @ (basis.T @ curvature)
    inner = inner - (inner @ basis) @ basis.T
    values, vectors = np.linalg.eigh((inner + inner.T) / 2)
    least = 1e-3
    scale = np.where(values > least, 1.0 / np.sqrt(np.maximum(values, least)), 0.0)
    root = vectors * scale
    return root - basis @ (basis.T @ root)
