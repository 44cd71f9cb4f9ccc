"""Items chosen for the score: some drawn with known chances, the rest to tell most."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from itemcurve.adaptive.prediction.complete_responses import (
    CompleteResponses,
    balanced_weights,
    check_groups,
    check_weights,
    complete,
)
from itemcurve.adaptive.prediction.contract import RepeatChoice
from itemcurve.adaptive.prediction.linear import Asked
from itemcurve.adaptive.score.bayesian_quadrature import choose_greedily
from itemcurve.adaptive.score.systematic_sampling import (
    chances_of,
    draw_systematically,
    order_items,
)
from itemcurve.errors import ModelError
from itemcurve.estimation.result import FitResult
from itemcurve.numerics.engine import Array
from itemcurve.responses.matrix import Responses

if TYPE_CHECKING:
    import pandas

Aim = Literal["total", "groups"]


@dataclass(frozen=True, eq=False)
class ItemChoice:
    """Items to ask everyone, in order: those drawn first.

    Attributes
    ----------
    items : their ids.
    chances : the probability of each to be drawn; NaN for those chosen to tell most.
    groups : the group of each; "" without groups.
    seed : the same seed draws the same items.
    weights : of all items in the score.
    item_groups : the group of every item of the calibration; empty without groups.
    aim : what was to be precise.
    """

    items: tuple[str, ...]
    chances: Array
    groups: tuple[str, ...]
    seed: int
    weights: Array
    item_groups: tuple[str, ...] = ()
    aim: Aim = "total"

    @property
    def is_random(self) -> NDArray[np.bool_]:
        """Which items were drawn."""
        return np.asarray(~np.isnan(self.chances))

    def frame(self) -> "pandas.DataFrame":
        """Table with one row per item: item, how it was found, its chance, its group."""
        import pandas

        return pandas.DataFrame(
            {
                "item": self.items,
                "how": np.where(self.is_random, "drawn", "chosen"),
                "chance": self.chances,
                "group": self.groups,
            }
        )

    def __repr__(self) -> str:
        drawn = int(self.is_random.sum())
        return (
            f"ItemChoice({len(self.items)} items: {drawn} drawn, {len(self.items) - drawn} chosen)"
        )


def choose_items(
    calibration: FitResult | Responses,
    n: int,
    *,
    weights: Mapping[str, float] | ArrayLike | None = None,
    item_groups: Mapping[str, str] | Sequence[str] | None = None,
    random_share: float = 0.5,
    aim: Aim = "total",
    seed: int = 0,
) -> ItemChoice:
    """Choose items whose answers predict the score on all of them.

    A share is drawn evenly along groups, difficulty and the first component of the responses, with
    chances in proportion to weights: it lets a respondent unlike the calibrated ones be judged by
    its own answers. The rest is chosen one by one, each time the item that lowers the variance of
    the score most (Bayesian quadrature).

    Parameters
    ----------
    calibration : responses of models evaluated before, or a fit of them.
    n : how many items.
    weights : of the items in the score; equal ones, or equal ones for each group, when left out.
    item_groups : the group of each item (subject, sub-scenario), by id or in order.
    random_share : the share that is drawn.
    aim : with groups, whether the total or each group's score is to be precise.
    seed : of the draw.

    Examples
    --------
    >>> import itemcurve as ic
    >>> known = ic.simulate("2pl", respondents=30, items=200, seed=1).responses
    >>> ic.choose_items(known, 20)
    ItemChoice(20 items: 10 drawn, 10 chosen)
    """
    known = complete(calibration)
    _check(n, len(known.items), random_share, aim)
    names, labels = check_groups(item_groups, known.items)
    own = check_weights(weights, known.items)
    plan = ChoicePlan(known, balanced_weights(labels) if own is None else own, labels, aim)
    rng = np.random.default_rng(seed)
    drawn, chances = plan.draw(ceil(random_share * n), rng)
    chosen = plan.choose(drawn, n - len(drawn))
    places = np.concatenate([drawn, chosen])
    return ItemChoice(
        items=tuple(known.items[place] for place in places),
        chances=np.concatenate([chances[drawn], np.full(len(chosen), np.nan)]),
        groups=tuple(names[labels[place]] for place in places),
        seed=seed,
        weights=plan.weights,
        item_groups=() if item_groups is None else tuple(names[label] for label in labels),
        aim=aim,
    )


@dataclass(frozen=True, eq=False)
class ChoicePlan:
    """What a choice starts from.

    Attributes
    ----------
    weights : of the items in the score; they sum to one.
    labels : number of each item's group.
    """

    known: CompleteResponses
    weights: Array
    labels: NDArray[np.int_]
    aim: Aim = "total"

    def draw(self, count: int, rng: np.random.Generator) -> tuple[NDArray[np.int_], Array]:
        """Draw items; give their places in order, and the chance of every item."""
        chances = chances_of(self.weights, count)
        if not count:
            return np.zeros(0, dtype=int), chances
        order = order_items(self.known.array, count, self.labels, rng)
        return draw_systematically(order, chances, rng), chances

    def choose(
        self,
        asked: NDArray[np.int_],
        count: int,
        rows: NDArray[np.bool_] | None = None,
    ) -> NDArray[np.int_]:
        """Choose items after those asked, as some or all calibration respondents advise."""
        responses = self.known.array if rows is None else self.known.array[rows]
        quotas = None
        if self.labels.any():
            share = np.bincount(self.labels, weights=self.weights)
            taken = np.bincount(self.labels[asked], minlength=len(share))
            wanted = np.ceil(share * (len(asked) + count) - 1e-9).astype(int)
            quotas = np.maximum(wanted - taken, 0)
        return choose_greedily(responses, self._scores(), asked, count, self.labels, quotas)

    def repeat(self, asked: NDArray[np.int_], chances: Array, count: int) -> RepeatChoice:
        """Give the choice of `count` items after those asked as a function of who is known."""
        # Scores of several groups ask for the same folds.
        found: dict[bytes, Asked] = {}

        def again(rows: NDArray[np.bool_]) -> Asked:
            key = rows.tobytes()
            if key not in found:
                chosen = self.choose(asked, count, rows)
                own = np.concatenate([chances, np.full(len(chosen), np.nan)])
                found[key] = Asked(np.concatenate([asked, chosen]), own)
            return found[key]

        return again

    def _scores(self) -> Array:
        """Weights of the items in each score that matters (scores × items)."""
        if self.aim == "total" or not self.labels.any():
            return self.weights[None, :]
        is_own = self.labels == np.arange(self.labels.max() + 1)[:, None]
        own = is_own * self.weights
        return np.asarray(own / np.maximum(own.sum(axis=1, keepdims=True), 1e-300))


def _check(n: int, size: int, share: float, aim: str) -> None:
    if not isinstance(n, int | np.integer) or not 1 <= n <= size:
        raise ModelError(
            f"n is a whole number from 1 to {size}.", f"Got {n!r}.", "There are no more items."
        )
    if not 0 <= share <= 1 or aim not in ("total", "groups"):
        raise ModelError(
            "random_share lies between 0 and 1, aim is 'total' or 'groups'.",
            f"Got {share!r} and {aim!r}.",
            "Leave them out if unsure.",
        )
