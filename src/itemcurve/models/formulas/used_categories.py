"""Which categories and steps an item has: the former written as one number, a bit for each.

Responses of a fit are coded alike, but an item may use some of the codes only: it was rated on a
shorter scale, or nobody ever gave it the lowest grade. What is not used has no probability and no
threshold. The number stands beside an item's other parameters, so that whoever is handed some of
the items knows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, NamedTuple

import numpy as np

from itemcurve.models.parameters import ParameterSpec, Role
from itemcurve.models.transforms import FREE, POSITIVE
from itemcurve.numerics.engine import Array, Engine, add_up
from itemcurve.numerics.shapes import Curve, CurveSlope, ItemColumn, ItemValues, PerItem, axes

USED = "used"
# The logarithm of no probability: its exponential is nothing beside the smallest that occurs.
NOTHING = -600.0


class Steps(NamedTuple):
    """Which categories an item has, and which steps between them (items × 1 each, 0 or 1).

    Attributes
    ----------
    used : by category, the lowest first.
    has : by category from the second on: whether a step leads up to it from one below.
    follows : the same, but for the first step of an item.
    """

    used: list[ItemColumn]
    has: list[ItemColumn]
    follows: list[ItemColumn]

    @classmethod
    def of(cls, bits: PerItem, categories: int) -> "Steps":
        """Read the number of each item, in the arrays' own engine."""
        xp = bits.__array_namespace__()
        used = [(xp.floor(bits / 2.0**place) % 2.0)[:, None] for place in range(categories)]
        has, follows = [], []
        any_below, any_step = used[0], 0.0 * used[0]
        for own in used[1:]:
            has.append(own * any_below)
            follows.append(has[-1] * any_step)
            any_step = xp.maximum(any_step, has[-1])
            any_below = xp.maximum(any_below, own)
        return cls(used, has, follows)

    def skipped(self) -> list[ItemColumn]:
        """Steps that an item has not, between some that it has."""
        size, found = len(self.has), []
        for place in range(size):
            below = add_up(self.has[:place]) if place else 0.0 * self.has[0]
            above = add_up(self.has[place + 1 :]) if place + 1 < size else 0.0 * self.has[0]
            found.append((1.0 - self.has[place]) * (below > 0) * (above > 0))
        return found


Change = tuple[CurveSlope | float, ...]
"""Of every z_k, or of every gap, the first of which is none: by step."""


@dataclass(frozen=True, eq=False)
class Position:
    """Where a respondent stands relative to each step of an item.

    Attributes
    ----------
    z : of each step (items × abilities).
    gaps : between the intercept of each step and the one before (items × 1); of the first, zero.
    steps : which steps an item has; None where all have all.
    """

    engine: Engine
    z: list[Curve]
    gaps: list[ItemColumn]
    steps: Steps | None

    @cached_property
    def chances(self) -> list[Curve]:
        """σ(z) of each step: the derivatives in all parameters are made of it."""
        return [self.engine.special.expit(z) for z in self.z]

    def has(self, step: int) -> ItemColumn | None:
        """Whether an item has a step, counted from 0; None where all have it."""
        return None if self.steps is None else self.steps.has[step]

    def where_has(self, step: int, own: Array, other: Array | float) -> Array:
        """One for items that have a step, the other for those that have not."""
        has = self.has(step)
        return own if has is None else self.engine.xp.where(has > 0, own, other)

    def where_follows(self, step: int, own: Array, other: Array) -> Array:
        """One for items in which a step follows another, the other where it is the first."""
        if self.steps is None:
            return own if step else other
        return self.engine.xp.where(self.steps.follows[step] > 0, own, other)

    def below(self, counts: Sequence[Curve]) -> list[Curve]:
        """Of each step, how many responses are in the category that it leads out of."""
        found, latest = [], counts[0]
        for step, own in enumerate(counts[1:], start=1):
            found.append(latest)
            used = None if self.steps is None else self.steps.used[step]
            latest = own if used is None else self.engine.xp.where(used > 0, own, latest)
        return found


def used_spec(bits: float | tuple[float, ...]) -> ParameterSpec:
    """How the number is described among an item's parameters: held, and no property of a curve."""
    return ParameterSpec(USED, Role.PART, FREE, fixed=bits)


def all_used(categories: int) -> float:
    """The number of an item that has all categories."""
    return float(2**categories - 1)


def bits_of(is_used: Annotated[Array, axes("items categories")]) -> tuple[float, ...] | float:
    """The number of each item; one for all where all have all.

    An item that is always answered alike has the next category too: of a single one there is
    nothing to estimate, and no ability at which another answer would be expected.
    """
    known = np.array(is_used, dtype=bool)
    for item in np.flatnonzero(known.sum(axis=1) < 2):
        place = int(known[item].argmax())
        known[item, place - 1 if place else 1] = True
    if known.all():
        return all_used(known.shape[1])
    found = known @ (2.0 ** np.arange(known.shape[1]))
    return tuple(float(number) for number in found)


def used_by(bits: PerItem, categories: int) -> Annotated[Array, axes("items categories")]:
    """Which categories each item has (true or false)."""
    places = 2.0 ** np.arange(categories)
    return np.asarray(np.floor(bits[:, None] / places) % 2 == 1)


def restricted(engine: Engine, steps: Steps | None, weights: list[Curve]) -> list[Curve]:
    """Logarithms of weights of categories, those that are not used far below all others."""
    if steps is None:
        return weights
    pairs = zip(steps.used, weights, strict=True)
    return [engine.xp.where(used > 0, own, NOTHING) for used, own in pairs]


def column_bits(values: ItemValues) -> PerItem:
    """The number of each item: always the last column."""
    return values[:, -1]


def gaps_between(
    steps: Annotated[Array, axes("items steps")], spec: ParameterSpec
) -> Annotated[Array, axes("items gaps")]:
    """From each step's intercept to that of the step before; the usual one where there is none."""
    found = np.full((len(steps), steps.shape[1] - 1), spec.start)
    before = steps[:, 0].copy()
    for k in range(1, steps.shape[1]):
        gap = before - steps[:, k]
        if spec.transform is POSITIVE:
            gap = np.clip(gap, 0.05, 20.0)
        found[:, k - 1] = np.where(np.isnan(gap), spec.start, gap)
        before = np.where(np.isnan(steps[:, k]), before, steps[:, k])
    return found


def items_with_gap(
    bits: float | tuple[float, ...], categories: int
) -> Annotated[Array, axes("items steps")] | None:
    """Which items have a gap before each step; None where all have all."""
    if isinstance(bits, float):
        return None
    steps = Steps.of(np.array(bits), categories)
    return np.concatenate(steps.follows, axis=1) > 0


def held_gap(
    start: float, follows: Annotated[Array, axes("items steps")] | None, step: int
) -> float | tuple[float | None, ...] | None:
    """Where a gap is held: of items that have none, at a value of no consequence."""
    if follows is None or follows[:, step].all():
        return None
    if not follows[:, step].any():
        return start
    return tuple(None if own else start for own in follows[:, step])
