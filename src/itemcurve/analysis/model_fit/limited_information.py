"""A test of a whole model by margins of one and two items.

M₂ (Maydeu-Olivares and Joe 2006) is N rᵀCr with r the observed less the expected margins and
C = Ξ⁻¹ − Ξ⁻¹Δ(ΔᵀΞ⁻¹Δ)⁻¹ΔᵀΞ⁻¹, Ξ the covariance of the margins under the model and Δ their
derivatives: what is left of r when all that parameters could take up is taken out. Of items with
more than two categories, pairs count by the product of their scores (C₂, Cai and Monroe 2014).

Where responses are missing, a margin is that of the respondents who answered its items, and its
covariance with another is Ξ times n_ab / (n_a n_b), n_ab those who answered the items of both.
"""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from itemcurve.analysis.model_fit.item_margins import ItemMargins, Margins
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes

# Which respondents answered what is told by so many patterns of it, evenly spaced.
_MOST_PATTERNS = 4000
_LEAST_SHARED = 10
_RANK = 1e-9

MarginMatrix = Annotated[Array, axes("margins margins")]


@dataclass(frozen=True, eq=False)
class ObservedMargins:
    """Margins of responses.

    Attributes
    ----------
    values : as `ItemMargins.expected` orders them; NaN where nobody answered.
    counts : respondents behind each.
    correlation : of two items' scores over those who answered both (items × items).
    seen : which items each respondent answered; None where all answered all.
    """

    values: Margins
    counts: Margins
    correlation: Annotated[Array, axes("items items")]
    seen: Array | None


@dataclass(frozen=True)
class QuadraticForm:
    """A statistic that is chi-squared where the model holds."""

    statistic: float
    degrees: int


def observe(grades: Array, own: ItemMargins) -> ObservedMargins:
    """Margins of graded responses (respondents × items, NaN where missing)."""
    known = np.isfinite(grades)
    mask, score = known.astype(float), np.nan_to_num(grades)
    shared = mask.T @ mask
    first, second = own.pairs
    single = np.array(
        [(grades[:, item] == grade).sum() for item, grade in zip(own.owner, own.grade, strict=True)]
    )
    both = (score.T @ score)[first, second]
    counts = np.concatenate([np.diag(shared)[own.owner], shared[first, second]])
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.concatenate([single, both]) / counts
        mean = score.T @ mask / shared
        square = (score**2).T @ mask / shared - mean**2
        product = score.T @ score / shared - mean * mean.T
        correlation = product / np.sqrt(square * square.T)
    return ObservedMargins(values, counts, correlation, None if known.all() else known)


def margin_covariance(own: ItemMargins) -> MarginMatrix:
    """Ξ of one respondent: how margins vary with ability, and at each ability."""
    first, second = own.pairs
    weights, score, variance = own.weights, own.score, own.variance
    at_nodes = np.concatenate([own.chances, score[first] * score[second]])
    centred = (at_nodes - (at_nodes @ weights)[:, None]) * np.sqrt(weights)
    found = centred @ centred.T
    n_single = len(own.owner)
    place = np.zeros((own.n_items, own.n_items), dtype=int)
    place[first, second] = place[second, first] = n_single + np.arange(len(first))
    for item in range(own.n_items):
        others = np.delete(np.arange(own.n_items), item)
        rows = place[item, others]
        mine = np.flatnonzero(own.owner == item)
        chance, grade = own.chances[mine], own.grade[mine][:, None]
        inner = np.diag(chance @ weights) - (chance * weights) @ chance.T
        found[np.ix_(mine, mine)] += inner
        side = (chance * (grade - score[item]) * weights) @ score[others].T
        found[np.ix_(mine, rows)] += side
        found[np.ix_(rows, mine)] += side.T
        found[np.ix_(rows, rows)] += (score[others] * (variance[item] * weights)) @ score[others].T
    diagonal = n_single + np.arange(len(first))
    found[diagonal, diagonal] += (variance[first] * variance[second]) @ weights
    return found


def quadratic_form(
    own: ItemMargins, observed: ObservedMargins, slopes: Annotated[Array, axes("margins p")]
) -> QuadraticForm:
    """rᵀCr of the margins that enough respondents tell, with its degrees of freedom."""
    from scipy.linalg import cholesky, qr, solve_triangular

    covariance = margin_covariance(own)
    if observed.seen is None:
        covariance /= observed.counts[0]
    else:
        covariance *= _shares(observed.seen, own)
    used = observed.counts >= _LEAST_SHARED
    gap = observed.values - own.expected()
    if not used.all():
        covariance, gap, slopes = covariance[np.ix_(used, used)], gap[used], slopes[used]
    # One scale for all: rare categories vary little, and are told apart from what is singular.
    unit = np.sqrt(np.diag(covariance))
    covariance /= unit
    covariance /= unit[:, None]
    covariance[np.diag_indices(len(unit))] += 1e-12
    root = cholesky(covariance, lower=True, overwrite_a=True, check_finite=False)
    sides = np.column_stack([gap, slopes / np.abs(slopes).max(axis=0)]) / unit[:, None]
    white = solve_triangular(root, sides, lower=True, overwrite_b=True, check_finite=False)
    basis, triangle, _ = qr(white[:, 1:], mode="economic", pivoting=True)
    size = np.abs(np.diag(triangle))
    rank = int((size > _RANK * size[0]).sum())
    rest = white[:, 0] - basis[:, :rank] @ (basis[:, :rank].T @ white[:, 0])
    return QuadraticForm(float(rest @ rest), len(gap) - rank)


def _shares(seen: Array, own: ItemMargins) -> MarginMatrix:
    """n_ab / (n_a n_b) of all pairs of margins."""
    patterns, counts = np.unique(seen, axis=0, return_counts=True)
    step = -(-len(patterns) // _MOST_PATTERNS)
    patterns, counts = patterns[::step], counts[::step]
    first, second = own.pairs
    answered = np.concatenate(
        [patterns[:, own.owner], patterns[:, first] & patterns[:, second]], axis=1
    ).astype(np.float32)
    weighted = answered * np.sqrt(counts).astype(np.float32)[:, None]
    both = (weighted.T @ weighted).astype(float)
    alone = np.maximum(np.diag(both), 0.5)
    both /= alone
    both /= alone[:, None]
    return both * (counts.sum() / len(seen))
