"""Item audit: which items are easy, hard, uninformative, or have a suspect label."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.evaluated_fits import HasFit, fit_of
from itemcurve.analysis.items.verdicts import (
    SUSPECT,
    VERDICTS,
    judge_items,
    probability_negative,
)
from itemcurve.analysis.labels.label_audit import (
    LabelAudit,
    check_rate,
    judge_labels,
    rank_suspects,
)
from itemcurve.analysis.labels.label_disagreement import Dissent, find_disagreement
from itemcurve.analysis.labels.label_words import UNJUDGED
from itemcurve.analysis.labels.missed_keys import MissedKeys, find_missed_keys
from itemcurve.analysis.predictions import Predictions
from itemcurve.errors import EvaluationError
from itemcurve.estimation.result import FitResult
from itemcurve.models.contract import slope_of
from itemcurve.showing.html_cards import html_card
from itemcurve.showing.text_tables import text_table, wrapped

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class ItemAudit:
    """A verdict for every item, with its evidence; arrays in the order of `fit.responses.items`.

    Attributes
    ----------
    verdicts : `suspect label`, else the verdict of `judge_items`.
    labels : how the labels were judged by predictions; None without these.
    keys : how the labels were judged by right and wrong answers alone; None with predictions, and
        where responses are errors of predicted numbers, which have no labels.
    dissent : who disagrees and says what.
    false_discovery_rate : expected share of right labels among the suspect ones, at most.
    """

    fit: FitResult
    verdicts: NDArray[Any]
    labels: LabelAudit | None
    keys: MissedKeys | None
    dissent: Dissent | None
    false_discovery_rate: float

    @property
    def noise_rate(self) -> float:
        """Share of wrong labels among all items.

        NaN where there are no labels, or wrong ones cannot be told from classes that overlap.
        """
        if self.labels is not None:
            return self.labels.noise_rate
        return np.nan if self.keys is None else self.keys.errors.noise_rate

    @cached_property
    def label_error_probability(self) -> NDArray[np.float64]:
        """Probability that each label is wrong; NaN where there are no labels."""
        if self.labels is not None:
            return self.labels.probability_wrong
        if self.keys is not None:
            return self.keys.errors.probabilities
        return np.full(len(self.verdicts), np.nan)

    @cached_property
    def probability_negative(self) -> NDArray[np.float64]:
        """P(discrimination < 0) of each item; NaN where the fit tells no standard error."""
        return probability_negative(self.fit)

    def frame(self) -> "pandas.DataFrame":
        """One row per item, in the order of the responses.

        Slopes are in it where their signs were free to tell something.
        """
        import pandas

        table: dict[str, Any] = {
            "item": self.fit.responses.items,
            "verdict": self.verdicts,
            "label_error_probability": self.label_error_probability,
        }
        if self.labels is not None:
            table |= self.labels.firmness
            table["given_label"] = self.labels.given_labels
            table["likely_label"] = self.labels.likely_labels
            if self.labels.rows:
                table["row"] = self.labels.rows
        table["difficulty"] = self.fit.locations.values
        table["mean_response"] = self.fit.responses.means(axis=0)
        slope = slope_of(self.fit.estimates.model)
        if slope is not None and slope.is_free and slope.transform.name == "free":
            table["discrimination"] = self.fit.slopes.values
            # The rule of Chen et al. (2019).
            table["negative_discrimination"] = self.fit.slopes.values < 0
            table["probability_negative"] = self.probability_negative
        if self.dissent is not None:
            table["dissenters"] = [self.dissent.describe(i) for i in range(len(self.verdicts))]
        return pandas.DataFrame(table)

    def suspects(self, at_least: int = 10) -> "pandas.DataFrame":
        """Rows of `frame()`, the most probable error first: all suspects, then the next in line.

        Parameters
        ----------
        at_least : rows to give where there are labels; if fewer are suspect, those next in line
            follow, with that verdict.
        """
        table = self.frame()
        is_suspect = np.asarray(self.verdicts == SUSPECT)
        if self.labels is None and self.keys is None:
            return table.iloc[np.flatnonzero(is_suspect)]
        suspicion = (
            self.label_error_probability
            if self.labels is None
            else self.labels.noise.probability_wrong
        )
        return rank_suspects(table, is_suspect, suspicion, at_least)

    def say(self) -> str:
        """Say what was found about labels, in a sentence or two."""
        if self.labels is not None:
            return self.labels.say()
        total, found = len(self.verdicts), int((self.verdicts == SUSPECT).sum())
        if self.dissent is not None and self.keys is None:
            return UNJUDGED
        if self.keys is None:
            return f"The {total:,} items have numbers for targets, and no labels to suspect."
        return f"Of {total:,} items, {found:,} {'has' if found == 1 else 'have'} a suspect label."

    def opinions(self, item: str) -> "pandas.DataFrame":
        """What every respondent says of one item, the most able first."""
        items = self.fit.responses.items
        if self.dissent is None or item not in items:
            raise EvaluationError(
                "Opinions are known of items that have labels;",
                f"{item!r} is not one of the {len(items)} items."
                if item not in items
                else "the responses of this fit are errors of predicted numbers.",
                f"Use for example audit.opinions({items[0]!r}) of a classification.",
            )
        return self.dissent.frame(items.index(item))

    def brief(self) -> "pandas.DataFrame":
        """Give the first items to look at as text: what the label is, and what it may be."""
        from itemcurve.analysis.labels.brief_suspects import brief_suspects

        return brief_suspects(self.suspects())

    def __str__(self) -> str:
        return f"{wrapped(self.say())}\n{text_table(self.brief())}"

    def _repr_html_(self) -> str:
        counts = {verdict: int((self.verdicts == verdict).sum()) for verdict in VERDICTS}
        words = ", ".join(f"{count:,} {verdict}" for verdict, count in counts.items() if count)
        more = "All: .frame(); the list: .suspects()"
        return html_card(f"Items: {words}", [self.say()], self.brief(), more=more)

    def __repr__(self) -> str:
        counts = (f"{(self.verdicts == verdict).sum():,} {verdict}" for verdict in VERDICTS)
        return f"ItemAudit({len(self.verdicts):,} items: {', '.join(counts)})"


def audit_items(
    fit: FitResult | HasFit,
    *,
    predictions: Predictions | None = None,
    false_discovery_rate: float = 0.1,
    noise_check: bool = True,
    rows: tuple[str, ...] = (),
    error_level: float | None = None,
) -> ItemAudit:
    """Judge every item of a fit, and find labels that are probably wrong.

    With predictions, labels are judged by them alone (`judge_labels`, as `audit_labels` does);
    without, by the answers (`find_missed_keys`). All other items are judged by their curve
    (`judge_items`).

    Parameters
    ----------
    fit : of any model; of error models (`gamma`, `rasch-errors`) labels are not judged. An
        evaluation is audited by its own predictions.
    predictions : class probabilities of the same items, by the respondents of the fit and perhaps
        by references that were left out of it.
    false_discovery_rate : between 0 and 1.
    noise_check, rows : as for `audit_labels`.
    error_level : of error models, the error from which an item counts as hard; as for
        `judge_items`.

    Examples
    --------
    >>> import itemcurve as ic
    >>> truth = ic.simulate("2pl", respondents=40, items=30, seed=1)
    >>> ic.audit_items(ic.fit(truth.responses)).frame().shape
    (30, 9)
    """
    check_rate(false_discovery_rate)
    own = getattr(fit, "audit", None)
    if predictions is None and callable(own):
        audit: ItemAudit = own(false_discovery_rate=false_discovery_rate, noise_check=noise_check)
        return audit
    fit = fit_of(fit)
    verdicts = judge_items(fit, error_level)
    labels = keys = dissent = None
    if predictions is not None:
        _check_alignment(fit, predictions)
    if predictions is not None and not predictions.trusts_labels:
        labels = judge_labels(
            predictions,
            false_discovery_rate=false_discovery_rate,
            noise_check=noise_check,
            rows=rows,
        )
        verdicts = np.where(labels.is_suspect, SUSPECT, verdicts)
    elif predictions is None and fit.estimates.model.family.is_bounded:
        keys = find_missed_keys(fit, false_discovery_rate)
        verdicts = np.where(keys.is_suspect, SUSPECT, verdicts)
    if predictions is not None or keys is not None:
        dissent = find_disagreement(fit, predictions)
    return ItemAudit(fit, verdicts, labels, keys, dissent, false_discovery_rate)


def _check_alignment(fit: FitResult, predictions: Predictions) -> None:
    """The same items, and all respondents of the fit among those who predict."""
    unknown = set(fit.responses.respondents) - set(predictions.respondents)
    for what, is_wrong in (
        ("respondents", bool(unknown)),
        ("items", predictions.items != fit.responses.items),
    ):
        if is_wrong:
            raise EvaluationError(
                f"Predictions must have the {what} of the fit, items in the same order;",
                "they are not the same.",
                "Use evaluation.audit(), or build both from the same arrays.",
            )
