"""What a system characteristic curve says of a model, in a word."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.robustness.changed_predictions import (
    count_changes,
    find_constant,
    find_readable,
)
from itemcurve.analysis.robustness.interval_contrast import (
    Estimate,
    difference,
    mean_of,
    wilson_interval,
)
from itemcurve.analysis.robustness.kappa_losses import kappa_gradients
from itemcurve.errors import EvaluationError

if TYPE_CHECKING:
    import pandas

    from itemcurve.analysis.robustness.system_curves import SystemCurves

ROBUST, NOISE = "robust to both", "weak to noise"
DIFFICULTY, REVERSE = "weak to difficulty", "reverse pattern"
VERDICTS = (ROBUST, NOISE, DIFFICULTY, REVERSE)
# No verdict on robustness: noise cannot move a model that never looks at its input.
CONSTANT = "constant"

Measure = Literal["share", "kappa"]
_MEASURES = ("share", "kappa")


@dataclass(frozen=True, eq=False)
class _Judgement:
    """What one measure of the damage leads to.

    Attributes
    ----------
    gap : damage in the hardest bin minus that in the easiest.
    level : damage in general.
    """

    gap: Estimate
    level: Estimate
    margin: float

    @property
    def direction(self) -> NDArray[np.intp]:
        """1 where the hardest bin suffers more by over the margin, −1 where the easiest does."""
        more = (self.gap.value > self.margin).astype(np.intp)
        return np.asarray(more - (self.gap.value < -self.margin))

    @property
    def words(self) -> NDArray[np.str_]:
        level = np.where(self.level.value > self.margin, NOISE, ROBUST)
        toward = self.direction
        return np.where(toward > 0, DIFFICULTY, np.where(toward < 0, REVERSE, level))

    @property
    def is_clear(self) -> NDArray[np.bool_]:
        """Whether the intervals lie wholly where the word holds."""
        margin, gap, level = self.margin, self.gap, self.level
        is_flat = (gap.lower >= -margin) & (gap.upper <= margin)
        is_weak = level.value > margin
        has_level = np.where(is_weak, level.lower > margin, level.upper <= margin)
        toward = self.direction
        one_sided = np.where(toward > 0, gap.lower > margin, gap.upper < -margin)
        return np.where(toward != 0, one_sided, is_flat & has_level)


def judge_curves(
    curves: "SystemCurves", margin: float = 0.1, measure: Measure = "share"
) -> "pandas.DataFrame":
    """Give one row per respondent: what noise does in the easiest and hardest bin, and a verdict.

    Where noise does more than `margin` more damage in the hardest bin than in the easiest, the
    model is weak to difficulty, and the other way round it shows the reverse pattern. Else it is
    weak to noise when the damage in general exceeds the margin, and robust to both when it does
    not. Damage is the share of predictions that noise changes, all rows being noisy, in general
    that of all bins together. `is_clear` says whether the intervals lie wholly where the verdict
    holds and κ, where it can be read in both bins, does not point the other way. Models that name
    one class throughout are `"constant"`, no verdict, and come last.

    Parameters
    ----------
    curves : of one data set.
    margin : the least difference, and the least damage, that counts.
    measure : `"kappa"` gives the verdicts of the paper: damage is the κ lost at the largest share
        of noise (equations 8 and 9 of Fabra-Boluda et al.), in general the mean of the easiest
        and the hardest bin (equation 11); constant models lose none and are robust to both.
    """
    if measure not in _MEASURES:
        raise EvaluationError(
            f"Verdicts are by one of {', '.join(_MEASURES)};",
            f"given is {measure!r}.",
            "Leave it out for share; kappa gives the paper's verdicts.",
        )
    by_share, by_kappa = _judge_share(curves, margin), _judge_kappa(curves, margin)
    readable = find_readable(curves)[:, [0, -1]]
    opposed = readable.all(axis=1) & (by_kappa.direction * by_share.direction < 0)
    taken = by_kappa if measure == "kappa" else by_share
    table = _describe(curves, by_share, readable).assign(verdict_by_kappa=by_kappa.words)
    table.insert(1, "verdict", taken.words)
    table.insert(2, "is_clear", taken.is_clear & ((measure == "kappa") | ~opposed))
    table.insert(3, "measure", measure)
    return table if measure == "kappa" else _set_constant_apart(table)


def _judge_share(curves: "SystemCurves", margin: float) -> _Judgement:
    changed, rows = count_changes(curves)
    easy, hard = (
        wilson_interval(changed[:, place], int(rows[place]), curves.level) for place in (0, -1)
    )
    everywhere = wilson_interval(changed.sum(axis=1), int(rows.sum()), curves.level)
    return _Judgement(difference(easy, hard), everywhere, margin)


def _judge_kappa(curves: "SystemCurves", margin: float) -> _Judgement:
    # κ without noise is 1: what is lost has the interval of κ at the largest share, mirrored.
    easy, hard = (
        Estimate(
            lost,
            curves.kappa[:, place, 0] - curves.upper[:, place, -1],
            curves.kappa[:, place, 0] - curves.lower[:, place, -1],
        )
        for lost, place in zip(kappa_gradients(curves), (0, -1), strict=True)
    )
    return _Judgement(difference(easy, hard), mean_of(easy, hard), margin)


def _describe(
    curves: "SystemCurves", by_share: _Judgement, readable: NDArray[np.bool_]
) -> "pandas.DataFrame":
    """Give the numbers behind the verdicts."""
    import pandas

    changed, rows = count_changes(curves)
    easy, hard = kappa_gradients(curves)
    inside = curves.bins >= 0
    labels = curves.labels[inside]
    return pandas.DataFrame(
        {
            "respondent": curves.respondents,
            "is_constant": find_constant(curves),
            "changed": by_share.level.value,
            "changed_easy": changed[:, 0] / max(rows[0], 1),
            "changed_hard": changed[:, -1] / max(rows[-1], 1),
            "difference": by_share.gap.value,
            "difference_lower": by_share.gap.lower,
            "difference_upper": by_share.gap.upper,
            "accuracy": (curves.clean[:, inside] == labels).mean(axis=1),
            "accuracy_noisy": (curves.noisy[:, inside] == labels).mean(axis=1),
            "accuracy_hard": _share_right(curves.clean, curves),
            "accuracy_hard_noisy": _share_right(curves.noisy, curves),
            "one_class": _commonest(curves.clean, curves),
            "one_class_noisy": _commonest(curves.noisy, curves),
            "loss_easy": easy,
            "loss_hard": hard,
            "loss_by_difficulty": np.abs(hard - easy),
            "loss_by_noise": (easy + hard) / 2,
            "kappa_readable_easy": readable[:, 0],
            "kappa_readable_hard": readable[:, 1],
        }
    )


def _share_right(chosen: NDArray[np.intp], curves: "SystemCurves") -> NDArray[np.float64]:
    """Accuracy in the hardest bin; NaN where it is empty."""
    inside = curves.bins == curves.n_bins - 1
    right = (chosen[:, inside] == curves.labels[inside]).sum(axis=1)
    return np.asarray(right / inside.sum() if inside.any() else np.full(len(chosen), np.nan))


def _commonest(chosen: NDArray[np.intp], curves: "SystemCurves") -> NDArray[np.float64]:
    """Share of the rows that get the class each names most often."""
    inside = chosen[:, curves.bins >= 0]
    counts = [(inside == code).sum(axis=1) for code in range(len(curves.classes))]
    return np.asarray(np.max(counts, axis=0) / max(inside.shape[1], 1))


def _set_constant_apart(table: "pandas.DataFrame") -> "pandas.DataFrame":
    import pandas

    fixed = table["is_constant"]
    parts = [table[~fixed], table[fixed].assign(verdict=CONSTANT, is_clear=False)]
    return pandas.concat([part for part in parts if len(part)], ignore_index=True)
