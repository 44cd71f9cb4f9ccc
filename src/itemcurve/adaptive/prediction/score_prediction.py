"""Scores over a whole benchmark, predicted from the answers to some of its items."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import ArrayLike

from itemcurve.adaptive.prediction.catalogue import get_estimator
from itemcurve.adaptive.prediction.complete_responses import (
    FEWEST_RESPONDENTS,
    check_groups,
    check_weights,
    complete,
)
from itemcurve.adaptive.prediction.contract import Calibration, ScoreEstimator
from itemcurve.adaptive.prediction.prediction_input import Given, check_given, response_range
from itemcurve.adaptive.records import CONFIDENCE
from itemcurve.adaptive.score.item_choice import ItemChoice
from itemcurve.bank.item_bank import Bank
from itemcurve.errors import ModelError
from itemcurve.estimation.result import FitResult
from itemcurve.numerics.engine import Array
from itemcurve.responses.matrix import Responses
from itemcurve.storage.tables import tabulate

if TYPE_CHECKING:
    import pandas

# Beyond, Student's t is the normal distribution.
_MANY = 1e6


@dataclass(frozen=True, eq=False)
class GroupScores:
    """Predicted scores in one group of items, or over all groups.

    Attributes
    ----------
    group : its name; "total" and "balanced" (every group counts the same) come last.
    """

    group: str
    score: Array
    score_lower: Array
    score_upper: Array


@dataclass(frozen=True, eq=False)
class ScorePredictions:
    """Predicted mean responses over all items, one per respondent.

    Attributes
    ----------
    score, score_lower, score_upper : prediction and ends of its 90 % interval.
    ability, ability_se : what the answers say about ability; NaN without a fit.
    outside_calibration : whether the respondent seems to lie outside what was calibrated: its
        score, with one standard error to either side, does not stay within the calibrated ones.
    groups : the same by group of items, where groups were given.
    left_out : items that the calibration does not know.
    """

    respondents: tuple[str, ...]
    score: Array
    score_lower: Array
    score_upper: Array
    ability: Array
    ability_se: Array
    outside_calibration: Array
    estimator: str
    groups: tuple[GroupScores, ...] = ()
    left_out: tuple[str, ...] = ()

    def frame(self) -> "pandas.DataFrame":
        """Table with one row per respondent."""
        return tabulate(
            self,
            "score",
            "score_lower",
            "score_upper",
            "ability",
            "ability_se",
            "outside_calibration",
            respondent=self.respondents,
        )

    def group_frame(self) -> "pandas.DataFrame":
        """Table with one row per respondent and group, the total and the balanced total last."""
        import pandas

        parts = [
            pandas.DataFrame(
                {
                    "respondent": self.respondents,
                    "group": part.group,
                    "score": part.score,
                    "score_lower": part.score_lower,
                    "score_upper": part.score_upper,
                }
            )
            for part in self.groups
        ]
        return pandas.concat(parts, ignore_index=True) if parts else self.frame().iloc[:0]


def predict_scores(
    calibration: FitResult | Bank | Responses,
    partial_responses: Responses,
    *,
    estimator: str = "default",
    chances: ArrayLike | None = None,
    weights: Mapping[str, float] | ArrayLike | None = None,
    groups: Mapping[str, str] | Sequence[str] | None = None,
    target: ArrayLike | None = None,
    choice: ItemChoice | None = None,
    unknown: Literal["refuse", "leave out"] = "refuse",
) -> ScorePredictions:
    """Predict what respondents would score on all items from the items they answered.

    Parameters
    ----------
    calibration : responses of models evaluated before, a fit of them, or a bank, with the item
        curves alone.
    partial_responses : answers of new respondents to any of the items.
    estimator : `"default"`, or one of `"stacked"` (the default with responses or a fit),
        `"guarded"`, `"blended"` (the default with a bank), `"sample-mean"`, `"irt"`,
        `"irt-difference"`, `"ridge"`, `"ridge-aipw"`.
    chances : the probability of each item (in the order of the responses' columns) to be among
        those asked, where it differs between items; used by `"stacked"`, `"sample-mean"`,
        `"irt-difference"` and `"blended"`.
    weights : of the calibration's items in the score, by id or in order; equal when left out.
    groups : the group of each of the calibration's items, by id or in order: adds scores by group,
        in which answers from other groups help.
    target : a score from elsewhere for each calibration respondent, to be predicted instead of the
        mean over these items: the full score of which these items are a short form.
    choice : how the items were found (`choose_items`), where they were not drawn at random.
    unknown : whether items that the calibration does not have are refused or left out.

    Returns
    -------
    `ScorePredictions`; its `.frame()` is a table. Items that were asked must be a random sample,
    or have `chances`, or come from `choice`, for the interval to hold: answers chosen for their
    information say little about the others without a model.

    Examples
    --------
    >>> import itemcurve as ic
    >>> truth = ic.simulate("2pl", respondents=60, items=200, seed=1).responses
    >>> known = truth.take(rows=list(range(50)))
    >>> choice = ic.choose_items(known, 40)
    >>> new = truth.take(rows=[50, 51]).select(items=choice.items)
    >>> found = ic.predict_scores(known, new, choice=choice)
    >>> bool((abs(found.score - truth.means(axis=1)[50:52]) < 0.1).all())
    True
    """
    known, items = _calibration(calibration)
    estimate = get_estimator(estimator, known.responses is not None)
    is_stacked = estimator in ("default", "stacked") and known.responses is not None
    if not is_stacked and not all(part is None for part in (weights, groups, target, choice)):
        raise ModelError(
            "weights, groups, target and choice need the stacked estimator and responses.",
            f"The estimator is {estimator!r}.",
            "Leave the estimator out, and pass a fit or calibration responses.",
        )
    given = check_given(known, items, partial_responses, chances, choice, unknown)
    total = Calibration(
        known.bank,
        known.responses,
        known.abilities,
        check_weights(weights, items),
        _check_target(target, known),
    )
    main = _predict(estimate, total, given)
    return ScorePredictions(
        given.respondents,
        main.score,
        main.lower,
        main.upper,
        *_abilities(known, given),
        main.is_outside,
        estimator,
        () if groups is None else _by_group(estimate, total, given, groups, items),
        given.left_out,
    )


def interval(
    score: Array, error: Array, degrees: Array, limits: tuple[float, float]
) -> tuple[Array, Array]:
    """Ends of the 90 % interval by Student's t, within the range of responses."""
    from scipy.special import stdtrit

    half = stdtrit(np.minimum(degrees, _MANY), 0.5 + CONFIDENCE / 2) * error
    return np.clip(score - half, *limits), np.clip(score + half, *limits)


@dataclass(frozen=True, eq=False)
class _Found:
    score: Array
    lower: Array
    upper: Array
    is_outside: Array


def _predict(estimate: ScoreEstimator, known: Calibration, given: Given) -> _Found:
    n = len(given.respondents)
    score, error, degrees = np.full(n, np.nan), np.full(n, np.nan), np.full(n, np.nan)
    outside = np.zeros(n, dtype=bool)
    for rows, sample in given.samples:
        found = estimate(known, sample)
        score[rows], error[rows], degrees[rows] = found.score, found.se, found.degrees
        if found.is_outside is not None:
            outside[rows] = found.is_outside
    limits = (-np.inf, np.inf) if known.external is not None else response_range(known)
    ends = interval(score, error, degrees, limits)
    # No one scores more than all; a straight line may say so.
    return _Found(np.clip(score, *limits), *ends, outside)


def _by_group(
    estimate: ScoreEstimator,
    known: Calibration,
    given: Given,
    groups: Mapping[str, str] | Sequence[str],
    items: Sequence[str],
) -> tuple[GroupScores, ...]:
    """Every group, the total by the weights given, and the total in which groups count alike."""
    names, labels = check_groups(groups, items)
    size = len(items)
    weights = np.full(size, 1 / size) if known.weights is None else known.weights
    parts = {}
    for number, name in enumerate(names):
        own = np.where(labels == number, weights, 0.0)
        if own.sum() > 0:
            parts[name] = own / own.sum()
    parts["total"] = weights
    parts["balanced"] = np.mean([part for name, part in parts.items() if name != "total"], axis=0)
    found = []
    for name, own in parts.items():
        part = _predict(estimate, Calibration(known.bank, known.responses, None, own), given)
        found.append(GroupScores(name, part.score, part.lower, part.upper))
    return tuple(found)


def _abilities(known: Calibration, given: Given) -> tuple[Array, Array]:
    n = len(given.respondents)
    ability, error = np.full(n, np.nan), np.full(n, np.nan)
    if known.bank is not None:
        for rows, sample in given.samples:
            measured = sample.abilities(known.bank)
            ability[rows], error[rows] = measured.ability, measured.ability_se
    return ability, error


def _calibration(given: FitResult | Bank | Responses) -> tuple[Calibration, tuple[str, ...]]:
    if isinstance(given, Bank):
        return Calibration(given), given.items
    if not isinstance(given, FitResult | Responses):
        raise ModelError(
            "predict_scores needs a fit or a bank, or calibration responses.",
            f"Got {type(given).__name__}.",
            "Use the result of itemcurve.fit, or Responses.read(path).",
        )
    if isinstance(given, Responses):
        known = complete(given)
        return Calibration(None, known.array), known.items
    if len(given.responses.respondents) < FEWEST_RESPONDENTS:
        return Calibration(given.bank, abilities=given.estimates.abilities), given.bank.items
    known = complete(given)
    return Calibration(given.bank, known.array, given.estimates.abilities), known.items


def _check_target(target: ArrayLike | None, known: Calibration) -> Array | None:
    if target is None:
        return None
    assert known.responses is not None
    given = np.asarray(target, dtype=float)
    if given.shape != (len(known.responses),) or not np.isfinite(given).all():
        raise ModelError(
            "target holds a finite score for each calibration respondent.",
            f"Got shape {given.shape} for {len(known.responses)} respondents.",
            "Give the scores in the order of the calibration's respondents.",
        )
    return given
