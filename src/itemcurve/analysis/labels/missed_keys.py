"""Wrong labels where nothing but right and wrong answers is known: keys that the able miss."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.items.verdicts import probability_negative
from itemcurve.analysis.labels.false_discovery import select_discoveries
from itemcurve.analysis.labels.label_errors import LabelErrors, find_label_errors
from itemcurve.analysis.labels.pooled_evidence import (
    PooledEvidence,
    contrast_responses,
    pool_evidence,
)
from itemcurve.estimation.result import FitResult

# P(discrimination < 0) from which a label may be suspected.
SURELY_NEGATIVE = 0.9


@dataclass(frozen=True, eq=False)
class MissedKeys:
    """Labels judged by responses in [0, 1] alone.

    Attributes
    ----------
    errors : probability that each label is wrong, and the noise rate found.
    evidence : pooled log-odds against the labels, and the weight of each respondent.
    is_suspect : of each item.
    """

    errors: LabelErrors
    evidence: PooledEvidence
    is_suspect: NDArray[np.bool_]


def find_missed_keys(fit: FitResult, false_discovery_rate: float) -> MissedKeys:
    """Suspect labels that the able contradict.

    A response is the probability of the given label, the rest to 1 speaks for one other label. An
    item that everyone fails may be hard; only a wrong label is failed by the able alone, so a
    suspect item must also discriminate negatively, with probability 0.9. Suspect, too, is every
    item that discriminates negatively beyond doubt: with probability 1 − rate / items.
    """
    evidence = pool_evidence(contrast_responses(fit.responses.array()))
    errors = find_label_errors(evidence.log_odds)
    negative = probability_negative(fit)
    suspect = select_discoveries(errors.probabilities, false_discovery_rate)
    suspect &= negative >= SURELY_NEGATIVE
    # Answers of one try say little of a single label: half of the able may have guessed. That the
    # better do worse is then the evidence, where among all items none is so by chance.
    suspect |= negative >= 1 - false_discovery_rate / len(negative)
    return MissedKeys(errors, evidence, suspect)
