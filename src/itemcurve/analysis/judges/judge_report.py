"""Which judge can be trusted: every check of every rater, in words and in numbers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.judges.judge_tests import (
    RaterTest,
    examine_consistency,
    examine_effect,
    examine_halo,
    examine_severity,
)
from itemcurve.analysis.judges.rater_agreement import measure_steadiness, tabulate_agreement
from itemcurve.analysis.judges.scale_use import EndUse, measure_ends
from itemcurve.analysis.model_fit.item_fit import adjust
from itemcurve.errors import ModelError
from itemcurve.estimation.raters.fit_raters import fit_raters
from itemcurve.estimation.raters.rater_fit import RaterFit
from itemcurve.estimation.raters.rater_model import FAMILY, TIME

if TYPE_CHECKING:
    import pandas

    from itemcurve.analysis.findings.all_findings import Findings

# A rater who gives fewer ends than this share of what others would is said to avoid them.
_FEW_ENDS = 0.25
_LOW_CONSISTENCY = 0.5


@dataclass(frozen=True, eq=False, repr=False)
class JudgeReport:
    """What is known of every rater.

    `print(report)` says it in words, the flagged first; `frame()` in numbers.

    Attributes
    ----------
    fit : what it was found from.
    rate : share of false flags to allow, within each kind of check.
    severity : in points, against the median of the other raters.
    consistency : discrimination as a share of the others' median.
    own_family : preference for respondents of the rater's family; None where none are known.
    drift : change from a rater's first to its last rating; None where times are not known.
    halo : how much more a respondent's ability counts than the quality of the answer.
    ends : use of the lowest and the highest grade.
    """

    fit: RaterFit
    rate: float
    severity: RaterTest
    consistency: RaterTest
    own_family: RaterTest | None
    drift: RaterTest | None
    halo: RaterTest | None
    ends: EndUse

    def flags(self) -> dict[str, NDArray[np.bool_]]:
        """Which raters are flagged, by what for; few of each kind are false."""
        few = self.ends.observed < _FEW_ENDS * self.ends.expected
        ends = few & (np.nan_to_num(adjust(self.ends.p), nan=1.0) <= self.rate)
        # Of two good judges one follows quality less; that alone is no reason to distrust it.
        is_low = self.fit.raters["consistency"].to_numpy() < _LOW_CONSISTENCY
        inconsistent = self.consistency.found(self.rate) & is_low
        # Of one who does not look at the answers there is no severity to speak of.
        apart = self.severity.found(self.rate) & ~inconsistent
        found = {
            "severe": apart & (self.severity.effect > 0),
            "mild": apart & (self.severity.effect < 0),
            "inconsistent": inconsistent,
        }
        if self.own_family is not None:
            found["prefers own family"] = self._signed(self.own_family, 1)
            found["harder on own family"] = self._signed(self.own_family, -1)
        if self.drift is not None:
            found["drifts"] = self.drift.found(self.rate)
        if self.halo is not None:
            found["halo"] = self.halo.found(self.rate)
        return {**found, "avoids the ends": ends}

    def _signed(self, test: RaterTest, sign: int) -> NDArray[np.bool_]:
        return test.found(self.rate) & (sign * np.nan_to_num(test.effect) > 0)

    def frame(self) -> "pandas.DataFrame":
        """One row per rater: severity, consistency, the checks with adjusted p-values, flags."""
        table = self.fit.raters.copy()
        table["steadiness"] = measure_steadiness(self.fit.ratings)
        for name, test in (("own_family", self.own_family), ("drift", self.drift)):
            if test is not None:
                table[name], table[f"{name}_p"] = test.points, test.adjusted
        if self.halo is not None:
            table["halo"], table["halo_p"] = self.halo.effect, self.halo.adjusted
        table["ends"], table["ends_expected"] = self.ends.observed, self.ends.expected
        flags = self.flags()
        table["flags"] = [
            ", ".join(name for name, found in flags.items() if found[k]) for k in range(len(table))
        ]
        return table

    def findings(self, *, mute: Iterable[str] = ()) -> "Findings":
        """The flags as findings with codes, without muted ones."""
        from itemcurve.analysis.judges.judge_findings import find_in_ratings

        return find_in_ratings(self, mute)

    @cached_property
    def has_shared_answers(self) -> bool:
        """Whether some answer was rated by more than one rater."""
        ratings = self.fit.ratings
        answer = ratings.respondent * len(ratings.items) + ratings.item
        pairs = np.unique(np.stack([answer, ratings.rater]), axis=1)
        return len(np.unique(answer)) < pairs.shape[1]

    def agreement(self) -> "pandas.DataFrame":
        """One row per pair of raters: exact agreement, kappa, and kappa corrected for severity."""
        return tabulate_agreement(self.fit.ratings)

    def __str__(self) -> str:
        """Say it for people."""
        from itemcurve.analysis.judges.judge_text import describe_judges

        return describe_judges(self)

    def __repr__(self) -> str:
        flagged = sum(bool(text) for text in self.frame()["flags"])
        return f"JudgeReport({len(self.fit.ratings.raters)} raters, {flagged} flagged)"


def judge_report(
    fit: RaterFit, *, families: Mapping[str, str] | None = None, rate: float = 0.05
) -> JudgeReport:
    """Say which raters are severe or mild, inconsistent, partial to their family, or drift.

    Each kind of check is made of all raters together, and the share of false ones among the flags
    of a kind is held at `rate` (Benjamini and Hochberg 1995).

    Parameters
    ----------
    fit : of `itemcurve.fit(ratings, "grm", raters=…)`.
    families : family of raters and respondents by id, if the fit has none; it is fitted again.
    rate : largest expected share of false flags.

    Examples
    --------
    >>> import itemcurve as ic
    >>> ratings = ic.judges.simulate_ratings(respondents=8, items=40, raters=4, seed=1)
    >>> ic.judges.judge_report(ic.fit(ratings.ratings, "grm", raters="rater"))
    JudgeReport(4 raters, 0 flagged)
    """
    if not isinstance(fit, RaterFit):
        raise ModelError(
            "Judges are reported from a fit with raters;",
            f"given is {type(fit).__name__}.",
            "Fit with ic.fit(ratings, 'grm', raters='judge') first.",
        )
    if families is not None:
        settings = replace(fit.settings, families=families)
        fit = fit_raters(fit.ratings, fit.model, settings)
    names = list(fit.covariates)
    return JudgeReport(
        fit,
        rate,
        examine_severity(fit),
        examine_consistency(fit),
        examine_effect(fit, FAMILY) if FAMILY in names else None,
        examine_effect(fit, TIME) if TIME in names else None,
        examine_halo(fit),
        measure_ends(fit),
    )
