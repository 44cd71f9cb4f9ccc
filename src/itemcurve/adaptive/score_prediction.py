"""Scores over a whole benchmark, predicted from the answers to some of its items."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from itemcurve.adaptive.prediction.catalogue import get_estimator
from itemcurve.adaptive.prediction.contract import Calibration, Sample
from itemcurve.errors import ModelError, ResponsesError
from itemcurve.estimation.bank import Bank
from itemcurve.estimation.result import FitResult
from itemcurve.numerics.engine import Array
from itemcurve.responses.matrix import Responses

if TYPE_CHECKING:
    import pandas

_FEWEST_RESPONDENTS = 5
_CONFIDENCE = 0.9
# Beyond, Student's t is the normal distribution.
_MANY = 1e6


@dataclass(frozen=True, eq=False)
class ScorePredictions:
    """Predicted mean responses over all items, one per respondent.

    Attributes
    ----------
    score, score_lower, score_upper : prediction and ends of its 90 % interval.
    ability, ability_se : what the answers say about ability.
    outside_calibration : whether the respondent seems to lie outside what was calibrated.
    """

    respondents: tuple[str, ...]
    score: Array
    score_lower: Array
    score_upper: Array
    ability: Array
    ability_se: Array
    outside_calibration: Array
    estimator: str

    def frame(self) -> "pandas.DataFrame":
        """Table with one row per respondent."""
        import pandas

        return pandas.DataFrame(
            {
                "respondent": self.respondents,
                "score": self.score,
                "score_lower": self.score_lower,
                "score_upper": self.score_upper,
                "ability": self.ability,
                "ability_se": self.ability_se,
                "outside_calibration": self.outside_calibration,
            }
        )


def predict_scores(
    calibration: FitResult | Bank,
    partial_responses: Responses,
    *,
    estimator: str = "default",
    chances: ArrayLike | None = None,
) -> ScorePredictions:
    """Predict what respondents would score on all items from the items they answered.

    Parameters
    ----------
    calibration : a fit, whose responses are used too, or a bank, with the item curves alone.
    partial_responses : answers of new respondents to any items of the bank.
    estimator : `"default"`, or one of `"guarded"` (the default with a fit), `"blended"` (the
        default with a bank), `"sample-mean"`, `"irt"`, `"irt-difference"`, `"ridge"`,
        `"ridge-aipw"`.
    chances : the probability of each item (in the order of the responses' columns) to be among
        those asked, where it differs between items; used by `"sample-mean"`,
        `"irt-difference"` and `"blended"`.

    Returns
    -------
    `ScorePredictions`; its `.frame()` is a table. Items that were asked must be a random sample
    (or have `chances`) for the interval to hold: answers chosen for their information say
    little about the others without a model, and then `"irt"` is the one to ask.

    Examples
    --------
    >>> import itemcurve as ic
    >>> truth = ic.simulate("2pl", respondents=60, items=200, seed=1)
    >>> fit = ic.fit(truth.responses.take(rows=list(range(50))))
    >>> asked = truth.responses.take(rows=[50, 51], columns=list(range(0, 200, 5)))
    >>> ic.predict_scores(fit, asked).frame()["respondent"].tolist() == list(asked.respondents)
    True
    """
    known = _calibration(calibration)
    estimate = get_estimator(estimator, known.responses is not None)
    given, weights = _check(known.bank, partial_responses, chances)
    n = len(given.respondents)
    score, error, degrees = np.full(n, np.nan), np.full(n, np.nan), np.full(n, np.nan)
    ability, ability_se = np.full(n, np.nan), np.full(n, np.nan)
    outside = np.zeros(n, dtype=bool)
    for rows, sample in _samples(known.bank, given, weights):
        found = estimate(known, sample)
        score[rows], error[rows], degrees[rows] = found.score, found.se, found.degrees
        if found.is_outside is not None:
            outside[rows] = found.is_outside
        measured = sample.abilities(known.bank)
        ability[rows], ability_se[rows] = measured.ability, measured.ability_se
    lower, upper = interval(score, error, degrees, _range(known.bank))
    return ScorePredictions(
        given.respondents, score, lower, upper, ability, ability_se, outside, estimator
    )


def interval(
    score: Array, error: Array, degrees: Array, limits: tuple[float, float]
) -> tuple[Array, Array]:
    """Ends of the 90 % interval by Student's t, within the range of responses."""
    from scipy.special import stdtrit

    half = stdtrit(np.minimum(degrees, _MANY), 0.5 + _CONFIDENCE / 2) * error
    return np.clip(score - half, *limits), np.clip(score + half, *limits)


def _range(bank: Bank) -> tuple[float, float]:
    supports = [part.model.family.support for part in bank.parts]
    return min(low for low, _ in supports), max(high for _, high in supports)


def _calibration(given: FitResult | Bank) -> Calibration:
    if isinstance(given, Bank):
        return Calibration(given)
    if not isinstance(given, FitResult):
        raise ModelError(
            "predict_scores needs a fit or a bank.",
            f"Got {type(given).__name__}.",
            "Use the result of itemcurve.fit, or its bank.",
        )
    if len(given.responses.respondents) < _FEWEST_RESPONDENTS:
        return Calibration(given.bank, abilities=given.estimates.abilities)
    observed = given.responses.array()
    missing = np.isnan(observed)
    if missing.any():
        observed = np.where(missing, given.expected_response(given.estimates.abilities), observed)
    return Calibration(given.bank, observed, given.estimates.abilities)


def _check(
    bank: Bank, responses: Responses, chances: ArrayLike | None
) -> tuple[Responses, Array | None]:
    if not isinstance(responses, Responses):
        raise ModelError(
            "predict_scores needs Responses.",
            f"Got {type(responses).__name__}.",
            "Wrap arrays with Responses.from_array(..., items=...).",
        )
    bank.positions(responses.items)
    silent = np.flatnonzero(responses.counts(axis=1) == 0)
    if silent.size:
        raise ResponsesError(
            "Every respondent must have answered something.",
            f"{silent.size} have not, the first is {responses.respondents[silent[0]]!r}.",
            "Remove them with responses.drop_empty().",
        )
    if chances is None:
        return responses, None
    weights = np.asarray(chances, dtype=float)
    if weights.shape != (len(responses.items),) or not ((weights > 0) & (weights <= 1)).all():
        raise ModelError(
            "chances must hold one probability above 0 for each item of the responses.",
            f"Got shape {weights.shape} for {len(responses.items)} items.",
            "Leave it out where items were drawn with equal chances.",
        )
    return responses, weights


def _samples(
    bank: Bank, responses: Responses, chances: Array | None
) -> Iterator[tuple[NDArray[np.int_], Sample]]:
    """Group respondents by the items they answered: what is worked out per set is done once."""
    values = responses.array()
    seen = ~np.isnan(values)
    places = bank.positions(responses.items)
    low, high = _range(bank)
    # Errors have no largest value; the largest that was seen must do.
    width = high - low if np.isfinite(high) else float(np.nanmax(values)) - low
    patterns, group = np.unique(seen, axis=0, return_inverse=True)
    for index, pattern in enumerate(patterns):
        rows = np.flatnonzero(group.ravel() == index)
        own = None if chances is None else chances[pattern]
        given = values[np.ix_(rows, np.flatnonzero(pattern))]
        yield rows, Sample(places[pattern], given, own, width)
