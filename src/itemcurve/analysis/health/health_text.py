"""The health of a benchmark in words and in one table."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from itemcurve.analysis.health.benchmark_health import BenchmarkHealth

_ADVICE = {
    "all right": "drop them or ask harder ones: they tell nobody apart",
    "all wrong": "check that they can be answered and are scored rightly",
    "saturated": "they tell only the weakest apart",
    "redundant": "answered almost alike by everybody: look for copies, which weigh double",
    "suspect key": "read these questions first: correct the key or drop the item",
}


def list_checks(health: "BenchmarkHealth") -> list[dict[str, Any]]:
    """One row per check, as `BenchmarkHealth.checks` gives them."""
    counts, total = health.counts, len(health.responses.items)
    found = {
        "all right": (int(counts.all_right.sum()), counts.by_chance["all_right"]),
        "all wrong": (int(counts.all_wrong.sum()), counts.by_chance["all_wrong"]),
        "saturated": (int(counts.saturated.sum()), counts.by_chance["saturated"]),
        "redundant": (len(health.redundant.items), health.redundant.items_by_chance),
        "suspect key": (int(health.keys.is_suspect.sum()), health.keys.by_chance),
    }
    return [
        {
            "check": name,
            "items": items,
            "share": items / total,
            "by_chance": chance,
            "advice": _ADVICE[name] if items else "",
        }
        for name, (items, chance) in found.items()
    ]


def describe_health(health: "BenchmarkHealth") -> str:
    """Write what was found, the most telling first, one sentence a line."""
    respondents, items = health.responses.shape
    lines = [f"{respondents:,} respondents × {items:,} items"]
    lines += [_describe_check(row) for row in list_checks(health) if row["items"]]
    if len(lines) == 1:
        lines.append("No dead, saturated, redundant or suspect items.")
    lines += describe_cohorts(health)
    lines.append(describe_dimensions(health))
    return "\n".join(lines)


def describe_cohorts(health: "BenchmarkHealth") -> list[str]:
    """Say of each cohort what it scores, what is left, and whether its members are told apart."""
    return [
        f"{cohort.name.capitalize()}: mean score {cohort.score:.3f}, headroom "
        f"{cohort.headroom:.1%}; all of them solve {cohort.solved:.0%} of the items, none "
        f"{cohort.unsolved:.0%}; "
        f"{'' if cohort.is_told_apart else 'not '}told apart (scores spread {cohort.spread:.3f}, "
        f"those of equals {cohort.chance_spread:.3f})"
        for cohort in health.cohorts
    ]


def describe_dimensions(health: "BenchmarkHealth") -> str:
    """Say how many abilities predict best."""
    if health.dimensions is None:
        return "Too few data to say how many abilities the answers hold."
    return str(health.dimensions)


def _describe_check(row: dict[str, Any]) -> str:
    return (
        f"{row['check'].capitalize()}: {row['items']:,} items ({row['share']:.1%}; by chance "
        f"{row['by_chance']:.1f}): {row['advice']}"
    )
