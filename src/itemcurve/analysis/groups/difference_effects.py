"""How much an item differs between groups, in the units of its responses."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from itemcurve.analysis.groups.difference_tests import ItemTest
from itemcurve.estimation.groups.fit_groups import GroupData
from itemcurve.estimation.groups.group_problem import GroupSolution
from itemcurve.models.free_coordinates import values_at
from itemcurve.models.mixed_likelihood import likelihood_of
from itemcurve.models.parameters import ParameterSpec
from itemcurve.numerics.engine import NUMPY, Array

_STEP = 1e-5
_NODES = np.linspace(-5.0, 5.0, 101)
_WEIGHTS = np.exp(-0.5 * _NODES**2) / np.exp(-0.5 * _NODES**2).sum()
# Dorans and Kulick (1986) for the standardised difference of proportions.
_MODERATE, _LARGE = 0.05, 0.10


@dataclass(frozen=True, eq=False)
class ItemEffect:
    """Differences of the expected response of every further group from the reference.

    Averaged over the abilities of that group.

    Attributes
    ----------
    signed, error : the difference and its standard error (further groups).
    absolute : mean of its absolute value.
    range : from the lowest to the highest response.
    """

    signed: Array
    error: Array
    absolute: Array
    range: float


@dataclass(frozen=True, eq=False)
class GroupCurves:
    """Expected responses of every item in every group.

    Attributes
    ----------
    abilities : on the scale of the reference group (points).
    expected : groups × points × items; NaN where an item was not tested.
    """

    abilities: Array
    expected: Array


def class_of(share: float) -> str:
    """A word for a difference, as a share of the range of responses."""
    if share < _MODERATE:
        return "negligible"
    return "moderate" if share < _LARGE else "large"


def item_effect(data: GroupData, base: GroupSolution, own: ItemTest) -> ItemEffect:
    """The differences of one item, with errors by the delta method."""
    means, sds = base.terms.population.moments(base.point.state)
    support = data.model.family.support
    width = own.x.shape[1]
    signed, errors, absolute = [], [], []
    for group in range(1, len(means)):
        abilities = means[group] + sds[group] * _NODES

        def average(x: Array, abilities: Array = abilities, group: int = group) -> float:
            first, second = _expected(data, x[[0, group]], abilities)
            return float(_WEIGHTS @ (second - first))

        first, second = _expected(data, own.x[[0, group]], abilities)
        signed.append(float(_WEIGHTS @ (second - first)))
        absolute.append(float(_WEIGHTS @ np.abs(second - first)))
        slope = np.zeros(own.x.size)
        for place in range(own.x.size):
            step = np.zeros(own.x.size)
            step[place] = _STEP
            above, below = (average(own.x + sign * step.reshape(-1, width)) for sign in (1, -1))
            slope[place] = (above - below) / (2 * _STEP)
        variance = float(slope @ own.covariance @ slope)
        errors.append(max(variance, 0.0) ** 0.5)
    span: float = support.upper - support.lower
    return ItemEffect(
        np.array(signed),
        np.array(errors),
        np.array(absolute),
        span if np.isfinite(span) else 1.0,
    )


def group_curves(
    data: GroupData, base: GroupSolution, found: Sequence[ItemTest | None]
) -> GroupCurves:
    """Curves of all tested items in all groups."""
    means, sds = base.terms.population.moments(base.point.state)
    low, high = (means - 3 * sds).min(), (means + 3 * sds).max()
    abilities = np.linspace(low, high, 61)
    expected = np.full((len(means), len(abilities), len(found)), np.nan)
    for item, own in enumerate(found):
        if own is not None:
            expected[:, :, item] = _expected(data, own.x, abilities)
    return GroupCurves((abilities - means[0]) / sds[0], expected)


def _expected(data: GroupData, x: Array, abilities: Array) -> Array:
    """Expected responses of an item in some groups (groups × points)."""
    model = data.model
    held = np.array([[_plain(spec) for spec in model.parameters]] * len(x), dtype=float)
    values = values_at(NUMPY, model, x, held)
    return np.asarray(likelihood_of(model).expected_response(NUMPY, abilities, values))


def _plain(spec: ParameterSpec) -> float:
    return float(spec.fixed) if isinstance(spec.fixed, int | float) else np.nan
