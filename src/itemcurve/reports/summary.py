"""The summary: who is best, how sure that is, which items to look at, whether to trust it."""

from dataclasses import dataclass

from itemcurve.analysis.curves.ability_axis import ability_axis
from itemcurve.analysis.findings.all_findings import Findings
from itemcurve.analysis.findings.finding_kinds import PROTECTING
from itemcurve.analysis.items.verdicts import SUSPECT
from itemcurve.analysis.respondents.ranking import Ranking
from itemcurve.estimation.result import FitResult
from itemcurve.reports.numbers import write_number, write_share


@dataclass(frozen=True)
class Summary:
    """Plain sentences, and a verdict on the fit in one word.

    Attributes
    ----------
    best, items, trust : one paragraph each.
    is_trustworthy : whether no finding casts doubt on the results.
    """

    data: str
    best: str
    items: str
    trust: str
    is_trustworthy: bool


def summarise(fit: FitResult, order: Ranking, verdicts: dict[str, int], found: Findings) -> Summary:
    """Write the summary of a fit.

    Parameters
    ----------
    verdicts : number of items by verdict.
    """
    return Summary(
        say_data(fit),
        _best(fit, order),
        _items(fit, verdicts),
        say_trust(found),
        found.is_trustworthy,
    )


def say_data(fit: FitResult) -> str:
    """Say how many answered how much."""
    n_respondents, n_items = fit.responses.shape
    share = fit.responses.n_observed / (n_respondents * n_items)
    missing = "" if share == 1 else f" ({write_share(share)} of the cells were observed)"
    return f"{n_respondents:,} respondents answered {n_items:,} items{missing}."


def _best(fit: FitResult, order: Ranking) -> str:
    axis = ability_axis(fit)
    unit = axis.label.removeprefix("ability ").strip("()")
    lower, upper = axis.interval(order.ability[:1], order.ability_se[:1], 0.9)
    shown = write_number(float(axis.shown(order.ability[:1])[0]))
    first = (
        f"{order.respondents[0]} is best, with an ability of {shown} ({unit}; 90 % interval "
        f"{write_number(float(lower[0]))} to {write_number(float(upper[0]))})."
    )
    # An estimate is never certain, though a 64-bit number may be.
    chance = min(float(order.probability_behind[1]), 0.9999)
    second = (
        f"It is ahead of {order.respondents[1]}, the second, with probability {write_share(chance)}"
    )
    tied = order.n_tied
    if tied == 0:
        third = ", and clearly ahead of everybody."
    elif tied == 1:
        third = ": these two cannot be told apart."
    else:
        third = f"; {tied:,} others cannot be told apart from it."
    return f"{first} {second}{third} {_separation(order.reliability)}"


def _separation(reliability: float) -> str:
    if reliability != reliability:
        return ""
    word = "well" if reliability >= 0.8 else "moderately" if reliability >= 0.5 else "poorly"
    return f"The items separate the respondents {word} (reliability {reliability:.2f})."


def _items(fit: FitResult, verdicts: dict[str, int]) -> str:
    total = len(fit.responses.items)
    suspect = verdicts.get(SUSPECT, 0)
    first = (
        f"Of {total:,} items, {suspect:,} {_has(suspect)} a suspect label: better respondents do "
        "worse on them, so check their labels first."
        if suspect
        else f"None of the {total:,} items has a suspect label."
    )
    dull = verdicts.get("uninformative", 0) + verdicts.get("constant", 0)
    if not dull:
        return first
    verb = "tells" if dull == 1 else "tell"
    return f"{first} {dull:,} {verb} little or nothing about who is better."


def say_trust(found: Findings) -> str:
    """Say whether a check casts doubt on the numbers, and which."""
    if found.is_trustworthy:
        return "The fit can be trusted: it converged and no check casts doubt on it."
    warnings = [finding for finding in found if finding.severity == "warning"]
    doubts = warnings or [finding for finding in found if finding.code in PROTECTING]
    titles = ", ".join(f"{finding.title} ({finding.code})" for finding in doubts)
    if warnings:
        return f"Read the results with care. What casts doubt on them: {titles}."
    return f"The fit converged; before you rely on the order, read: {titles}."


def _has(number: int) -> str:
    return "has" if number == 1 else "have"
