"""A short form: items, weights, predictor and its error in a file that needs nothing else."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from itemcurve.adaptive.prediction.complete_responses import complete
from itemcurve.adaptive.prediction.contract import Calibration
from itemcurve.adaptive.prediction.linear import Asked, LinearRule, ScoreProblem
from itemcurve.adaptive.prediction.prediction_input import choice_plan
from itemcurve.adaptive.prediction.score_prediction import ScorePredictions, interval
from itemcurve.adaptive.prediction.score_predictor import (
    ItemSide,
    ScorePredictor,
    train_predictor,
)
from itemcurve.adaptive.score.item_choice import ItemChoice
from itemcurve.errors import ResponsesError, StorageError
from itemcurve.estimation.result import FitResult
from itemcurve.models.serialisation import Record
from itemcurve.numerics.engine import Array
from itemcurve.responses.matrix import Responses
from itemcurve.storage.atomic_files import write_bytes
from itemcurve.storage.json_documents import LARGEST_DOCUMENT, pack_signed, unpack_signed

FORMAT = "itemcurve-short-form-1"


@dataclass(frozen=True, eq=False)
class ShortForm:
    """A fixed set of items that predicts the score on all of them, without the calibration.

    Attributes
    ----------
    items : to be asked, all of them.
    predictor : what turns their answers into a score.
    size : how many items the whole benchmark has.
    limits : lowest and highest possible response.
    chances : of the items to be drawn; NaN for those chosen to tell most.
    """

    items: tuple[str, ...]
    predictor: ScorePredictor
    size: int
    limits: tuple[float, float]
    chances: Array

    @property
    def error(self) -> float:
        """Root mean squared error over calibration respondents that were left out."""
        return self.predictor.error

    def predict(self, responses: Responses) -> ScorePredictions:
        """Predict scores of respondents who answered all items of the short form.

        Answers to other items are left out, and named in `left_out`.
        """
        values = responses.select(items=self._check(responses)).array()
        missing = np.flatnonzero(np.isnan(values).any(axis=1))
        if missing.size:
            raise ResponsesError(
                "A short form needs answers to all of its items;",
                f"{missing.size} respondents lack some, the first is "
                f"{responses.respondents[missing[0]]!r}.",
                "Ask the rest, or predict from the calibration: itemcurve predict RESPONSES NEW.",
            )
        found = self.predictor.predict(values)
        nothing = np.full(len(values), np.nan)
        outside = (
            np.zeros(len(values), dtype=bool) if found.is_outside is None else found.is_outside
        )
        ends = interval(found.score, found.se, np.asarray(found.degrees), self.limits)
        score = np.clip(found.score, *self.limits)
        own = set(self.items)
        return ScorePredictions(
            responses.respondents,
            score,
            *ends,
            nothing,
            nothing,
            outside,
            "short form",
            left_out=tuple(item for item in responses.items if item not in own),
        )

    def as_choice(self, items: Sequence[str]) -> ItemChoice:
        """How its items were found, for `predict_scores` from the calibration's items."""
        size = len(items)
        return ItemChoice(
            self.items, self.chances, ("",) * len(self.items), 0, np.full(size, 1 / size)
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the short form as JSON, atomically."""
        document = {
            "format": FORMAT,
            "items": list(self.items),
            "size": self.size,
            "limits": list(self.limits) if np.isfinite(self.limits).all() else None,
            "chances": [None if np.isnan(chance) else chance for chance in self.chances],
            "predictor": _pack(self.predictor),
        }
        write_bytes(path, pack_signed(document, "the short form"))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "ShortForm":
        """Read a short form that `save` wrote; safe on files from strangers."""
        place = f"the short form {os.fspath(path)!r}"
        source = Path(path)
        if not source.is_file() or source.stat().st_size > LARGEST_DOCUMENT:
            raise _refusal(place, "there is no such file, or it is too large")
        document, is_as_written = unpack_signed(source.read_bytes(), place)
        if document.get("format") != FORMAT or not is_as_written:
            raise _refusal(place, "its format or its checksum is wrong")
        record = _FormRecord(document, place)
        items = record.texts("items")
        limits = record.numbers("limits") if record.has("limits") else (-np.inf, np.inf)
        predictor = _unpack(_FormRecord(record.record("predictor").content, place), len(items))
        if len(limits) != 2 or not limits[0] < limits[1]:
            raise _refusal(place, "its limits are not two numbers in order")
        chances = np.array(record.content.get("chances"), dtype=float)
        if chances.shape != (len(items),) or not np.isnan(chances[~(chances > 0)]).all():
            raise _refusal(place, "its chances do not fit its items")
        size = record.whole("size", 1)
        return cls(tuple(items), predictor, size, (limits[0], limits[1]), chances)

    def _check(self, responses: Responses) -> list[str]:
        missing = [item for item in self.items if item not in set(responses.items)]
        if missing:
            raise ResponsesError(
                "A short form needs answers to all of its items;",
                f"{len(missing)} are missing, the first is {missing[0]!r}.",
                "Ask them too.",
            )
        return list(self.items)


def make_short_form(calibration: FitResult | Responses, choice: ItemChoice) -> ShortForm:
    """Learn what turns answers to chosen items into a score, and keep only that.

    Examples
    --------
    >>> import itemcurve as ic
    >>> truth = ic.simulate("2pl", respondents=40, items=200, seed=1).responses
    >>> known = truth.take(rows=list(range(39)))
    >>> form = ic.make_short_form(known, ic.choose_items(known, 30))
    >>> form.predict(truth.take(rows=[39])).score.shape
    (1,)
    """
    known = complete(calibration)
    places = known.positions(choice.items)
    plan = choice_plan(Calibration(None, known.array), known.items, choice)
    drawn = int(choice.is_random.sum())
    repeat = None
    if drawn < len(places):
        repeat = plan.repeat(places[:drawn], choice.chances[:drawn], len(places) - drawn)
    problem = ScoreProblem(known.array, choice.weights)
    predictor = train_predictor(problem, Asked(places, choice.chances), repeat)
    return ShortForm(choice.items, predictor, len(known.items), known.limits, choice.chances)


def _pack(predictor: ScorePredictor) -> dict[str, Any]:
    side = predictor.item_side
    packed = None
    if side is not None:
        packed = {
            "rule": _pack_rule(side.rule),
            "projection": side.projection.ravel().tolist(),
            "effective": side.effective,
            "mass": side.mass,
            "variance": side.variance,
            "gap_sd": side.gap_sd,
        }
    return {
        "rule": _pack_rule(predictor.rule),
        "shares": predictor.shares,
        "error": predictor.error,
        "item_side": packed,
        "is_own": predictor.is_own.astype(int).tolist(),
        "is_random": predictor.is_random.astype(int).tolist(),
        "low": predictor.low,
        "high": predictor.high,
        "width": predictor.width,
        "respondents": predictor.respondents,
    }


def _pack_rule(rule: LinearRule) -> dict[str, Any]:
    return {"coefficients": rule.coefficients.tolist(), "intercept": rule.intercept}


def _unpack(record: Record, count: int) -> ScorePredictor:
    drawn = np.array(record.numbers("is_random")) > 0.5
    own = np.array(record.numbers("is_own")) > 0.5
    if len(drawn) != count or len(own) != count:
        raise record.refusal("it does not say of every item how it was found")
    shares = record.record("shares")
    return ScorePredictor(
        rule=_unpack_rule(record.record("rule"), count),
        shares={name: shares.number(name) for name in shares.content},
        error=_positive(record, "error"),
        item_side=_unpack_side(record.record("item_side"), count, int(own.sum()))
        if record.has("item_side")
        else None,
        is_own=own,
        is_random=drawn,
        low=record.number("low"),
        high=record.number("high"),
        width=_positive(record, "width"),
        respondents=record.whole("respondents", 1),
    )


def _unpack_side(record: Record, count: int, own: int) -> ItemSide:
    projection = np.array(record.numbers("projection"))
    if projection.size != own**2 or not own:
        raise record.refusal("its projection does not fit its items")
    return ItemSide(
        rule=_unpack_rule(record.record("rule"), count),
        projection=projection.reshape(own, own),
        effective=_positive(record, "effective"),
        mass=record.number("mass"),
        variance=_positive(record, "variance"),
        gap_sd=_positive(record, "gap_sd"),
    )


def _unpack_rule(record: Record, count: int) -> LinearRule:
    coefficients = np.array(record.numbers("coefficients"))
    if len(coefficients) != count:
        raise record.refusal("a rule does not have a coefficient for every item")
    return LinearRule(coefficients, record.number("intercept"))


def _positive(record: Record, name: str) -> float:
    value = record.number(name)
    if value <= 0:
        raise record.refusal(f"{name!r} must be above 0")
    return value


class _FormRecord(Record):
    """A part of a short form."""

    def refusal(self, reason: str) -> StorageError:
        """Give the error that says what is wrong here."""
        return _refusal(self.place, reason)


def _refusal(place: str, reason: str) -> StorageError:
    return StorageError(
        "A short form must be as itemcurve wrote it;",
        f"{place} is refused: {reason}.",
        "Make it again with `itemcurve choose … --out short.json`.",
    )
