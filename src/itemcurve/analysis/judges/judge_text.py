"""The report on judges in words."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from itemcurve.analysis.judges.judge_report import JudgeReport

ADVICE = {
    "severe": "compare models by ability or fair rating, not by the mean of whoever rated them",
    "mild": "compare models by ability or fair rating, not by the mean of whoever rated them",
    "inconsistent": "its ratings say little about quality: check its prompt, or drop it",
    "prefers own family": "let others judge that family",
    "harder on own family": "let others judge that family",
    "drifts": "rate in random order, or check whether the judge was changed",
    "halo": "it rates the model more than the answer: hide who answered",
    "avoids the ends": "it tells the best and the worst less apart: say what the ends mean",
}
_SIDES = {"severe": "lower", "mild": "higher"}
# Of more judges with the same flag, one sentence tells.
_FEW = 2


def describe_judges(report: "JudgeReport") -> str:
    """Write what was found, flags first, one sentence a line."""
    fit = report.fit
    lines = [
        f"{len(fit.ratings.raters)} judges, {len(fit.ratings):,} ratings of "
        f"{len(fit.ratings.respondents):,} respondents on {len(fit.ratings.items):,} items"
    ]
    if not fit.status.is_converged:
        lines.append(f"The fit {fit.status}. {fit.status.advice}")
    found = describe_flags(report)
    lines += found or ["No judge is flagged."]
    lines += [_spread_of_severity(report), _trust(report), _tastes(report)]
    agreement = report.agreement()
    if len(agreement):
        lines.append(
            f"Pairs of judges agree exactly in {agreement['exact'].mean():.0%} of shared answers; "
            f"weighted kappa {agreement['agreement'].mean():.2f}, corrected for severity "
            f"{agreement['agreement_corrected'].mean():.2f}."
        )
    if not report.has_shared_answers:
        lines.append(
            "No answer was rated by two judges: severities are compared by way of respondents and "
            "items in common. Let two judges rate some of the same answers, to see whether they "
            "agree."
        )
    return "\n".join(lines)


def describe_flags(report: "JudgeReport") -> list[str]:
    """One sentence per flag; of many judges with the same, one for all of them."""
    raters = report.fit.ratings.raters
    lines = []
    for kind, found in report.flags().items():
        flagged = [k for k in range(len(raters)) if found[k]]
        said = [f"{raters[k]} {describe_flag(report, kind, k)}" for k in flagged]
        if len(flagged) > _FEW:
            said = ["; ".join(said)]
            if kind in ("severe", "mild"):
                said = [_all_apart(report, kind, flagged)]
        lines += [f"{line}: {ADVICE[kind]}." for line in said]
    return lines


def _all_apart(report: "JudgeReport", kind: str, flagged: list[int]) -> str:
    """Several judges apart from the others, the farthest first."""
    points = {k: abs(report.severity.effect[k]) for k in flagged}
    named = [
        f"{report.fit.ratings.raters[k]} ({points[k]:.2f})"
        for k in sorted(points, key=lambda k: -points[k])
    ]
    return (
        f"{', '.join(named[:-1])} and {named[-1]} {_rate(report, several=True)} the same answers "
        f"so many points {_SIDES[kind]} than others"
    )


def _rate(report: "JudgeReport", several: bool = False) -> str:
    """Say that they do, or that they would, where no answer was rated by two."""
    if not report.has_shared_answers:
        return "would rate"
    return "rate" if several else "rates"


def describe_flag(report: "JudgeReport", kind: str, k: int) -> str:
    """Say what was found of a judge, as the rest of a sentence that begins with its name."""
    if kind in ("severe", "mild"):
        points = abs(report.severity.effect[k])
        return f"{_rate(report)} the same answers {points:.2f} points {_SIDES[kind]} than others"
    if kind == "inconsistent":
        return f"follows quality {max(report.consistency.effect[k], 0):.0%} as closely as others"
    if "family" in kind and report.own_family is not None:
        side = "more" if report.own_family.points[k] > 0 else "less"
        return f"gives its own family {abs(report.own_family.points[k]):.2f} points {side}"
    if kind == "drifts" and report.drift is not None:
        return f"changed by {report.drift.points[k]:+.2f} points from its first rating to its last"
    if kind == "halo":
        return "follows who answered beyond what the answer is worth"
    observed, expected = report.ends.observed[k], report.ends.expected[k]
    return f"gave an end of the scale in {observed:.1%} of ratings, others would in {expected:.1%}"


def _spread_of_severity(report: "JudgeReport") -> str:
    table = report.fit.raters.sort_values("severity")
    low, high = table.iloc[0], table.iloc[-1]
    respondents = report.fit.respondents["fair_rating"]
    return (
        f"Severity: from {low['rater']} ({low['severity']:+.2f} points) to "
        f"{high['rater']} ({high['severity']:+.2f}); respondents' fair ratings span "
        f"{respondents.max() - respondents.min():.2f} points."
    )


def _trust(report: "JudgeReport") -> str:
    table = report.fit.raters.sort_values("consistency", ascending=False)
    best, worst = table.iloc[0], table.iloc[-1]
    return (
        f"Consistency: {best['rater']} follows shared quality most ({best['consistency']:.2f}), "
        f"{worst['rater']} least ({worst['consistency']:.2f})."
    )


def _tastes(report: "JudgeReport") -> str:
    spreads = report.fit.spreads
    respondents, items = spreads["tastes_for_respondents"], spreads["tastes_for_items"]
    return (
        f"Tastes: judges see the same respondent apart by {respondents:.2f} standard deviations of "
        f"ability and the same item by {items:.2f} logits; answers to one item differ by "
        f"{spreads['answers']:.2f} standard deviations."
    )
