"""S-X² of Orlando and Thissen (2000): observed and expected shares by number of right answers.

Respondents with the same number right form a group, so no estimated ability enters. With
S_k(θ) the probability of k right answers (Lord and Wingersky's recursion) and S_k^i the same
without item i, the expected share right on item i among those with k right is

E_ik = ∫ P_i S_{k−1}^i φ dθ / ∫ S_k φ dθ,    S-X²_i = Σ_k N_k (O_ik − E_ik)² / (E_ik (1 − E_ik)).
"""

import numpy as np

from itemcurve.analysis.curves.category_curves import item_probabilities
from itemcurve.analysis.model_fit.chi_squared_tests import (
    Found,
    free_parameters,
    is_right_or_wrong,
    with_p_values,
)
from itemcurve.analysis.model_fit.s_x2_categories import item_statistic, sum_distribution
from itemcurve.estimation.result import FitResult
from itemcurve.models.capabilities import HasCategories
from itemcurve.models.contract import ItemModel
from itemcurve.models.free_coordinates import free_cells
from itemcurve.numerics.engine import Array

_MOST_ITEMS = 100
_LEAST_RESPONDENTS = 100
# Cells with a smaller expected count are joined with their neighbours, as mirt does.
_LEAST_EXPECTED = 1.0
_POINTS = np.linspace(-6.0, 6.0, 61)


def can_group_by_score(fit: FitResult) -> bool:
    """Say whether all respondents answered all items once, in categories, and items are few."""
    n_respondents, n_items = fit.responses.shape
    return (
        all(_has_grades(part.model) for part in fit.bank.parts)
        and (_has_categories(fit) or is_right_or_wrong(fit))
        and fit.responses.weight() is None
        and 3 <= n_items <= _MOST_ITEMS
        and n_respondents >= _LEAST_RESPONDENTS
    )


def score_test(fit: FitResult) -> Found:
    """Give S-X², its degrees of freedom and its p-value for each item."""
    if _has_categories(fit):
        return _categories_test(fit)
    observed = fit.responses.array()
    points, weights = _population(fit)
    right = fit.expected_response(points).T
    all_scores = _distribution(right)
    joint = all_scores @ weights
    scores = observed.sum(axis=1).astype(int)
    n_items = len(right)
    counts = np.bincount(scores, minlength=n_items + 1)
    found = []
    for item in range(n_items):
        others = _distribution(np.delete(right, item, axis=0))
        hits = (others[: n_items - 1] * right[item]) @ weights
        expected = hits / np.maximum(joint[1:n_items], 1e-300)
        seen = np.bincount(scores, observed[:, item], n_items + 1)[1:n_items]
        found.append(_statistic(seen, expected, counts[1:n_items]))
    statistic, groups = np.array(found).T
    return with_p_values(statistic, groups.astype(int) - _parameters(fit))


def _has_grades(model: ItemModel) -> bool:
    """Whether responses are one of a few outcomes, each with a probability."""
    return not (model.family.is_continuous or model.family.is_quasi)


def _has_categories(fit: FitResult) -> bool:
    return any(isinstance(part.model, HasCategories) for part in fit.bank.parts)


def _categories_test(fit: FitResult) -> Found:
    """The same of items of which some have several categories."""
    points, weights = _population(fit)
    known = [own for own in item_probabilities(fit.bank, points) if own is not None]
    chances = [own for _, own in known]
    observed = fit.responses.array()
    grades = [np.searchsorted(codes, observed[:, k]) for k, (codes, _) in enumerate(known)]
    sums = np.sum(grades, axis=0)
    joint = sum_distribution(chances) @ weights
    found = [
        item_statistic(own, sums, chances, item, weights, joint) for item, own in enumerate(grades)
    ]
    statistic, cells = np.array(found).T
    estimated = free_cells(fit.estimates.model, len(grades))
    total = free_parameters(fit) if estimated is None else estimated.sum(axis=1)
    is_common = any(getattr(part.model, "is_slope_common", False) for part in fit.bank.parts)
    return with_p_values(statistic, np.maximum(cells - total - is_common, 0).astype(int))


def _parameters(fit: FitResult) -> int:
    """Count a common slope with every item, as mirt does."""
    is_common = bool(getattr(fit.estimates.model, "is_slope_common", False))
    return free_parameters(fit) + is_common


def _distribution(right: Array) -> Array:
    """Probability of each number right at each ability (scores × points)."""
    n_items, n_points = right.shape
    found = np.zeros((n_items + 1, n_points))
    found[0] = 1.0
    for index, probability in enumerate(right):
        found[1 : index + 2] = (
            found[1 : index + 2] * (1 - probability) + found[: index + 1] * probability
        )
        found[0] = found[0] * (1 - probability)
    return found


def _population(fit: FitResult) -> tuple[Array, Array]:
    """Abilities and their weights: N(0, 1) where it was fitted, else as estimated."""
    if fit.estimates.over == "respondents":
        density = np.exp(-(_POINTS**2) / 2)
        return _POINTS, density / density.sum()
    abilities = fit.estimates.abilities
    return abilities, np.full(len(abilities), 1.0 / len(abilities))


def _statistic(seen: Array, expected: Array, counts: Array) -> tuple[float, int]:
    """Sum over groups of scores, joined until each has enough expected right and wrong."""
    groups = _joined(counts * expected, counts * (1 - expected), seen, counts - seen)
    total = 0.0
    for right, wrong, seen_right, _ in groups:
        total += (seen_right - right) ** 2 * (1 / right + 1 / wrong)
    return total, len(groups)


def _joined(*columns: Array) -> list[Array]:
    """Join the first sparse group with its smaller neighbour until none is left, as mirt does."""
    groups = list(np.stack(columns, axis=1))
    while len(groups) > 1:
        sparse = [i for i, row in enumerate(groups) if min(row[0], row[1]) < _LEAST_EXPECTED]
        if not sparse:
            break
        first = min(sparse)
        sides = [i for i in (first - 1, first + 1) if 0 <= i < len(groups)]
        other = min(sides, key=lambda i: float(groups[i][2:].sum()))
        groups[other] = groups[other] + groups[first]
        del groups[first]
    return [row for row in groups if min(row[0], row[1]) > 0]
