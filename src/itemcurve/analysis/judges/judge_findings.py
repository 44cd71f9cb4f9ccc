"""Findings about ratings: what to know of the judges before trusting what they rated."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.findings.all_findings import Findings, check_codes
from itemcurve.analysis.findings.data_findings import count
from itemcurve.analysis.findings.finding_kinds import Finding, Severity
from itemcurve.analysis.judges.judge_report import JudgeReport, judge_report
from itemcurve.analysis.judges.judge_text import ADVICE, describe_flag
from itemcurve.estimation.raters.rater_fit import RaterFit

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Kinds of flags that belong together, with how serious they are.
_KINDS: dict[str, tuple[Severity, tuple[str, ...]]] = {
    "IRT040": ("note", ("severe", "mild")),
    "IRT041": ("warning", ("inconsistent",)),
    "IRT042": ("warning", ("prefers own family", "harder on own family")),
    "IRT043": ("warning", ("drifts",)),
    "IRT044": ("warning", ("halo",)),
    "IRT045": ("note", ("avoids the ends",)),
}
_MOST_NAMED = 3


def find_in_ratings(fit: RaterFit | JudgeReport, mute: Iterable[str] = ()) -> Findings:
    """Give what casts doubt on a fit of ratings, by code."""
    muted = check_codes(mute)
    report = fit if isinstance(fit, JudgeReport) else judge_report(fit)
    found = [_find_unconverged(report.fit)] if "IRT002" not in muted else []
    flags = report.flags()
    for code, (severity, kinds) in _KINDS.items():
        if code not in muted:
            found.append(_find(report, flags, code, severity, kinds))
    return Findings(tuple(finding for finding in found if finding is not None))


def _find(
    report: JudgeReport,
    flags: "dict[str, NDArray[np.bool_]]",
    code: str,
    severity: Severity,
    kinds: tuple[str, ...],
) -> Finding | None:
    concerned = [
        (kind, int(k)) for kind in kinds if kind in flags for k in np.flatnonzero(flags[kind])
    ]
    if not concerned:
        return None
    names = report.fit.ratings.raters
    shown = "; ".join(f"{names[k]} {describe_flag(report, kind, k)}" for kind, k in concerned[:3])
    more = "; …" if len(concerned) > _MOST_NAMED else ""
    advice = ADVICE[concerned[0][0]]
    return Finding(
        code,
        severity,
        f"{count(len(concerned), 'judge')} of {len(names):,}: {shown}{more}.",
        f"{advice[0].upper()}{advice[1:]}.",
        tuple(names[k] for _, k in concerned),
    )


def _find_unconverged(fit: RaterFit) -> Finding | None:
    if fit.status.is_converged:
        return None
    return Finding("IRT002", "warning", f"The fit {fit.status}.", fit.status.advice)
