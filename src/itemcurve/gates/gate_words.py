"""What a gate says: sentences, the items that changed, Markdown."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from itemcurve.analysis.comparison.comparison_words import say_missing, say_p
from itemcurve.analysis.comparison.item_flips import Direction, pick_flips

if TYPE_CHECKING:
    import pandas

    from itemcurve.analysis.comparison.respondent_comparison import RespondentComparison
    from itemcurve.gates.release_gate import GateResult

_LONGEST = 120


def describe_gate(found: "GateResult") -> list[str]:
    """Give the sentences: verdict, numbers, why, what would help, what is missing."""
    own = found.comparison
    lines = [
        f"{found.verdict.upper()}: {_place(found, 1)} against {_place(found, 0)}, margin "
        f"{found.margin:g}",
        f"{found.reason}.",
        f"Scores {own.score_b:.4f} against {own.score_a:.4f} on {own.n_items:,} items; difference "
        f"{own.difference:+.4f}, {1 - 2 * found.significance:.0%} interval {found.lower:+.4f} to "
        f"{found.upper:+.4f}, p {say_p(own.p_value)} ({own.method}).",
        f"Items answered better: {own.n_better:,}; worse: {own.n_worse:,}.",
    ]
    return lines + [say_more(found)] * (found.verdict == "cannot tell") + say_missing(own)


def say_more(found: "GateResult") -> str:
    """Say what would make the verdict clear."""
    if found.hangs_on_missing:
        return (
            "Ask again what failed; or decide what a missing answer is worth (missing=, --missing)."
        )
    if found.more_items is None:
        return "No number of items would tell if the difference stays as it is."
    return (
        f"About {found.more_items:,} more items like these would tell, in 8 of 10 cases, if the "
        f"difference stays as it is. So far: it is worse by {-found.lower:.4f} at most."
    )


def _place(found: "GateResult", side: int) -> str:
    """Name one, and where it comes from unless the name says so."""
    name = (found.comparison.a, found.comparison.b)[side]
    place = found.places[side]
    is_said = place.split(".")[0] in ("", name) or f"({place})" in name
    return name if is_said else f"{name} ({place})"


def list_changes(
    found: "RespondentComparison",
    texts: Mapping[str, str],
    answers: tuple[Mapping[str, str], Mapping[str, str]],
    direction: Direction = "all",
) -> "pandas.DataFrame":
    """List the items that changed, with what is asked and what was answered where known."""
    table = found.flips(direction, texts or None)
    for side, own in zip(("baseline", "candidate"), answers, strict=True):
        if own:
            table[f"{side}_answer"] = [own.get(item, "") for item in table["item"]]
    return table


def write_markdown(found: "GateResult", flips: int) -> str:
    """Write verdict, numbers and flips as Markdown."""
    own = found.comparison
    mark = {"ship": "✅", "regression": "❌", "cannot tell": "❔"}[found.verdict]
    lines = [
        f"## {mark} {found.verdict.capitalize()}: {_clean(own.b)} against {_clean(own.a)}",
        "",
        f"{_clean(found.reason)}.",
        "",
        "| | |",
        "|---|---|",
        f"| score of the candidate | {own.score_b:.4f} |",
        f"| score of the baseline | {own.score_a:.4f} |",
        f"| difference | {own.difference:+.4f} ({1 - 2 * found.significance:.0%} interval "
        f"{found.lower:+.4f} to {found.upper:+.4f}) |",
        f"| margin | {found.margin:g} |",
        f"| p of no difference | {say_p(own.p_value)} |",
        f"| items | {own.n_items:,}, better {own.n_better:,}, worse {own.n_worse:,} |",
        f"| method | {own.method} |",
        "",
    ]
    if found.verdict == "cannot tell":
        lines += [say_more(found), ""]
    for sentence in say_missing(own):
        lines += [_clean(sentence), ""]
    lines += _write_flips(found, "worse", flips)
    lines += _write_flips(found, "better", flips)
    return "\n".join(lines)


def _write_flips(found: "GateResult", direction: Direction, most: int) -> list[str]:
    table = found.flips(direction)
    if not most or table.empty:
        return []
    columns = [name for name in ("baseline_answer", "candidate_answer") if name in table]
    lines = [
        f"<details><summary>{len(table):,} items answered {direction}</summary>",
        "",
        "| item | baseline | candidate |" + "".join(f" {name} |" for name in columns),
        "|---|---:|---:|" + "---|" * len(columns),
    ]
    for row in pick_flips(table, most).to_dict("records"):
        cells = [row.get("text") or row["item"], f"{row['first']:g}", f"{row['second']:g}"]
        cells += [row[name] for name in columns]
        lines.append("| " + " | ".join(_clean(str(cell)) for cell in cells) + " |")
    if len(table) > most:
        lines += ["", f"… and {len(table) - most:,} more."]
    return [*lines, "", "</details>", ""]


def _clean(text: str) -> str:
    """Let nothing in a name or a question end a cell, or be read as markup."""
    flat = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    short = flat if len(flat) <= _LONGEST else flat[: _LONGEST - 1] + "…"
    return re.sub(r"([\\`*_{}\[\]<>|#])", r"\\\1", short)
