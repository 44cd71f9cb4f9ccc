"""Item audit: which items are easy, hard, uninformative, or have a suspect label."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.dissent import Dissent, find_dissent
from itemcurve.analysis.false_discovery import select_discoveries
from itemcurve.analysis.label_errors import LabelErrors, find_label_errors
from itemcurve.analysis.pooled_evidence import (
    PooledEvidence,
    contrast_predictions,
    contrast_responses,
    find_other_labels,
    pool_evidence,
)
from itemcurve.analysis.predictions import Predictions
from itemcurve.analysis.verdicts import SUSPECT, VERDICTS, judge_items, probability_negative
from itemcurve.errors import EvaluationError
from itemcurve.estimation.result import FitResult

if TYPE_CHECKING:
    import pandas

# Without predictions, P(discrimination < 0) from which a label may be suspected.
SURELY_NEGATIVE = 0.9


@dataclass(frozen=True, eq=False)
class ItemAudit:
    """A verdict for every item, with its evidence; arrays in the order of `fit.responses.items`.

    Attributes
    ----------
    verdicts : `suspect label`, else the verdict of `judge_items`.
    label_errors : probability that each label is wrong, and the noise rate found; None where
        responses are errors of predicted numbers, which have no labels.
    evidence : pooled log-odds against the labels, and the weight of each respondent.
    likely_labels : for each item the most probable other class, empty without predictions.
    dissent : who disagrees and says what.
    false_discovery_rate : expected share of right labels among the suspect ones, at most.
    """

    fit: FitResult
    verdicts: NDArray[Any]
    label_errors: LabelErrors | None
    evidence: PooledEvidence | None
    likely_labels: tuple[str, ...]
    dissent: Dissent | None
    false_discovery_rate: float

    @property
    def noise_rate(self) -> float:
        """Share of wrong labels among all items; NaN where there are no labels."""
        return np.nan if self.label_errors is None else self.label_errors.noise_rate

    @cached_property
    def label_error_probability(self) -> NDArray[np.float64]:
        """Probability that each label is wrong; NaN where there are no labels."""
        if self.label_errors is None:
            return np.full(len(self.verdicts), np.nan)
        return self.label_errors.probabilities

    @cached_property
    def probability_negative(self) -> NDArray[np.float64]:
        """P(discrimination < 0) of each item; NaN where the fit tells no standard error."""
        return probability_negative(self.fit)

    def frame(self) -> "pandas.DataFrame":
        """One row per item, in the order of the responses."""
        import pandas

        columns = self.fit.estimates.item_columns
        discrimination = columns["discrimination"]
        table = {
            "item": self.fit.responses.items,
            "verdict": self.verdicts,
            "label_error_probability": self.label_error_probability,
            "discrimination": discrimination,
            "difficulty": columns["difficulty"],
            # The rule of Chen et al. (2019).
            "negative_discrimination": discrimination < 0,
            "probability_negative": self.probability_negative,
            "mean_response": self.fit.responses.means(axis=0),
        }
        if self.likely_labels:
            table["likely_label"] = self.likely_labels
        if self.dissent is not None:
            table["dissenters"] = [self.dissent.describe(i) for i in range(len(self.verdicts))]
        return pandas.DataFrame(table)

    def suspects(self) -> "pandas.DataFrame":
        """Rows of `frame()` with a suspect label, the most probable error first."""
        table = self.frame()
        suspect = table[table["verdict"] == SUSPECT]
        return suspect.sort_values("label_error_probability", ascending=False, kind="stable")

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

    def __repr__(self) -> str:
        counts = (f"{(self.verdicts == verdict).sum():,} {verdict}" for verdict in VERDICTS)
        return f"ItemAudit({len(self.verdicts):,} items: {', '.join(counts)})"


def audit_items(
    fit: FitResult,
    *,
    predictions: Predictions | None = None,
    false_discovery_rate: float = 0.1,
) -> ItemAudit:
    """Judge every item of a fit, and find labels that are probably wrong.

    The respondents' probabilities are pooled with weights under which they best foretell the given
    labels (`pool_evidence`); a label is wrong with the probability that a noisy channel between
    true and given labels leaves (`find_label_errors`); those most probably wrong are suspect, as
    many as keep the expected share of right labels among them at `false_discovery_rate`. All other
    items are judged by their curve (`judge_items`).

    Parameters
    ----------
    fit : of any model; of error models (`gamma`) labels are not judged.
    predictions : class probabilities behind the responses, of the same respondents and items. They
        tell which other label, and tell hard items from wrong labels where there are more than two
        classes. Without them a response in [0, 1] is the probability of the given label, the rest
        to 1 speaks for one other label, and a suspect item must also discriminate negatively (with
        probability 0.9). Suspect, too, is every item that discriminates negatively beyond doubt:
        with probability 1 − `false_discovery_rate` / items.
    false_discovery_rate : between 0 and 1.

    Examples
    --------
    >>> import itemcurve as ic
    >>> truth = ic.simulate("2pl", respondents=40, items=30, seed=1)
    >>> ic.audit_items(ic.fit(truth.responses)).frame().shape
    (30, 9)
    """
    if not 0 < false_discovery_rate < 1:
        raise EvaluationError(
            "The false-discovery rate must lie strictly between 0 and 1;",
            f"given is {false_discovery_rate}.",
            "Use 0.1 if unsure.",
        )
    _check_alignment(fit, predictions)
    verdicts = judge_items(fit)
    if predictions is None and not np.isfinite(fit.estimates.model.family.support[1]):
        return ItemAudit(fit, verdicts, None, None, (), None, false_discovery_rate)
    evidence = pool_evidence(_contrasts(fit, predictions))
    errors = find_label_errors(evidence.log_odds)
    suspect = select_discoveries(errors.probabilities, false_discovery_rate)
    if predictions is None:
        # An item that everyone fails may be hard; only a wrong label is failed by the able alone.
        negative = probability_negative(fit)
        suspect &= negative >= SURELY_NEGATIVE
        # Answers of one try say little of a single label: half of the able may have guessed. That
        # the better do worse is then the evidence, where among all items none is so by chance.
        suspect |= negative >= 1 - false_discovery_rate / len(negative)
    return ItemAudit(
        fit=fit,
        verdicts=np.where(suspect, SUSPECT, verdicts),
        label_errors=errors,
        evidence=evidence,
        likely_labels=_likely_labels(predictions, evidence),
        dissent=find_dissent(fit, predictions),
        false_discovery_rate=false_discovery_rate,
    )


def _contrasts(fit: FitResult, predictions: Predictions | None) -> NDArray[np.float64]:
    if predictions is None:
        return contrast_responses(fit.responses.array())
    return contrast_predictions(predictions)


def _likely_labels(predictions: Predictions | None, evidence: PooledEvidence) -> tuple[str, ...]:
    if predictions is None:
        return ()
    others = find_other_labels(predictions.labels, len(predictions.classes))
    best = np.argmax(evidence.log_odds, axis=1)
    return tuple(predictions.classes[row[place]] for row, place in zip(others, best, strict=True))


def _check_alignment(fit: FitResult, predictions: Predictions | None) -> None:
    if predictions is None:
        return
    responses = fit.responses
    for what, given, known in (
        ("respondents", predictions.respondents, responses.respondents),
        ("items", predictions.items, responses.items),
    ):
        if given != known:
            raise EvaluationError(
                f"Predictions must have the {what} of the fit, in the same order;",
                f"they have {len(given)}, the fit {len(known)}, and they are not the same.",
                "Use study.audit(), or build both from the same arrays.",
            )
    if len(predictions.classes) < 2:
        raise EvaluationError(
            "A label can only be wrong where there are two classes or more;",
            f"given is {len(predictions.classes)}.",
            "Name all classes of the predictions.",
        )
