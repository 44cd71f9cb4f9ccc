"""From parameters to the two numbers of every row: log odds η and weight of a tie τ.

    η = d_j a_i (s_a − s_b) + γ + γ_j + x β ± e_i        τ = τ₀ + τ_j + τ_i

s strengths, γ the advantage of side a, β effects of style x; of a judge j its discrimination d,
advantage and ties; of an item i its discrimination a, ties, and how hard it is to beat the
reference there (e, added where the reference is on side a, subtracted where it is on side b).
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from itemcurve.pairs.model.davidson import NEVER
from itemcurve.pairs.model.parameter_layout import (
    ITEM_DIFFICULTY,
    ITEM_SLOPE,
    ITEM_TIES,
    JUDGE_ORDER,
    JUDGE_SLOPE,
    JUDGE_TIES,
    ORDER,
    STRENGTH,
    STYLE,
    TIES,
    Layout,
    PairValues,
)
from itemcurve.pairs.votes.vote_data import Codes, Floats
from itemcurve.pairs.votes.vote_rows import VoteRows

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Entry = tuple[Codes, Floats]


@dataclass(frozen=True, eq=False)
class Codings:
    """Which judge and item each row has among those with parameters of their own, −1 for none.

    Attributes
    ----------
    reference_side : +1 where the reference is on side a, −1 where it is on side b, 0 elsewhere.
    """

    judge: Codes
    item: Codes
    reference_side: Floats


def predict_rows(values: PairValues, rows: VoteRows, codings: Codings) -> tuple[Floats, Floats]:
    """Give η and τ of every row."""
    judge, item = codings.judge, codings.item
    gap = values.strengths[rows.first] - values.strengths[rows.second]
    eta = values.judge_slopes[judge] * values.item_slopes[item] * gap + values.order
    eta = eta + values.judge_order[judge] + rows.style @ values.style
    eta = eta + codings.reference_side * values.item_difficulties[item]
    if values.ties is None:
        return eta, np.full(len(rows), NEVER)
    return eta, values.ties + values.judge_ties[judge] + values.item_ties[item]


def predictor_jacobians(
    layout: Layout, values: PairValues, rows: VoteRows, codings: Codings
) -> "tuple[csr_array[Any, Any], csr_array[Any, Any]]":
    """Give ∂η and ∂τ in all parameters (rows × parameters)."""
    judge, item = codings.judge, codings.item
    slope_j, slope_i = values.judge_slopes[judge], values.item_slopes[item]
    gap = values.strengths[rows.first] - values.strengths[rows.second]
    ones = np.ones(len(rows))
    both: list[tuple[str, Codes, Floats]] = [
        (STRENGTH, rows.first, slope_j * slope_i),
        (STRENGTH, rows.second, -slope_j * slope_i),
        (ORDER, np.zeros(len(rows), dtype=np.int64), ones),
        (JUDGE_SLOPE, judge, slope_i * gap),
        (JUDGE_ORDER, judge, ones),
        (ITEM_SLOPE, item, slope_j * gap),
        (ITEM_DIFFICULTY, item, codings.reference_side),
    ]
    for place, column in enumerate(rows.style.T):
        both.append((STYLE, np.full(len(rows), place), column))
    ties = [
        (TIES, np.zeros(len(rows), dtype=np.int64), ones),
        (JUDGE_TIES, judge, ones),
        (ITEM_TIES, item, ones),
    ]
    return _matrix(layout, both, len(rows)), _matrix(layout, ties, len(rows))


def strength_curvature(
    layout: Layout, values: PairValues, rows: VoteRows, codings: Codings, residual: Floats
) -> "csr_array[Any, Any] | None":
    """Give Σ residual · ∂²η, which discriminations add to the second derivatives; None without any.

    Of ∂²η only products of a strength with a discrimination, and of two discriminations, are left.
    """
    from scipy.sparse import coo_array

    judge, item = codings.judge, codings.item
    gap = values.strengths[rows.first] - values.strengths[rows.second]
    slope_j, slope_i = values.judge_slopes[judge], values.item_slopes[item]
    pairs = [
        (STRENGTH, rows.first, JUDGE_SLOPE, judge, slope_i),
        (STRENGTH, rows.second, JUDGE_SLOPE, judge, -slope_i),
        (STRENGTH, rows.first, ITEM_SLOPE, item, slope_j),
        (STRENGTH, rows.second, ITEM_SLOPE, item, -slope_j),
        (JUDGE_SLOPE, judge, ITEM_SLOPE, item, gap),
    ]
    found = [
        (_places(layout, left, left_codes), _places(layout, right, right_codes), data * residual)
        for left, left_codes, right, right_codes, data in pairs
        if _has(layout, left) and _has(layout, right)
    ]
    if not found:
        return None
    left, right, data = (np.concatenate(part) for part in zip(*found, strict=True))
    shape = (layout.size, layout.size)
    half = coo_array((data, (left, right)), shape).tocsr()
    return half + half.T


def _matrix(
    layout: Layout, entries: list[tuple[str, Codes, Floats]], count: int
) -> "csr_array[Any, Any]":
    """Lay entries out, as many in each row."""
    from scipy.sparse import csr_array

    own = [
        (_places(layout, name, codes), data) for name, codes, data in entries if _has(layout, name)
    ]
    if not own:
        return csr_array((count, layout.size))
    places = np.stack([place for place, _ in own], axis=1)
    data = np.stack([values for _, values in own], axis=1)
    starts = np.arange(0, count * len(own) + 1, len(own))
    return csr_array((data.ravel(), places.ravel(), starts), (count, layout.size))


def _has(layout: Layout, name: str) -> bool:
    return name in layout.slices or name in layout.item_parts


def _places(layout: Layout, name: str, codes: Codes) -> Codes:
    if name in layout.item_parts:
        return layout.core_size + codes * layout.width + layout.item_parts.index(name)
    return layout.slices[name].start + codes
