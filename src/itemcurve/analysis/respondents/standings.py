"""How respondents and references stand on the same items: mean scores with paired errors."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.predictions import Forecasts, Predictions
from itemcurve.analysis.respondents.paired_differences import (
    PairedDifferences,
    pair_choices,
    pair_scores,
)
from itemcurve.analysis.respondents.skill import share_choices

MOST_FREQUENT = "Most frequent class"
MEAN_TARGET, MEDIAN_TARGET = "Mean of the targets", "Median of the targets"
Clusters = NDArray[np.integer] | None
# Of the p-value of one respondent against one reference.
_SIGNIFICANCE = 0.05


@dataclass(frozen=True, eq=False)
class Standings:
    """Skill of everybody who answered, models and references.

    Attributes
    ----------
    predictions : of all of them, with the reference that was added.
    is_reference : whether each is a mark to compare with: a constant answer or an oracle.
    is_floor : whether each is a constant answer, which any model ought to beat.
    pairs : mean score of each (the skill), and errors of all differences.
    plain : the same against the given labels alone. Respondents have a say in what is true, and
        constants have none, so that only here both are judged alike.
    """

    predictions: Predictions | Forecasts
    is_reference: NDArray[np.bool_]
    is_floor: NDArray[np.bool_]
    pairs: PairedDifferences
    plain: PairedDifferences

    @property
    def names(self) -> tuple[str, ...]:
        """Of respondents and references."""
        return self.predictions.respondents

    @property
    def best_floor(self) -> int | None:
        """Row of the best constant answer."""
        if not self.is_floor.any():
            return None
        return int(np.argmax(np.where(self.is_floor, self.plain.means, -np.inf)))

    def against_floor(self) -> NDArray[np.str_]:
        """Whether each is `ahead` of the best constant answer, `level` with it, or `behind`."""
        floor = self.best_floor
        if floor is None:
            return np.full(len(self.names), "")
        is_clear = self.plain.p_values[:, floor] < _SIGNIFICANCE
        side = np.where(self.plain.differences[:, floor] > 0, "ahead", "behind")
        return np.where(is_clear, side, "level")


def find_standings(predictions: Predictions | Forecasts, groups: Sequence[str] = ()) -> Standings:
    """Grade everybody by the same rule.

    Classifiers: the share of right choices, expected over what the labels most probably are
    (`LabelNoise.soft_labels`). Regressors: 1 − mean error over the mean error of always predicting
    the mean target. The most frequent class, or the mean and the median target, are added as
    references unless somebody predicts them already.

    Parameters
    ----------
    groups : the group of each item (patient, user, document). Items of one group go together, so
        that errors are those of groups drawn anew.
    """
    clusters = _number_groups(groups)
    if isinstance(predictions, Forecasts):
        return _stand_numbers(_with_constants(predictions), clusters)
    return _stand_classes(_with_most_frequent(predictions), predictions, clusters)


def _number_groups(groups: Sequence[str]) -> Clusters:
    """One number per group; none where there is a single group, which tells nothing of others."""
    codes = np.unique(np.asarray(groups, dtype=str), return_inverse=True)[1]
    return codes if codes.size and codes.max() > 0 else None


def _stand_classes(everybody: Predictions, own: Predictions, clusters: Clusters) -> Standings:
    # The added reference says nothing about labels: the pool is that of the predictions given.
    choices = share_choices(everybody.probabilities)
    pairs = pair_choices(choices, own.label_noise.soft_labels, clusters)
    plain = pair_choices(choices, np.eye(len(own.classes))[own.labels], clusters)
    if clusters is not None:
        # What all respondents miss together in one group looks like wrong labels, so that soft
        # labels hide how far groups differ; the given ones do not.
        pairs = pairs.no_surer_than(plain)
    is_reference = _unless_all(everybody.is_reference)
    return Standings(everybody, is_reference, is_reference, pairs, plain)


def _stand_numbers(everybody: Forecasts, clusters: Clusters) -> Standings:
    errors = np.abs(everybody.values - everybody.targets)
    pairs = pair_scores(1 - errors / (everybody.usual_error or 1.0), clusters)
    is_reference = _unless_all(everybody.is_reference)
    return Standings(everybody, is_reference, is_reference & everybody.is_constant, pairs, pairs)


def _unless_all(is_reference: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Somebody must be left to rank: the reference that was added stays one, the last of all."""
    if is_reference.all():
        is_reference = np.arange(len(is_reference)) == len(is_reference) - 1
    return is_reference


def _with_most_frequent(predictions: Predictions) -> Predictions:
    counts = np.bincount(predictions.labels, minlength=len(predictions.classes))
    answer = np.eye(len(predictions.classes))[int(np.argmax(counts))]
    constants = predictions.probabilities[predictions.is_reference, 0]
    # One that gives several classes the same probability chooses none of them.
    if any(np.flatnonzero(row == row.max()).tolist() == [np.argmax(answer)] for row in constants):
        return predictions
    row = np.broadcast_to(answer, (1, len(predictions.items), len(answer)))
    return replace(
        predictions,
        respondents=(*predictions.respondents, _free_name(predictions, MOST_FREQUENT)),
        probabilities=np.concatenate([predictions.probabilities, row]),
        others=(),
    )


def _with_constants(forecasts: Forecasts) -> Forecasts:
    """Add the mean of the targets, and their median, which no constant beats in mean error."""
    known = forecasts.values[forecasts.is_constant, 0]
    for name, value in (
        (MEAN_TARGET, forecasts.targets.mean()),
        (MEDIAN_TARGET, np.median(forecasts.targets)),
    ):
        if not np.any(np.isclose(known, value)):
            row = np.full((1, len(forecasts.items)), value)
            forecasts = replace(
                forecasts,
                respondents=(*forecasts.respondents, _free_name(forecasts, name)),
                values=np.concatenate([forecasts.values, row]),
            )
    return forecasts


def _free_name(predictions: Predictions | Forecasts, name: str) -> str:
    while name in predictions.respondents:
        name += " (reference)"
    return name
