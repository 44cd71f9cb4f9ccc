"""The graded rating scale model (Muraki 1990): grades whose thresholds lie alike for all items.

P(y ≥ k | θ) = σ(z_k),   z_k = a(θ − b − τ_k),   Σ τ_k = 0

Items differ by discrimination and difficulty; how far one grade lies from the next, on the scale of
ability, is told by all of them together. Gaps between intercepts are a·gap, so slopes are positive.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from itemcurve.models.formulas.graded_response import GAP, GradedResponse
from itemcurve.models.formulas.logistic import DISCRIMINATION
from itemcurve.models.formulas.ordered_categories import MEAN_INTERCEPT
from itemcurve.models.formulas.used_categories import Change, Position, all_used, used_spec
from itemcurve.models.parameters import ParameterSpec
from itemcurve.models.priors import LogNormal
from itemcurve.models.transforms import POSITIVE
from itemcurve.numerics import shapes
from itemcurve.numerics.engine import Array, add_up
from itemcurve.numerics.shapes import axes

_STEEPNESS = replace(DISCRIMINATION, transform=POSITIVE, prior=LogNormal(0.0, 0.5), limits=None)


@dataclass(frozen=True)
class GradedRatingScale(GradedResponse):
    """Grades that are as far apart for one item as for another."""

    @property
    def gap_spec(self) -> ParameterSpec:
        """In the unit of ability; what all items tell of together needs no prior."""
        return replace(GAP, is_common=True, prior=None)

    def gaps_of(self, values: shapes.ItemValues) -> list[shapes.ItemColumn]:
        """A·gap."""
        return [values[:, 0:1] * own for own in super().gaps_of(values)]

    def gaps_from(
        self, slope: shapes.PerItem, gaps: Annotated[Array, axes("items gaps")]
    ) -> Annotated[Array, axes("items gaps")]:
        """In the unit of ability."""
        return gaps / np.maximum(slope, 0.2)[:, None]

    def predictor_changes(
        self, at: Position, values: shapes.ItemValues, slope: shapes.CurveSlope, index: int
    ) -> tuple[Change, Change]:
        """With the slope, gaps between intercepts grow too."""
        changes, gap_changes = super().predictor_changes(at, values, slope, index)
        if index:
            return changes, gap_changes
        ways = [super(GradedRatingScale, self).gap_changes(at, values, k) for k in self._places]
        gaps = super().gaps_of(values)
        grown = [_scaled(gap, way) for gap, way in zip(gaps, ways, strict=True)]
        return _added(changes, [own[0] for own in grown]), _added(
            gap_changes, [own[1] for own in grown]
        )

    def gap_changes(
        self, at: Position, values: shapes.ItemValues, step: int
    ) -> tuple[Change, Change]:
        """By a for each 1 of ability."""
        return _scaled(values[:, 0:1], super().gap_changes(at, values, step))

    def rescale(
        self, values: shapes.ItemValues, location: shapes.PerItemOrOne, scale: shapes.PerItemOrOne
    ) -> shapes.ItemValues:
        """Gaps are measured in the unit of ability, as difficulties are."""
        moved = super().rescale(values, location, scale)
        gaps = [own[:, 0] / scale for own in super().gaps_of(values)]
        columns = [moved[:, 0], moved[:, 1], *gaps, values[:, -1]]
        return values.__array_namespace__().stack(columns, axis=1)

    @property
    def _places(self) -> range:
        return range(1, self.categories - 1)


def _scaled(factor: shapes.ItemColumn, way: tuple[Change, Change]) -> tuple[Change, Change]:
    first, second = way
    return tuple(factor * own for own in first), tuple(factor * own for own in second)


def _added(changes: Change, others: Sequence[Change]) -> Change:
    """What several changes do together, step by step."""
    return tuple(add_up(parts) for parts in zip(changes, *others, strict=True))


_CODES = (0.0, 1.0, 2.0, 3.0, 4.0)
_TWO = GradedRatingScale(
    "grsm",
    (_STEEPNESS, MEAN_INTERCEPT, used_spec(all_used(2))),
    _CODES[:2],
    has_common_gaps=True,
)
GRADED_RATING_SCALE = replace(_TWO.with_categories(_CODES), is_open=True)
