"""Answers of new respondents, checked and grouped by the items they answered."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from itemcurve.adaptive.prediction.complete_responses import CompleteResponses, check_groups
from itemcurve.adaptive.prediction.contract import Calibration, Sample
from itemcurve.adaptive.score.item_choice import ChoicePlan, ItemChoice
from itemcurve.errors import ModelError, ResponsesError
from itemcurve.numerics.engine import Array
from itemcurve.responses.matrix import Responses


@dataclass(frozen=True, eq=False)
class Given:
    """Respondents, and samples of those who answered the same items, with their rows."""

    respondents: tuple[str, ...]
    samples: tuple[tuple[NDArray[np.int_], Sample], ...]
    left_out: tuple[str, ...]


def check_given(
    known: Calibration,
    items: Sequence[str],
    responses: Responses,
    chances: ArrayLike | None,
    choice: ItemChoice | None,
    unknown: Literal["refuse", "leave out"],
) -> Given:
    """Refuse what cannot be predicted from; leave out unknown items where that was asked for."""
    if not isinstance(responses, Responses):
        raise ModelError(
            "predict_scores needs Responses.",
            f"Got {type(responses).__name__}.",
            "Wrap arrays with Responses.from_array(..., items=...).",
        )
    own = _check_chances(chances, len(responses.items))
    responses, own, left_out = _check_items(known, items, responses, own, unknown)
    silent = np.flatnonzero(responses.counts(axis=1) == 0)
    if silent.size:
        raise ResponsesError(
            "Every respondent must have answered something.",
            f"{silent.size} have not, the first is {responses.respondents[silent[0]]!r}.",
            "Remove them with responses.drop_empty().",
        )
    if choice is not None:
        own = _chances_of(choice, responses.items)
    samples = tuple(_samples(known, items, responses, own, choice))
    return Given(responses.respondents, samples, left_out)


def response_range(known: Calibration) -> tuple[float, float]:
    """Lowest and highest possible response."""
    if known.bank is not None:
        return known.bank.response_range
    assert known.responses is not None
    return CompleteResponses((), (), known.responses).limits


def _check_chances(chances: ArrayLike | None, count: int) -> Array | None:
    if chances is None:
        return None
    found = np.asarray(chances, dtype=float)
    if found.shape != (count,) or not ((found > 0) & (found <= 1)).all():
        raise ModelError(
            "chances must hold one probability above 0 for each item of the responses.",
            f"Got shape {found.shape} for {count} items.",
            "Leave it out where items were drawn with equal chances.",
        )
    return found


def _check_items(
    known: Calibration,
    items: Sequence[str],
    responses: Responses,
    chances: Array | None,
    unknown: Literal["refuse", "leave out"],
) -> tuple[Responses, Array | None, tuple[str, ...]]:
    """Give the responses to known items, their chances, and what was left out."""
    there = set(items)
    kept = [place for place, item in enumerate(responses.items) if item in there]
    if len(kept) == len(responses.items):
        return responses, chances, ()
    if unknown not in ("refuse", "leave out"):
        raise ModelError(
            "unknown is 'refuse' or 'leave out'.", f"Got {unknown!r}.", "Leave it out if unsure."
        )
    if unknown == "refuse" or not kept:
        if known.bank is not None:
            known.bank.positions(responses.items)
        CompleteResponses((), tuple(items), np.zeros((0, 0))).positions(responses.items)
    left_out = tuple(item for item in responses.items if item not in there)
    return responses.take(columns=kept), None if chances is None else chances[kept], left_out


def _chances_of(choice: ItemChoice, items: Sequence[str]) -> Array:
    """Chances of the items drawn; NaN for those chosen, and for items of neither kind."""
    known = dict(zip(choice.items, choice.chances.tolist(), strict=True))
    found = np.array([known.get(item, np.nan) for item in items])
    if np.isnan(found).all() and len(choice.items) and choice.is_random.any():
        raise ResponsesError(
            "Items drawn by the choice must be among those answered;",
            f"none of {int(choice.is_random.sum())} is.",
            "Leave choice out where the items came from elsewhere.",
        )
    return found


def _samples(
    known: Calibration,
    items: Sequence[str],
    responses: Responses,
    chances: Array | None,
    choice: ItemChoice | None,
) -> Iterator[tuple[NDArray[np.int_], Sample]]:
    """Group respondents by the items they answered: what is worked out per set is done once."""
    values = responses.array()
    seen = ~np.isnan(values)
    at = {item: place for place, item in enumerate(items)}
    places = np.array([at[item] for item in responses.items], dtype=int)
    low, high = response_range(known)
    # Errors have no largest value; the largest that was seen must do.
    width = high - low if np.isfinite(high) else float(np.nanmax(values)) - low
    if not np.isfinite(width):
        width = float(np.ptp(values[seen]))
    patterns, group = np.unique(seen, axis=0, return_inverse=True)
    for index, pattern in enumerate(patterns):
        rows = np.flatnonzero(group.ravel() == index)
        sample = Sample(
            places[pattern],
            values[np.ix_(rows, np.flatnonzero(pattern))],
            None if chances is None else chances[pattern],
            width,
        )
        yield rows, sample if choice is None else _with_repeats(known, items, sample, choice)


def _with_repeats(
    known: Calibration, items: Sequence[str], sample: Sample, choice: ItemChoice
) -> Sample:
    """Put the items drawn first, and say how the others would be chosen again."""
    assert known.responses is not None
    assert sample.chances is not None
    is_chosen = np.isnan(sample.chances)
    order = np.argsort(is_chosen, kind="stable")
    drawn = int((~is_chosen).sum())
    places, chances = sample.places[order], sample.chances[order]
    repeat = None
    if is_chosen.any():
        plan = choice_plan(known, items, choice)
        repeat = plan.repeat(places[:drawn], chances[:drawn], int(is_chosen.sum()))
    return Sample(places, sample.values[:, order], chances, sample.width, repeat)


def choice_plan(known: Calibration, items: Sequence[str], choice: ItemChoice) -> ChoicePlan:
    """Give what a choice started from."""
    assert known.responses is not None
    _, labels = check_groups(choice.item_groups or None, items)
    if len(choice.weights) != len(items):
        raise ModelError(
            "A choice belongs to the calibration that it was made from.",
            f"It knows {len(choice.weights)} items, the calibration has {len(items)}.",
            "Choose again, or leave choice out.",
        )
    table = CompleteResponses((), tuple(items), known.responses)
    return ChoicePlan(table, choice.weights, labels, choice.aim)
