"""Items that two banks share, and their curves when one bank is moved to the scale of the other.

Abilities of the two scales are θ = A θ' + B.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from itemcurve.bank.item_bank import Bank, BankPart
from itemcurve.errors import ModelError
from itemcurve.models.contract import column_of
from itemcurve.models.parameters import Role
from itemcurve.numerics.engine import NUMPY, Array
from itemcurve.numerics.shapes import axes

LEAST_ITEMS = 2
_STEP = 1e-5

Curves = Annotated[Array, axes("items points")]


@dataclass(frozen=True, eq=False)
class LinkedItems:
    """Common items of one model, by their parameters in both banks, in the same order."""

    names: tuple[str, ...]
    base: BankPart
    other: BankPart

    def moved(self, slope: float, shift: float) -> Annotated[Array, axes("items parameters")]:
        """Parameters of the other bank on the scale of the base."""
        return move_values(self.other, self.other.values, slope, shift)

    def base_curves(self, points: Array) -> Curves:
        """Expected responses by the base's parameters."""
        return self.base.likelihood.expected_response(NUMPY, points, self.base.values)

    def moved_curves(self, points: Array, slope: float, shift: float) -> Curves:
        """Expected responses by the other bank's, at abilities of the base."""
        values = self.moved(slope, shift)
        return self.other.likelihood.expected_response(NUMPY, points, values)

    def slopes_and_places(self) -> tuple[Array, Array, Array, Array]:
        """Slope and location of each item, in the base and in the other bank."""
        found = []
        for part in (self.base, self.other):
            columns = part.model.report(part.values)
            name = column_of(part.model, Role.SLOPE)
            ones = np.ones(len(part.values))
            found.append(ones if name is None else np.asarray(columns[name]))
            found.append(locations(part))
        return found[0], found[1], found[2], found[3]


def locations(part: BankPart) -> Annotated[Array, axes("items")]:
    """Where each item sits, as people read it."""
    place = column_of(part.model, Role.LOCATION)
    if place is None:
        return part.model.location(part.values)
    return np.asarray(part.model.report(part.values)[place])


def move_values(part: BankPart, values: Array, slope: float, shift: float) -> Array:
    """Item parameters for abilities A θ + B."""
    return part.model.rescale(values, -shift / slope, 1.0 / slope)


def move_jacobian(part: BankPart, slope: float, shift: float) -> Array:
    """Derivatives of moved free parameters in the free ones (items × free × free)."""
    free = list(part.likelihood.free)
    found = []
    for index in free:
        step = np.zeros_like(part.values)
        step[:, index] = _STEP
        ends = [
            move_values(part, part.values + sign * step, slope, shift)[:, free] for sign in (1, -1)
        ]
        found.append((ends[0] - ends[1]) / (2 * _STEP))
    return np.stack(found, axis=2)


def common_items(base: Bank, other: Bank, items: Sequence[str] | None) -> LinkedItems:
    """The items that both banks have, under the same model."""
    known = set(base.items) & set(other.items)
    names = [name for name in base.items if name in known]
    if items is not None:
        wanted = [items] if isinstance(items, str) else list(items)
        foreign = [name for name in wanted if name not in known]
        if foreign:
            raise ModelError(
                "Banks are linked by items that both have.",
                f"{foreign[0]!r} is not in both.",
                f"{len(known):,} are; leave items out to take them all.",
            )
        names = wanted
    if len(names) < LEAST_ITEMS:
        raise ModelError(
            f"A link needs at least {LEAST_ITEMS} items in common.",
            f"The banks have {len(names)}.",
            "Calibrate with some items of the other bank among yours.",
        )
    parts = [_part_of(bank, names) for bank in (base, other)]
    if type(parts[0].model) is not type(parts[1].model) or len(parts[0].values[0]) != len(
        parts[1].values[0]
    ):
        raise ModelError(
            "Common items must follow the same model in both banks.",
            f"Got {parts[0].model.name} and {parts[1].model.name}.",
            "Calibrate both with one model.",
        )
    return LinkedItems(tuple(names), *parts)


def _part_of(bank: Bank, names: Sequence[str]) -> BankPart:
    place = {name: k for k, name in enumerate(bank.items)}
    wanted = np.array([place[name] for name in names])
    for part in bank.parts:
        rows = {int(position): k for k, position in enumerate(part.positions)}
        if all(int(position) in rows for position in wanted):
            own = np.array([rows[int(position)] for position in wanted])
            return BankPart(part.model, np.arange(len(own)), part.values[own], part.covariance[own])
    raise ModelError(
        "Common items must be of one model.",
        f"Those of this bank are of {len(bank.parts)}.",
        "Name items of one model by items=.",
    )
