"""Curves of respondents interpolated along ability: special functions once per grid of items.

Curves depend on ability and node alone, not on the data, and abilities move little from one step
of a search to the next. So curves and their slopes are evaluated on a lattice of abilities, where
one is needed for the first time, and interpolated between: the log-likelihood of 100 respondents ×
1,000 items is right to 1e-5. Everything else of a fit is matrix products.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from itemcurve.estimation.marginal.factored_curves import FactoredCurve
from itemcurve.estimation.marginal.problem import EntitiesAtNodes
from itemcurve.models.curve_algebra import sandwich
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY, Array, Engine
from itemcurve.numerics.lattice_interpolation import HERMITE_NODES, hermite_weights
from itemcurve.numerics.shapes import (
    EntityCoordinates,
    EntityCurve,
    EntityMatrices,
    EntitySlope,
    NodePoints,
    PerRespondent,
    axes,
)

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# Curves of a discrimination a vary over abilities 1/a apart. With polynomials of degree seven,
# this step leaves errors of 1e-6 of a curve at a = 5.
_STEP = 0.15
# Fisher's information only guides steps: a coarser lattice and straight lines do.
_COARSE_STEP = 0.45


@dataclass(frozen=True, eq=False)
class InterpolatedCurves:
    """Curves of respondents at item parameters; `x` are abilities (respondents × 1)."""

    likelihood: Likelihood
    _table: dict[str, "CurveTable"] = field(default_factory=dict)

    @property
    def is_linear(self) -> bool:
        """Units are items here, whose curves bend with ability."""
        return False

    @property
    def is_compressed(self) -> bool:
        """Respondents are few: so are products with their curves."""
        return False

    def values(self, engine: Engine, at: EntitiesAtNodes) -> list[EntityCurve]:
        """Curves g_k (respondents × nodes)."""
        return self._at(at).derivatives(at.x[:, 0], 0)

    def factors(self, engine: Engine, at: EntitiesAtNodes) -> list[FactoredCurve]:
        """None: curves worth interpolating are no sums of few functions."""
        return []

    def slopes(self, engine: Engine, at: EntitiesAtNodes) -> list[list[EntitySlope]]:
        """Derivatives in ability."""
        return [self._at(at).derivatives(at.x[:, 0], 1)]

    def gradient(
        self, engine: Engine, at: EntitiesAtNodes, sums: Sequence[EntityCurve]
    ) -> EntityCoordinates:
        """Score of abilities."""
        slopes = self._at(at).derivatives(at.x[:, 0], 1)
        return sum(np.vecdot(s, g) for s, g in zip(sums, slopes, strict=True))[:, None]

    def score(
        self, engine: Engine, at: EntitiesAtNodes, sums: Sequence[EntityCurve]
    ) -> tuple[EntityCoordinates, EntityMatrices]:
        """Score of abilities, and Fisher information about them."""
        weight = self.likelihood.total_weight(sums)
        per_item = self._at(at).information(at.x[:, 0])
        return self.gradient(engine, at, sums), np.vecdot(weight, per_item)[:, None, None]

    def _at(self, at: EntitiesAtNodes) -> "CurveTable":
        """What is known at these nodes; of other nodes it is forgotten."""
        table = self._table.get("present")
        if table is None or table.points is not at.points:
            table = self._table["present"] = CurveTable(self.likelihood, at.points)
        return table


class CurveTable:
    """Curves, their slopes and information at nodes, on lattices of abilities that grow by need.

    Parameters
    ----------
    points : the nodes (nodes × parameters).
    """

    def __init__(self, likelihood: Likelihood, points: NodePoints) -> None:
        self.likelihood = likelihood
        self.points = points
        self._fine = _Rows(self._curves_at, _STEP)
        self._coarse = _Rows(self._information_at, _COARSE_STEP)

    def derivatives(self, abilities: PerRespondent, order: int) -> list[EntityCurve]:
        """Curves (order 0), or their derivatives in ability (respondents × nodes each)."""
        cells = np.floor(abilities / _STEP).astype(int)
        weights = hermite_weights(abilities / _STEP - cells, order) / _STEP**order
        places = cells[:, None] + HERMITE_NODES
        rows = self._fine.places(places)
        # Of every ability on the lattice the values stand in one row, the slopes in the next.
        both = np.concatenate([2 * rows, 2 * rows + 1], axis=1)
        matrix = _sparse(both, weights, 2 * self._fine.count)
        return [matrix @ part for part in self._fine.parts]

    def information(self, abilities: PerRespondent) -> EntityCurve:
        """Fisher information of a response about ability (respondents × nodes)."""
        cells = np.floor(abilities / _COARSE_STEP).astype(int)
        share = abilities / _COARSE_STEP - cells
        rows = self._coarse.places(cells[:, None] + np.arange(2))
        weights = np.stack([1 - share, share], axis=1)
        return _sparse(rows, weights, self._coarse.count) @ self._coarse.parts[0]

    def _curves_at(self, abilities: PerRespondent) -> list[Array]:
        """Values and slopes × step by turns (2 · abilities × nodes each)."""
        curves, slopes = self.likelihood.curves_and_slopes(NUMPY, abilities, self.points)
        return [
            np.stack(
                [
                    np.broadcast_to(c, curves[0].shape).T,
                    _STEP * np.broadcast_to(s, curves[0].shape).T,
                ],
                axis=1,
            ).reshape(-1, len(self.points))
            for c, s in zip(curves, slopes, strict=True)
        ]

    def _information_at(self, abilities: PerRespondent) -> list[Array]:
        """That of responses without ends: tails take long, and it only guides steps."""
        likelihood = self.likelihood
        eta = likelihood.natural(NUMPY, abilities, self.points)
        jacobian = likelihood.ability_jacobian(NUMPY, abilities, self.points)
        return [sandwich(jacobian, likelihood.model.family.covariance(NUMPY, eta), jacobian).T]


class _Rows:
    """Rows of arrays for places on a lattice, evaluated where they are first asked for."""

    def __init__(self, evaluate: Any, step: float) -> None:
        self.parts: list[Array] = []
        self._evaluate, self._step = evaluate, step
        self._place_of: dict[int, int] = {}

    @property
    def count(self) -> int:
        """How many places are known."""
        return len(self._place_of)

    def places(self, wanted: Annotated[Array, axes("respondents places")]) -> Array:
        """Where these places of the lattice stand among the known ones (same shape)."""
        distinct, inverse = np.unique(wanted, return_inverse=True)
        new = [int(place) for place in distinct if int(place) not in self._place_of]
        if new:
            found = self._evaluate(self._step * np.array(new))
            parts = zip(self.parts, found, strict=True) if self.parts else ()
            self.parts = [np.concatenate(pair) for pair in parts] or found
            self._place_of |= {place: self.count + k for k, place in enumerate(new)}
        rows = np.array([self._place_of[int(place)] for place in distinct])
        return rows[inverse].reshape(wanted.shape)


def _sparse(rows: Array, weights: Array, count: int) -> "csr_array":
    """A matrix with these weights in these columns of each of its rows."""
    from scipy.sparse import csr_array

    ends = np.arange(0, rows.size + 1, rows.shape[1])
    return csr_array((weights.ravel(), rows.ravel(), ends), shape=(len(rows), count))
