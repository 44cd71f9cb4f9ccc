"""How far a link may be off, and which items drifted: by the delta method.

A and B are functions of all parameters of common items in both calibrations. Within a calibration
errors of items go together, as all were estimated on the same respondents.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, Any, NamedTuple, Protocol

import numpy as np

from itemcurve.analysis.evaluated_fits import HasFit, unwrap
from itemcurve.analysis.linking.linked_items import LinkedItems, locations, move_jacobian
from itemcurve.bank.item_bank import Bank
from itemcurve.errors import ModelError
from itemcurve.estimation.marginal.over_respondents.joint_covariance import joint_covariance
from itemcurve.estimation.result import FitResult
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes

TOGETHER, BY_ITEM = "items together", "item by item"
_STEP = 1e-5

Jacobian = Annotated[Array, axes("two parameters")]
Spread = Annotated[Array, axes("parameters parameters")]


class HasBank(Protocol):
    """A fit, which has a bank."""

    @property
    def bank(self) -> Bank:
        """The calibrated items."""


class Pulls(NamedTuple):
    """Derivatives of A and B in the free parameters of the base's items and of the other's."""

    base: Jacobian
    other: Jacobian


@dataclass(frozen=True, eq=False)
class Spreads:
    """Covariances of the free parameters of common items in both calibrations.

    Attributes
    ----------
    kind : `TOGETHER` where both are known with all items together, else `BY_ITEM`.
    """

    base: Spread
    other: Spread
    kind: str


def calibrated(given: Bank | HasBank | HasFit) -> Any:
    """Give banks and fits as they are, and the fit of an evaluation."""
    return given if hasattr(given, "bank") else unwrap(given)


def bank_of(given: Bank | HasBank) -> Bank:
    """Give a bank as it is, and the bank of a fit."""
    found = given if isinstance(given, Bank) else getattr(given, "bank", None)
    if isinstance(found, Bank):
        return found
    raise ModelError(
        "A link is between two fits, two evaluations, or two banks.",
        f"Got {type(given).__name__}.",
        "Give what itemcurve.fit or evaluate_classifiers returned, or a bank.",
    )


def item_spreads(shared: LinkedItems, base: Bank | HasBank, other: Bank | HasBank) -> Spreads:
    """Covariances of items' parameters, with all items together where a fit tells."""
    found, is_joint = [], True
    for part, given in ((shared.base, base), (shared.other, other)):
        joint = joint_covariance(given) if isinstance(given, FitResult) else None
        if joint is None:
            is_joint = False
            found.append(_block_diagonal(part.covariance))
        else:
            assert isinstance(given, FitResult)
            place = {name: k for k, name in enumerate(given.responses.items)}
            width = len(part.likelihood.free)
            rows = np.array([place[name] for name in shared.names])
            cells = (rows[:, None] * width + np.arange(width)).ravel()
            found.append(joint[np.ix_(cells, cells)])
    return Spreads(found[0], found[1], TOGETHER if is_joint else BY_ITEM)


def _block_diagonal(blocks: Array) -> Spread:
    items, width = blocks.shape[:2]
    found = np.zeros((items, width, items, width))
    index = np.arange(items)
    found[index, :, index, :] = blocks
    return found.reshape(items * width, items * width)


def link_errors(pulls: Pulls, spreads: Spreads) -> Array:
    """Standard errors of A and B."""
    covariance = sum(
        pull @ np.nan_to_num(spread) @ pull.T
        for pull, spread in ((pulls.base, spreads.base), (pulls.other, spreads.other))
    )
    return np.asarray(np.sqrt(np.maximum(np.diag(np.asarray(covariance)), 0.0)))


def explicit_pulls(shared: LinkedItems, solve: Callable[[LinkedItems], Array]) -> Pulls:
    """Derivatives of a solution that is at hand for any items."""
    return Pulls(*(_slopes(shared, solve, is_base) for is_base in (True, False)))


def implicit_pulls(
    shared: LinkedItems, stationary: Callable[[LinkedItems, Array], Array], at: Array
) -> Pulls:
    """Derivatives of the A and B at which `stationary` is zero (implicit function theorem)."""
    pulls = explicit_pulls(shared, lambda changed: stationary(changed, at))
    bend = np.stack(
        [
            (stationary(shared, at + move) - stationary(shared, at - move)) / (2 * _STEP)
            for move in _STEP * np.eye(2)
        ],
        axis=1,
    )
    solved = -np.linalg.pinv(bend)
    return Pulls(solved @ pulls.base, solved @ pulls.other)


def _slopes(
    shared: LinkedItems, function: Callable[[LinkedItems], Array], is_base: bool
) -> Jacobian:
    """Derivatives of two numbers in every free parameter of every item, item by item."""
    part = shared.base if is_base else shared.other
    found = []
    for item in range(len(shared.names)):
        for index in part.likelihood.free:
            ends = []
            for sign in (1.0, -1.0):
                values = part.values.copy()
                values[item, index] += sign * _STEP
                moved = replace(part, values=values)
                changed = replace(shared, base=moved) if is_base else replace(shared, other=moved)
                ends.append(function(changed))
            found.append((ends[0] - ends[1]) / (2 * _STEP))
    return np.stack(found, axis=1)


def drift_tests(
    shared: LinkedItems, at: tuple[float, float], pulls: Pulls, spreads: Spreads
) -> Annotated[Array, axes("items")]:
    """p-values of Wald tests of each item's parameters in the base against the other's, linked.

    The link is made of the same items: what an item does to it, and how far it may be off, count.
    """
    from scipy.special import gammaincc

    free = list(shared.base.likelihood.free)
    width, count = len(free), len(shared.names)
    gaps = (shared.base.values - shared.moved(*at))[:, free]
    change = move_jacobian(shared.other, *at)
    by_link = np.stack(
        [
            (shared.moved(at[0] + a, at[1] + b) - shared.moved(at[0] - a, at[1] - b))[:, free]
            / (2 * _STEP)
            for a, b in _STEP * np.eye(2)
        ],
        axis=2,
    )
    found = np.full(count, np.nan)
    for item in range(count):
        own = slice(item * width, (item + 1) * width)
        base, other = -by_link[item] @ pulls.base, -by_link[item] @ pulls.other
        base[:, own] += np.eye(width)
        other[:, own] -= change[item]
        spread = base @ spreads.base @ base.T + other @ spreads.other @ other.T
        if _is_known(spread):
            square = float(gaps[item] @ np.linalg.solve(spread, gaps[item]))
            found[item] = float(gammaincc(width / 2, square / 2))
    return found


def _is_known(spread: Annotated[Array, axes("own own")]) -> bool:
    """Whether it is the covariance of something: finite, and positive in every direction."""
    if not np.isfinite(spread).all():
        return False
    values = np.linalg.eigvalsh((spread + spread.T) / 2)
    return bool(values[0] > len(values) * np.finfo(float).eps * values[-1])


def place_errors(shared: LinkedItems, slope: float, spreads: Spreads) -> tuple[Array, Array]:
    """Standard errors of items' locations in the base, and in the other bank once linked."""
    found = []
    for part, spread, unit in (
        (shared.base, spreads.base, 1.0),
        (shared.other, spreads.other, slope),
    ):
        width, count = len(part.likelihood.free), len(shared.names)
        slopes = np.zeros((count, width))
        for column, index in enumerate(part.likelihood.free):
            step = np.zeros_like(part.values)
            step[:, index] = _STEP
            ends = [locations(replace(part, values=part.values + sign * step)) for sign in (1, -1)]
            slopes[:, column] = (ends[0] - ends[1]) / (2 * _STEP)
        rows = np.arange(count)
        blocks = spread.reshape(count, width, count, width)[rows, :, rows, :]
        variance = np.einsum("ia,iab,ib->i", slopes, np.nan_to_num(blocks), slopes)
        found.append(unit * np.sqrt(np.maximum(variance, 0.0)))
    return found[0], found[1]
