"""Gaps between the steps of ordered categories: what they start at, and of which items."""

from typing import Annotated

import numpy as np

from itemcurve.models.formulas.used_categories import Steps
from itemcurve.models.parameters import ParameterSpec
from itemcurve.models.transforms import POSITIVE
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes


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
