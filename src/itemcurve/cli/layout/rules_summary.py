"""Rules of adaptive tests compared, for people: which places respondents, after how many items.

`adapt plan --rules --json` prints::

    command, best, not_told_from_best, first_to_place
    rules            [{rule, converged, …, remains_then, ability_se_then, places_after}]
    error_unasked, score_unasked, ability_sd, tells
    finding          {code, message, advice} that speaks against tests of few items, or null
"""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from itemcurve.adaptive.simulation.rule_comparison import PLACED

if TYPE_CHECKING:
    from itemcurve.adaptive.simulation.rule_comparison import RuleComparison
    from itemcurve.analysis.findings.finding_kinds import Finding


def describe_rules(found: "RuleComparison", doubt: "Finding | None") -> dict[str, Any]:
    """Give the object that `--json` prints."""
    told = None
    if doubt is not None:
        told = {"code": doubt.code, "message": doubt.message, "advice": doubt.advice}
    return {
        "command": "adapt plan",
        "rules": found.frame().to_dict("records"),
        "best": found.best,
        "not_told_from_best": list(found.not_told_from_best()),
        "first_to_place": found.first_to_place,
        "error_unasked": float(found.unasked.mean()),
        "score_unasked": found.score_unasked,
        "ability_sd": found.ability_sd,
        "tells": found.tells,
        "finding": told,
    }


def print_rules(found: "RuleComparison", doubt: "Finding | None", calibration: Path) -> None:
    """Print one line per rule, what they say, and what to do next."""
    from itemcurve.cli.layout.tables import Column, print_table
    from itemcurve.cli.layout.terminal import output

    console, size = output(), found.errors.shape[2]
    groups = _alike(found)
    heads = ["halves error\nof score after", "converged\nafter", "middle\nhalf"]
    heads += ["error of score\nleft then", "ability\n± then"]
    columns = [Column("rule", [", ".join(rules) for rules in groups.values()], is_text=True)]
    columns += [
        Column(head, list(own)) for head, own in zip(heads, zip(*groups, strict=True), strict=True)
    ]
    print_table(console, f"Tests for ability by rule, of {size:,} items", columns)
    for line in say_rules(found, doubt, calibration):
        console.print(line, soft_wrap=True)


def say_rules(found: "RuleComparison", doubt: "Finding | None", calibration: Path) -> list[str]:
    """Give what is printed below the table: what the comparison says and what to do next."""
    run = shlex.quote(str(calibration))
    said = [_say_placed(found), _say_alike(found), _say_meaning(found)]
    if doubt is not None:
        said.append(f"{doubt.code}: {doubt.message} {doubt.advice}")
    rule = found.first_to_place if found.tells else None
    if rule is None:
        said.append(f"Next: why, and what would help: itemcurve findings {run}")
    else:
        said.append(
            f"Next: itemcurve adapt start session.json --bank {run} --select {rule} "
            f"--max-items {found.places_after(rule)}"
        )
    said.append(
        "For the score instead, to the precision you need, with items that no model of ability has "
        f"to hold for: itemcurve adapt plan {run} --half-width 0.05"
    )
    return [line for line in said if line]


def _say_placed(found: "RuleComparison") -> str:
    """Which rule places respondents first, or why none is recommended."""
    size, last = found.errors.shape[2], float(found.score_errors[0, -1])
    nothing = f"asking nothing (what is expected of the others) {found.score_unasked:.3f}"
    rule = found.first_to_place if found.tells else None
    if rule is None:
        hardly = (
            "What respondents answer to some items hardly tells what they answer to the others"
            if not found.tells
            else f"Errors of {found.best} stop changing after {_median(found):g} (median) only "
            "because they hardly change at all"
        )
        return (
            f"These items place nobody, and no test of them is recommended: all {size:,} leave an "
            f"error of {last:.3f} in the score on all items, {nothing}: "
            f"{last / max(found.score_unasked, 1e-12):.0%} of it remains (of single responses "
            f"{found.errors[:, :, -1].mean():.3f} of {found.unasked.mean():.3f}). {hardly}."
        )
    count = found.places_after(rule)
    assert count is not None
    place = found.rules.index(rule)
    return (
        f"{rule} places respondents first: after {count:,} of {size:,} items "
        f"{found.remaining[place, count - 1]:.0%} of the error of asking nothing is left "
        f"({found.score_errors[place, count - 1]:.3f} in the score on all items, {nothing}, all "
        f"items {last:.3f}) and ability is known to ± {found.ability_se[place, count - 1]:.2f} "
        f"(abilities spread by {found.ability_sd:.2f}).{_say_convergence(found)}"
    )


def _say_convergence(found: "RuleComparison") -> str:
    """When errors of single responses stopped changing, which may be long before."""
    place, after = found.rules.index(found.best), int(np.ceil(_median(found)))
    left = float(found.remaining[place, after - 1])
    near = found.not_told_from_best()
    apart = f"; not told from it: {', '.join(near)}" if near else ""
    told = (
        f" {found.best} converges first, after {_median(found):g} (median of "
        f"{len(found.respondents):,} tests{apart}), where {left:.0%} is left, ability ± "
        f"{found.ability_se[place, after - 1]:.2f}"
    )
    return f"{told}: too early to end a test." if left > PLACED else f"{told}."


def _alike(found: "RuleComparison") -> dict[tuple[str, ...], list[str]]:
    """Give the cells of each line, with the rules that it is the line of."""
    from itemcurve.cli.layout.terminal import number

    groups: dict[tuple[str, ...], list[str]] = {}
    for row in found.frame().to_dict("records"):
        after = row["places_after"]
        cells = (
            "never" if after != after else f"{after:g}",
            f"{row['converged']:g}",
            f"{row['converged_lower']:g} to {row['converged_upper']:g}",
            f"{row['remains_then']:.0%}",
            number(row["ability_se_then"]),
        )
        groups.setdefault(cells, []).append(row["rule"])
    return groups


def _say_alike(found: "RuleComparison") -> str:
    joined = [" and ".join(rules) for rules in _alike(found).values() if len(rules) > 1]
    return f"Equal in all numbers here, on one line: {'; '.join(joined)}." if joined else ""


def _say_meaning(found: "RuleComparison") -> str:
    return (
        "Halved: from there on at most half of the error of asking nothing is left in the score, "
        "the mean over all items. Converged: the error of single responses stays within 5 % of its "
        "last, which is mostly noise. Every respondent is tested against items calibrated without "
        "it."
    )


def _median(found: "RuleComparison") -> float:
    return float(np.median(found.converged[found.rules.index(found.best)]))
