"""What a finding is, and the codes under which findings are known and muted."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Severity = Literal["warning", "note"]

CODES: Mapping[str, str] = {
    "IRT001": "constant items",
    "IRT002": "convergence",
    "IRT003": "few respondents for the model",
    "IRT004": "poor item fit",
    "IRT005": "local dependence",
    "IRT006": "suspect labels",
    "IRT007": "abilities at the edge",
    "IRT008": "boundary responses",
    "IRT009": "parameters at a bound",
    "IRT010": "models no better than a constant answer",
    "IRT011": "ability and metrics disagree",
    "IRT012": "order follows confidence",
    "IRT013": "noise or overlap",
    "IRT014": "more than one ability",
    "IRT015": "missing answers",
    "IRT016": "unused categories",
    "IRT017": "thresholds out of order",
    "IRT018": "ratings as shares",
    "IRT019": "one item decides",
    "IRT020": "poor model fit",
    "IRT021": "odd respondents",
    "IRT023": "abilities not normal",
    "IRT024": "cells answered twice",
    "IRT025": "labels corrected by models",
    "IRT026": "identifiers or dates as features",
    # Of votes between two: `fit_pairs`.
    "IRT030": "few votes",
    "IRT031": "order effect",
    "IRT032": "style changes the order",
    "IRT033": "judge at random",
    "IRT034": "unbounded strengths",
    "IRT035": "pairs that strengths do not explain",
    # Of ratings by judges: `fit(…, raters=…)`.
    "IRT040": "severe or mild judge",
    "IRT041": "inconsistent judge",
    "IRT042": "judge and its own family",
    "IRT043": "judge drifts",
    "IRT044": "halo",
    "IRT045": "judge avoids the ends",
    # Of several abilities: `fit(…, dimensions=…)`.
    "IRT050": "abilities that are one",
    "IRT051": "ability without items",
}


# While one of these stands, even as a note, no page calls its numbers trustworthy.
PROTECTING = frozenset(
    {"IRT002", "IRT010", "IRT011", "IRT012", "IRT013", "IRT014", "IRT025", "IRT026"}
)


@dataclass(frozen=True)
class Finding:
    """Something about a fit that a reader should know.

    Attributes
    ----------
    code : `IRT001` and so on; what `mute` takes.
    severity : `"warning"` casts doubt on results, a `"note"` is good to know.
    message : what was found.
    advice : what to do about it.
    concerned : ids of the items or respondents, the most striking first.
    """

    code: str
    severity: Severity
    message: str
    advice: str
    concerned: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """What findings of this code are about."""
        return CODES[self.code]
