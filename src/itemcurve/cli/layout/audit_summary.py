"""Labels by suspicion, for people and for machines.

`audit --json` prints::

    itemcurve, command, labels (in words), noise_rate, false_discovery_rate
    classes          [names]
    suspects         how many
    audit            [{item, row, given_label, likely_label, label_error_probability, verdict,
                     label_error_lowest, label_error_highest with --repeats}]
    failures         [{respondent, reason}]
    notes            what was decided about the data
    written          {out, corrected}, paths or null
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from itemcurve import __version__
from itemcurve.analysis.labels.brief_suspects import chance_words, range_words
from itemcurve.cli.layout.tables import Column, print_table
from itemcurve.cli.layout.terminal import clean, output, truncate
from itemcurve.evaluation.tables.model_corrections import corrections_of

if TYPE_CHECKING:
    import pandas

    from itemcurve.analysis.labels.label_audit import LabelAudit
    from itemcurve.evaluation.evaluation_result import Evaluation

_OWN = ("item", "row", "given_label", "likely_label", "label_error_probability", "verdict")
# Rates to try where none is suspect.
_LOOSER = (0.2, 0.3, 0.4, 0.5)
# Cells that the other columns take, for what a row is and for the names of classes; and the
# shortest cut of such a name.
_USED, _NEEDED, _SHORTEST_CLASS = 62, 52, 8
# Probabilities of a wrong label that are neither sure nor unsure; and the middle.
_BORDER, _HALF = 0.05, 0.5
# Numbers of suspects that differ by less are as good as the same.
_FEW_APART = 3


def print_audit(
    evaluation: "Evaluation",
    audit: "LabelAudit",
    ranked: "pandas.DataFrame",
    top: int,
    written: Mapping[str, Path | None],
) -> None:
    """Print the list of suspects, what it means and what to do with it."""
    console = output()
    for note in evaluation.notes:
        console.print(clean(note), soft_wrap=True)
    for failure in evaluation.failures:
        console.print(clean(f"Left out {failure.respondent}: {failure.reason}"), soft_wrap=True)
    console.print()
    count = int(audit.is_suspect.sum())
    shown = ranked.head(top)
    title = f"Labels to look at ({min(top, count):,} of {count:,} suspects)"
    if not count:
        title = "No label is sure enough to be suspect; the first to look at"
    elif count < top:
        title = f"Labels to look at ({count:,} suspects, then the next in line)"
    print_table(console, title, _columns(shown, evaluation, console.width))
    said = [
        clean(audit.say()),
        _say_firmness(audit),
        _say_looser(audit),
        _say_next(count, written),
    ]
    for sentence in filter(None, said):
        console.print(sentence, soft_wrap=True)


def _columns(shown: "pandas.DataFrame", evaluation: "Evaluation", width: int) -> list[Column]:
    cut = _cut_names(shown, max((width - _NEEDED) // 2, _SHORTEST_CLASS))
    pairs = zip(shown["given_label"], shown["likely_label"], strict=True)
    columns = [
        Column("item", list(shown["item"])),
        Column("row", [f"{row:,}" for row in shown["row"]]),
        Column("label → likely", [f"{cut[given]} → {cut[other]}" for given, other in pairs], True),
        Column("P(wrong)", [chance_words(value) for value in shown["label_error_probability"]]),
        *_in_each(shown),
        Column("verdict", list(shown["verdict"]), is_text=True, is_optional=True),
    ]
    if evaluation.rows:
        known = dict(zip(evaluation.responses.items, evaluation.rows, strict=True))
        room = max(width - _USED, 12)
        cells = [truncate(clean(known[item]), room) for item in shown["item"]]
        columns.append(Column("what it is", cells, is_text=True, is_optional=True))
    return columns


def _cut_names(shown: "pandas.DataFrame", room: int) -> dict[str, str]:
    """Cut names of classes to so many cells: their ends, or their starts where ends differ."""
    names = {*shown["given_label"], *shown["likely_label"]}
    cut = {name: truncate(clean(name), room) for name in names}
    if len(set(cut.values())) < len(names):
        return {name: name if len(name) <= room else f"…{clean(name)[1 - room :]}" for name in cut}
    return cut


def _in_each(shown: "pandas.DataFrame") -> list[Column]:
    """What single cross-validations say, where there were several."""
    if "label_error_lowest" not in shown:
        return []
    return [Column("in each", range_words(shown), is_optional=True)]


def _say_firmness(audit: "LabelAudit") -> str:
    """Say how firm the list is: what moves with the folds, or that nobody knows."""
    each, wrong = audit.each, audit.probability_wrong
    if each is None:
        if not ((wrong > _BORDER) & (wrong < 1 - _BORDER)).any():
            return ""
        return (
            "P(wrong) of rows between sure and unsure moves with how rows are parted: --cv 5 "
            "--repeats 3 judges by three cross-validations and says how far they agree."
        )
    firm = audit.is_suspect & (each.min(axis=0) >= _HALF)
    count = int(audit.is_suspect.sum())
    said = f"Judged by {len(each)} cross-validations together (in each: the lowest and highest)"
    other = count - int(firm.sum())
    if count and not other:
        said = f"{said}; every suspect is more probably wrong than right in all of them"
    elif count:
        said = (
            f"{said}; {int(firm.sum()):,} of the {count:,} suspects are more probably wrong than "
            f"right in all of them, {other:,} in some only: look at these with more doubt"
        )
    return " ".join(filter(None, (f"{said}.", _say_alone(audit.found_alone))))


def _say_alone(counts: tuple[int, ...]) -> str:
    """Say how many suspects each cross-validation would find by itself, where they disagree."""
    if len(set(counts)) < 2:
        return ""
    *most, last = [f"{number:,}" for number in sorted(counts)]
    said = f"Each by itself would suspect {', '.join(most)} and {last}"
    if max(counts) - min(counts) < _FEW_APART:
        return f"{said}."
    return f"{said}: how many there are is less firm than which come first."


def _say_looser(audit: "LabelAudit") -> str:
    """Say how some would be suspect, where none is."""
    from itemcurve.analysis.labels.false_discovery import select_discoveries

    if audit.is_suspect.any():
        return ""
    rate = audit.false_discovery_rate
    for looser in _LOOSER:
        count = int(select_discoveries(audit.probability_wrong, looser).sum())
        if looser > rate and count:
            return f"With --fdr {looser:g} {_first(count)} would be suspect."
    for looser in (rate, *_LOOSER):
        count = int(select_discoveries(audit.noise.probability_wrong, looser).sum())
        if looser >= rate and count:
            option = "" if looser == rate else f" --fdr {looser:g}"
            return (
                "If you know that classes do not overlap here, "
                f"--no-noise-check{option} suspects {_first(count)}."
            )
    return ""


def _first(count: int) -> str:
    return "the first one" if count == 1 else f"the first {count:,}"


def _say_next(count: int, written: Mapping[str, Path | None]) -> str:
    parts = []
    if written["out"] is not None:
        parts.append(f"All rows by suspicion are in {written['out']}.")
    if written["corrected"] is not None:
        word = "label" if count == 1 else "labels"
        listed = corrections_of(written["corrected"]).name
        parts.append(
            f"{written['corrected']} has {count:,} {word} changed to the likely one; {listed} "
            "beside it says which."
            if count
            else f"{written['corrected']} is the table as it was: no label is suspect, and none "
            "was changed."
        )
    if not parts:
        return (
            "Look at these rows; --out list.csv writes all of them with their columns, "
            "--corrected clean.csv the table with the likely labels."
        )
    if not count:
        return " ".join(parts)
    if written["corrected"] is not None:
        parts.append(
            "Nobody has looked at these, and models judged on that table agree with themselves: "
            "keep a change only where somebody found the label wrong."
        )
    return " ".join([*parts, "Look at these rows before you rely on a change."])


def describe_audit(
    evaluation: "Evaluation",
    audit: "LabelAudit",
    ranked: "pandas.DataFrame",
    written: Mapping[str, Path | None],
) -> dict[str, Any]:
    """Give the object that `--json` prints."""
    return {
        "itemcurve": __version__,
        "command": "audit",
        "labels": audit.say(),
        "noise_rate": audit.noise_rate,
        "false_discovery_rate": audit.false_discovery_rate,
        "classes": list(audit.predictions.classes),
        "suspects": int(audit.is_suspect.sum()),
        "audit": ranked[[*_OWN, *audit.firmness]].to_dict("records"),
        "failures": [{"respondent": f.respondent, "reason": f.reason} for f in evaluation.failures],
        "notes": list(evaluation.notes),
        "written": {name: None if path is None else str(path) for name, path in written.items()},
    }
