"""Tests of whether one item differs between groups, all other items given.

Likelihood ratio: twice what the log-likelihood gains when the item has parameters of its own in
every group (Thissen, Steinberg and Wainer 1993). Wald: the squared distance of those parameters in
their own covariance (Lord 1980). Score: what the slope of the likelihood promises at the fit that
takes the item for the same (Glas 1998), which needs one fit for all items.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from itemcurve.estimation.groups.designed_population import DesignedPopulation
from itemcurve.estimation.groups.fit_groups import GroupData, Start, fit_groups
from itemcurve.estimation.groups.group_problem import GroupSolution, problem_of
from itemcurve.estimation.groups.reported_groups import solution_covariance
from itemcurve.estimation.groups.settings import SCALAR
from itemcurve.estimation.groups.split_items import SplitItems
from itemcurve.estimation.marginal.em_newton import evaluate, marginal_gradient
from itemcurve.estimation.marginal.observed_information import full_information
from itemcurve.numerics.engine import Array

Flags = NDArray[np.bool_]
_LEAST_BEND = 0.02
# In smaller groups what looks striking to score or Wald is settled by the ratio.
FEW_RESPONDENTS = 200
_STRIKING = 0.1


@dataclass(frozen=True, eq=False)
class ItemTest:
    """What a test found of one item.

    Attributes
    ----------
    statistic, degrees : chi-squared, under no difference.
    x : coordinates of the item in every group (groups × free).
    covariance : of all of them, group by group.
    state : of the population then.
    """

    statistic: float
    degrees: int
    x: Array
    covariance: Array
    state: Array


TestOfItem = Callable[[int], ItemTest]


def likelihood_ratio(data: GroupData, base: GroupSolution, free: Flags) -> TestOfItem:
    """Give the test of an item in the presence of a fit whose `free` items differ."""

    def test(item: int) -> ItemTest:
        other = fit_groups(data, SCALAR, _toggled(free, item), Start.near(base))
        wide, narrow = (base, other) if free[item] else (other, base)
        gain = wide.point.expectation.log_likelihood - narrow.point.expectation.log_likelihood
        return _tested(wide, item, max(2.0 * gain, 0.0))

    return test


def wald(data: GroupData, base: GroupSolution, free: Flags) -> TestOfItem:
    """The same by the distance between an item's parameters in the groups."""
    others = likelihood_ratio(data, base, free)

    def test(item: int) -> ItemTest:
        wide = base
        if not free[item]:
            wide = fit_groups(data, SCALAR, _toggled(free, item), Start.near(base))
        found = _tested(wide, item, 0.0)
        width = found.x.shape[1]
        contrast = np.kron(_against_first(len(found.x)), np.eye(width))
        gap = contrast @ found.x.ravel()
        spread = contrast @ found.covariance @ contrast.T
        own = _varying(spread)
        statistic = float(gap[own] @ np.linalg.pinv(spread[np.ix_(own, own)]) @ gap[own])
        if _is_small(data) and _is_striking(statistic, found.degrees):
            # The distance of a slope that ran away means nothing.
            statistic = min(statistic, others(item).statistic)
        return ItemTest(statistic, found.degrees, found.x, found.covariance, found.state)

    return test


def score(data: GroupData, base: GroupSolution, free: Flags) -> TestOfItem:
    """The same from the fit that takes the item for the same; of items that differ, by ratio."""
    whole = _everything_split(data, base)
    others = likelihood_ratio(data, base, free)
    places = np.arange(whole.x_size).reshape(-1, whole.width)
    n_groups = len(data.groups.names)

    def test(item: int) -> ItemTest:
        if free[item]:
            return others(item)
        own = places[item * n_groups : (item + 1) * n_groups]
        contrast = np.zeros((len(whole.gradient), (n_groups - 1) * whole.width))
        for group in range(1, n_groups):
            for column in range(whole.width):
                contrast[own[group, column], (group - 1) * whole.width + column] = 1.0
        image = whole.matrix @ contrast
        side = whole.base_map.T @ image
        # Where priors hold the fit off the likelihood's maximum, both groups' slopes are off
        # zero; what the common parameters would take up is no difference (Neyman's C(α)).
        slope = contrast.T @ whole.gradient - side.T @ (whole.inverse @ whole.common_slope)
        bend = contrast.T @ image - side.T @ whole.inverse @ side
        known = np.flatnonzero(np.abs(np.diag(bend)) > 1e-9)
        # Far from its maximum the likelihood may bend the other way, and promises nothing.
        if not known.size or _least_bend(bend[np.ix_(known, known)]) <= _LEAST_BEND:
            return others(item)
        solved = np.linalg.pinv(bend[np.ix_(known, known)], hermitian=True)
        step = np.zeros(len(slope))
        step[known] = solved @ slope[known]
        if _is_small(data) and _is_striking(float(slope @ step), len(known)):
            # What a slope promises far away is often not kept.
            return others(item)
        # One Newton step; what the item is to the first group moves along.
        moved = whole.base_map @ (-whole.inverse @ (side @ step)) + contrast @ step
        x = whole.x[item * n_groups : (item + 1) * n_groups] + moved[own]
        covariance = np.zeros((n_groups * whole.width,) * 2)
        at = whole.width + known
        covariance[np.ix_(at, at)] = solved
        return ItemTest(max(float(slope @ step), 0.0), len(known), x, covariance, base.point.state)

    return test


@dataclass(frozen=True, eq=False)
class _Whole:
    """All items split at a fit that takes most of them for the same."""

    gradient: Array
    matrix: Array
    base_map: Array
    inverse: Array
    x: Array
    width: int

    @property
    def common_slope(self) -> Array:
        """Slope of the likelihood in the fit's own parameters: 0 where nothing else was counted."""
        return self.base_map.T @ self.gradient

    @property
    def x_size(self) -> int:
        return int(self.x.size)


def _everything_split(data: GroupData, base: GroupSolution) -> _Whole:
    """Slope and curvature in every item's parameters in every group, where the fit stands."""
    n_items, n_groups = data.responses.shape[1], len(data.groups.names)
    split = SplitItems.build(n_items, n_groups, SCALAR, np.ones(n_items, dtype=bool))
    model = split.model(data.model)
    x = Start.near(base).rows(split)
    problem = problem_of(
        split.responses(data.responses, data.groups), model, base.terms, x, base.point.state
    )
    # What sets a group apart has no prior: the item has one, as the fit counts it.
    marginal = replace(
        problem.marginal, grid=base.problem.marginal.grid, priors=(None,) * x.shape[1], pull=None
    )
    problem = replace(problem, marginal=marginal)
    point = evaluate(problem.marginal, x, base.point.state)
    gradient = marginal_gradient(problem.marginal, point)
    matrix = full_information(problem.marginal, x, point.state, point.expectation)
    held = np.concatenate([~problem.marginal.free_cells.ravel(), np.zeros(len(point.state), bool)])
    return _Whole(*_around(base, split, gradient, matrix, held), x, x.shape[1])


def _around(
    base: GroupSolution, split: SplitItems, gradient: Array, matrix: Array, held: Flags
) -> tuple[Array, Array, Array, Array]:
    """How the fit's own parameters make up those of all copies, and their covariance."""
    width = base.point.x.shape[1]
    rows = {
        (int(item), int(group)): row
        for row, (item, group) in enumerate(zip(base.split.items, base.split.groups, strict=True))
    }
    owner = base.ties.owner
    kept, index = np.unique(owner, return_inverse=True)
    base_map = np.zeros((len(gradient), len(kept)))
    for copy, (item, group) in enumerate(zip(split.items, split.groups, strict=True)):
        row = rows.get((int(item), int(group)), rows.get((int(item), -1), -1))
        for column in range(width):
            base_map[copy * width + column, index[row * width + column]] = 1.0
    n_state = len(base.point.state)
    for place in range(n_state):
        base_map[len(gradient) - n_state + place, index[len(owner) - n_state + place]] = 1.0
    gradient, matrix = np.where(held, 0.0, gradient), matrix.copy()
    matrix[held, :] = 0.0
    matrix[:, held] = 0.0
    # Where items have priors, mean and spread of the reference are open only for these to settle;
    # items take up any change of them, so the likelihood is flat along it.
    open_places = _open_places(base, len(kept) - n_state)
    base_map = np.delete(base_map, open_places, axis=1)
    return (
        gradient,
        matrix,
        base_map,
        np.linalg.pinv(base_map.T @ matrix @ base_map, hermitian=True),
    )


def _open_places(base: GroupSolution, first: int) -> list[int]:
    """Places of the reference's mean and log sd where the likelihood does not tell them."""
    population, latent = base.terms.population, base.problem.likelihood.model.latent
    # Groups differ in mean and spread here, never in shape.
    assert isinstance(population, DesignedPopulation)
    ability = population.coordinates[0]
    n_means = ability.design.mean.shape[1] * ability.is_mean_free
    known = (latent.is_mean_free, latent.is_sd_free)
    return [
        first + place
        for place, is_free, is_known in zip(
            (0, n_means), population.is_base_free, known, strict=True
        )
        if is_free and not is_known
    ]


def _toggled(free: Flags, item: int) -> Flags:
    found = free.copy()
    found[item] = not found[item]
    return found


def _tested(wide: GroupSolution, item: int, statistic: float) -> ItemTest:
    """The parameters of an item that differs, with their covariance."""
    rows = np.flatnonzero(wide.split.items == item)
    covariance, _ = solution_covariance(wide)
    width = wide.point.x.shape[1]
    places = (rows[:, None] * width + np.arange(width)).ravel()
    free = wide.problem.marginal.free_cells[rows[0]]
    own = np.nan_to_num(covariance[np.ix_(places, places)])
    degrees = int(free.sum()) * (len(rows) - 1)
    return ItemTest(statistic, degrees, wide.point.x[rows], own, wide.point.state)


def _against_first(count: int) -> Array:
    """Differences of every group from the first."""
    return np.hstack([-np.ones((count - 1, 1)), np.eye(count - 1)])


def _least_bend(bend: Array) -> float:
    """The smallest curvature, in units of those of single coordinates."""
    root = np.sqrt(np.abs(np.diag(bend)))
    return float(np.linalg.eigvalsh(bend / np.outer(root, root)).min())


def _is_small(data: GroupData) -> bool:
    """Whether a group is so small that what a parabola says of the likelihood may be far off."""
    return bool(data.groups.counts.min() < FEW_RESPONDENTS)


def _is_striking(statistic: float, degrees: int) -> bool:
    from scipy.stats import chi2

    return bool(chi2.sf(statistic, degrees) < _STRIKING)


def _varying(spread: Array) -> Array:
    return np.flatnonzero(np.diag(spread) > 0)
