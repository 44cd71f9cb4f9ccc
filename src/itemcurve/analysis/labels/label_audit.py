"""Which labels are probably wrong, what they should be, and whether that can be told at all."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.items.verdicts import SUSPECT
from itemcurve.analysis.labels.brief_suspects import brief_suspects
from itemcurve.analysis.labels.false_discovery import select_discoveries
from itemcurve.analysis.labels.label_noise import LabelNoise
from itemcurve.analysis.labels.label_words import say_labels, say_unjudged
from itemcurve.analysis.predictions import Predictions
from itemcurve.errors import EvaluationError
from itemcurve.showing.html_cards import html_card
from itemcurve.showing.text_tables import text_table, wrapped

if TYPE_CHECKING:
    import pandas

NEXT_IN_LINE = "next in line"
# Columns for what single repetitions of a cross-validation say.
FIRMNESS = ("label_error_lowest", "label_error_highest")
# A list of suspects that is shorter goes on with the next most probable ones.
_AT_LEAST = 10
# Share of the items of a class that the mean prediction must get right for its labels to be judged:
# of a class that is never named every label looks wrong.
_RECOGNISED = 0.2


@dataclass(frozen=True, eq=False)
class LabelAudit:
    """Every label judged; arrays in the order of `predictions.items`.

    Attributes
    ----------
    predictions : what every respondent said, beside the given labels.
    noise : the pool and the noisy channel behind the verdicts.
    probability_wrong : that each label is wrong; with the noise check, less by the probability
        that nothing but overlap was found.
    is_checked : whether they are those of the noise check.
    is_suspect : the most probable errors, as many as keep the expected share of right labels among
        them at `false_discovery_rate`.
    rows : what each item is, in words, where known.
    unjudged : classes that the respondents hardly ever name where they are given; whether such a
        label is wrong or its class just rare cannot be told, so that none of them is suspect.
    """

    predictions: Predictions
    noise: LabelNoise
    probability_wrong: NDArray[np.float64]
    is_suspect: NDArray[np.bool_]
    false_discovery_rate: float
    rows: tuple[str, ...] = field(default=())
    unjudged: tuple[str, ...] = field(default=())
    is_checked: bool = True

    @property
    def noise_rate(self) -> float:
        """Share of wrong labels among all; NaN where it cannot be told from overlap."""
        return float(self.noise.probability_wrong.mean()) if self.noise.is_told else float("nan")

    @cached_property
    def given_labels(self) -> tuple[str, ...]:
        """Name of the given label of each item."""
        return tuple(self.predictions.classes[k] for k in self.predictions.labels)

    @cached_property
    def likely_labels(self) -> tuple[str, ...]:
        """Name of the most probable other label of each item."""
        return tuple(self.predictions.classes[k] for k in self.noise.likely)

    @cached_property
    def each(self) -> NDArray[np.float64] | None:
        """Probability that each label is wrong, by single cross-validations; None of one only.

        Whether labels err at all is asked of all together, so that what is said of a label lies
        between what single ones say.
        """
        if not self.noise.each:
            return None
        chance = self.noise.probability_of_noise if self.is_checked else 1.0
        return np.stack([one.probability_wrong * chance for one in self.noise.each])

    @property
    def firmness(self) -> dict[str, NDArray[np.float64]]:
        """Lowest and highest probability of an error by single cross-validations, by column.

        Empty where there was one only.
        """
        if self.each is None:
            return {}
        return dict(zip(FIRMNESS, (self.each.min(axis=0), self.each.max(axis=0)), strict=True))

    @cached_property
    def found_alone(self) -> tuple[int, ...]:
        """How many labels each cross-validation would suspect by itself; empty of one only."""
        unjudged = np.isin(self.given_labels, self.unjudged)
        alone = [_doubt(one, self.is_checked) for one in self.noise.each]
        known = [np.where(unjudged, np.nan, wrong) for wrong in alone]
        return tuple(int(select_discoveries(one, self.false_discovery_rate).sum()) for one in known)

    def frame(self) -> "pandas.DataFrame":
        """One row per item, in the order of the items."""
        import pandas

        table = {
            "item": self.predictions.items,
            "verdict": np.where(self.is_suspect, SUSPECT, ""),
            "given_label": self.given_labels,
            "likely_label": self.likely_labels,
            "label_error_probability": self.probability_wrong,
            **self.firmness,
        }
        return pandas.DataFrame({**table, "row": self.rows} if self.rows else table)

    def suspects(self, at_least: int = _AT_LEAST) -> "pandas.DataFrame":
        """Rows of `frame()`, the most probable error first: all suspects, then the next in line.

        Parameters
        ----------
        at_least : rows to give; where fewer are suspect, those next in line follow.
        """
        return rank_suspects(self.frame(), self.is_suspect, self.noise.probability_wrong, at_least)

    def matrix(self) -> "pandas.DataFrame":
        """Estimated probability of each given label (columns) for each true label (rows)."""
        import pandas

        names = list(self.predictions.classes)
        return pandas.DataFrame(self.noise.matrix, index=names, columns=names)

    def say(self) -> str:
        """Say what was found, and where to look first, in a few sentences."""
        found, rate = int(self.is_suspect.sum()), self.false_discovery_rate
        said = say_labels(self.noise, found, rate, is_checked=self.is_checked)
        return f"{said} {say_unjudged(self.unjudged)}".rstrip()

    def brief(self) -> "pandas.DataFrame":
        """Give the first items to look at as text: what the label is, and what it may be."""
        return brief_suspects(self.suspects())

    def __str__(self) -> str:
        return f"{wrapped(self.say())}\n{text_table(self.brief())}"

    def _repr_html_(self) -> str:
        title = f"Labels of {len(self.is_suspect):,} items"
        return html_card(title, [self.say()], self.brief(), more="All: .frame()")

    def __repr__(self) -> str:
        return f"LabelAudit({self.say()})"


def judge_labels(
    predictions: Predictions,
    *,
    false_discovery_rate: float = 0.1,
    noise_check: bool = True,
    rows: Sequence[str] = (),
) -> LabelAudit:
    """Judge the labels beside predictions; `audit_labels` has the parameters and their meaning."""
    check_rate(false_discovery_rate)
    if len(predictions.classes) < 2:
        raise EvaluationError(
            "A label can only be wrong where there are two classes or more;",
            f"given is {len(predictions.classes)}.",
            "Name all classes of the predictions.",
        )
    noise = predictions.label_noise
    wrong = _doubt(noise, noise_check)
    is_unjudged = _find_unrecognised(predictions)
    can_tell = np.where(is_unjudged[predictions.labels], np.nan, wrong)
    suspect = select_discoveries(can_tell, false_discovery_rate)
    unjudged = tuple(predictions.classes[k] for k in np.flatnonzero(is_unjudged))
    return LabelAudit(
        predictions,
        noise,
        wrong,
        suspect,
        false_discovery_rate,
        tuple(rows),
        unjudged,
        is_checked=noise_check,
    )


def _doubt(noise: LabelNoise, is_checked: bool) -> NDArray[np.float64]:
    """That each label is wrong; with the check, also that labels err at all."""
    return noise.probability_wrong * (noise.probability_of_noise if is_checked else 1.0)


def _find_unrecognised(predictions: Predictions) -> NDArray[np.bool_]:
    """Whether all respondents together hardly ever name each class for the items it is given to."""
    kept = ~predictions.is_reference
    if not kept.any():
        return np.zeros(len(predictions.classes), dtype=bool)
    named = predictions.probabilities[kept].mean(axis=0).argmax(axis=1)
    count = np.bincount(predictions.labels, minlength=len(predictions.classes))
    hits = np.bincount(
        predictions.labels[named == predictions.labels], minlength=len(predictions.classes)
    )
    return np.asarray((count > 0) & (hits < _RECOGNISED * count))


def check_rate(false_discovery_rate: float) -> None:
    """Raise unless a false-discovery rate is one."""
    if not 0 < false_discovery_rate < 1:
        raise EvaluationError(
            "The false-discovery rate must lie strictly between 0 and 1;",
            f"given is {false_discovery_rate}.",
            "Use 0.1 if unsure.",
        )


def rank_suspects(
    table: "pandas.DataFrame",
    is_suspect: NDArray[np.bool_],
    suspicion: NDArray[np.float64],
    at_least: int,
) -> "pandas.DataFrame":
    """Rows by suspicion: all that are suspect, then the next in line until there are enough."""
    order = np.lexsort((-suspicion, ~is_suspect))
    count = max(int(is_suspect.sum()), min(at_least, len(table)))
    found = table.iloc[order[:count]].copy()
    found["verdict"] = np.where(is_suspect[order[:count]], SUSPECT, NEXT_IN_LINE)
    return found
