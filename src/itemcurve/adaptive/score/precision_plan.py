"""What a test for the score will cost and how precise it will be, before it starts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.adaptive.prediction.complete_responses import (
    balanced_weights,
    check_groups,
    complete,
)
from itemcurve.adaptive.prediction.linear import Asked, ScoreProblem
from itemcurve.adaptive.prediction.score_predictor import train_predictor
from itemcurve.adaptive.records import HALF_WIDTH
from itemcurve.adaptive.score.item_choice import ChoicePlan
from itemcurve.adaptive.score.score_test import FIRST_SHARE
from itemcurve.errors import ModelError
from itemcurve.estimation.result import FitResult
from itemcurve.numerics.engine import Array
from itemcurve.responses.matrix import Responses
from itemcurve.storage.tables import tabulate

if TYPE_CHECKING:
    import pandas

_SIZES = (10, 20, 30, 50, 75, 100, 150, 200, 300, 500)
# Of short benchmarks, as of data sets.
_SHORT, _SHORT_SIZES = 30, (2, 3, 5, 7, 10, 15, 20)
_LEAST = 3
# Draws that are averaged: one alone is luckier or unluckier by a tenth.
_DRAWS = 4


@dataclass(frozen=True, eq=False)
class PrecisionPlan:
    """Half-widths of 90 % intervals to expect, by number of items.

    Attributes
    ----------
    sizes : numbers of items.
    inside : half-width for a respondent like those calibrated on, by cross-validation.
    outside : for one at or beyond the ends of the calibrated scores.
    mean : of the plain mean of as many random items.
    cost : of so many items, NaN where costs are not known.
    cost_unit : as "tokens".
    one_item : variance of one answer to one item, were it asked again; 0 where never repeated.
    repeats : how often the calibration's items were asked.
    """

    sizes: NDArray[np.int_]
    inside: Array
    outside: Array
    mean: Array
    cost: Array
    cost_unit: str
    one_item: float
    repeats: float

    def frame(self) -> "pandas.DataFrame":
        """One row per number of items."""
        widths = {
            "half_width": self.inside,
            "half_width_outside": self.outside,
            "half_width_of_mean": self.mean,
        }
        return tabulate(self, "cost", items=self.sizes, **widths)

    def items_for(self, half_width: float) -> int | None:
        """Fewest items for a half-width, interpolated; None where none of the sizes reaches it."""
        if half_width < float(self.inside.min()):
            return None
        falling = np.minimum.accumulate(self.inside)
        return ceil(float(np.interp(-half_width, -falling, self.sizes)))

    def items_within(self, budget: float) -> int:
        """Most items that a budget pays."""
        per_item = float(self.cost[-1]) / int(self.sizes[-1])
        if not np.isfinite(per_item) or per_item <= 0:
            raise ModelError(
                "A budget needs costs of items.",
                "None are known.",
                "Import logs that hold tokens or seconds, or give costs.",
            )
        return int(budget // per_item)

    def repeats_frame(self, answers: int) -> "pandas.DataFrame":
        """Half-widths if as many answers are spent on fewer items, each asked several times.

        More items are better as long as there are any: a repeat lowers only what one item varies
        by itself.
        """
        import pandas

        repeats = np.array([1, 2, 4, 8])
        items = answers // repeats
        kept = items >= max(int(self.sizes[0]), 1)
        items, repeats = items[kept], repeats[kept]
        once = np.interp(items, self.sizes, self.inside)
        # Answers of the calibration are means of its repeats; others vary more or less than these.
        noise = (
            HALF_WIDTH**2 * self.one_item / np.maximum(items, 1) * (1 / repeats - 1 / self.repeats)
        )
        half = np.sqrt(np.maximum(once**2 + noise, 0.0))
        return pandas.DataFrame({"items": items, "repeats": repeats, "half_width": half})


def plan_precision(
    calibration: FitResult | Responses,
    *,
    sizes: Sequence[int] | None = None,
    item_groups: Mapping[str, str] | Sequence[str] | None = None,
    costs: Mapping[str, float] | None = None,
    cost_unit: str = "",
    repeats: Responses | None = None,
    seed: int = 0,
) -> PrecisionPlan:
    """Say how precise a test for the score will be, by number of items, and what it will cost.

    Parameters
    ----------
    calibration : responses of models evaluated before, or a fit of them.
    sizes : numbers of items to try; some that suit the calibration when left out.
    costs : of each item (tokens, seconds, money), as the logs have them.
    repeats : responses with repeated measurements, which say how much one answer varies.

    Examples
    --------
    >>> import itemcurve as ic
    >>> known = ic.simulate("2pl", respondents=40, items=300, seed=1).responses
    >>> plan = ic.plan_precision(known, sizes=[10, 50])
    >>> bool(plan.inside[0] > plan.inside[1])
    True
    """
    known = complete(calibration)
    size = len(known.items)
    asked = _check_sizes(sizes, size)
    _, labels = check_groups(item_groups, known.items)
    plan = ChoicePlan(known, balanced_weights(labels), labels)
    problem = ScoreProblem(known.array, plan.weights)
    rng = np.random.default_rng(seed)
    found = np.array(
        [
            np.mean([_half_widths(plan, problem, int(n), rng) for _ in range(_DRAWS)], 0)
            for n in asked
        ]
    )
    # More items never tell less; what rises comes from the draw.
    found = np.minimum.accumulate(found, axis=0)
    spread = np.sqrt(known.array.var(axis=1, ddof=1).mean() / asked * (1 - asked / size))
    per_item = np.nan
    if costs:
        per_item = float(np.mean([costs[item] for item in known.items if item in costs]))
    own = calibration.responses if isinstance(calibration, FitResult) else calibration
    return PrecisionPlan(
        asked,
        found[:, 0],
        found[:, 1],
        HALF_WIDTH * spread,
        asked * per_item,
        cost_unit,
        *_variance_of_one(repeats or own),
    )


def _check_sizes(sizes: Sequence[int] | None, size: int) -> NDArray[np.int_]:
    """Numbers of items to try, of so many."""
    if size < _LEAST:
        raise ModelError(
            f"A plan is for a test of some of {_LEAST} items or more.",
            f"The calibration has {size}.",
            "Ask all of them, or add items.",
        )
    usual = _SIZES if size > _SHORT else _SHORT_SIZES
    wanted = usual if sizes is None else sizes
    asked = np.array(sorted({int(n) for n in wanted if 1 < n < size}), dtype=int)
    if not len(asked):
        raise ModelError(
            f"sizes are numbers of items from 2 to {size - 1}.",
            f"Got {list(wanted)!r}.",
            "Leave them out if unsure.",
        )
    return asked


def _half_widths(
    plan: ChoicePlan, problem: ScoreProblem, count: int, rng: np.random.Generator
) -> tuple[float, float]:
    """For one like the calibrated, tested in two stages; and for one who is not."""
    drawn, chances = plan.draw(count, rng)
    first = drawn[: ceil(FIRST_SHARE * count)]
    rest = count - len(first)
    chosen = plan.choose(first, rest)
    asked = Asked(
        np.concatenate([first, chosen]),
        np.concatenate([chances[first], np.full(len(chosen), np.nan)]),
    )
    repeat = plan.repeat(first, chances[first], rest) if rest else None
    inside = train_predictor(problem, asked, repeat).error
    side = train_predictor(problem, Asked(drawn, chances[drawn])).item_side
    outside = np.nan if side is None else float(np.sqrt(side.variance))
    return HALF_WIDTH * inside, HALF_WIDTH * outside


def _variance_of_one(responses: Responses) -> tuple[float, float]:
    """Variance of one answer around the mean of its cell, and how often cells were asked."""
    weights = responses.weight()
    if weights is None:
        return 0.0, 1.0
    from scipy.sparse import issparse

    counts = np.asarray(weights.toarray() if issparse(weights) else weights, dtype=float)
    many = counts > 1
    if not many.any():
        return 0.0, 1.0
    means, times = responses.array()[many], counts[many]
    # Exact for right and wrong; the most there can be for scores between 0 and 1.
    variance = np.clip(means * (1 - means), 0, None) * times / (times - 1)
    return float(np.mean(variance)), float(times.mean())
