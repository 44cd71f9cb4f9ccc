"""Labels to check: the most suspect first, with the row, the given and the likely label."""

from typing import TYPE_CHECKING

from itemcurve.analysis.items.verdicts import LABEL_ERROR, SUSPECT
from itemcurve.analysis.labels.brief_suspects import range_words
from itemcurve.analysis.labels.label_audit import FIRMNESS
from itemcurve.reports.source import Source
from itemcurve.reports.tables import PageTable, page_table

if TYPE_CHECKING:
    import pandas

# Beyond the suspect ones, so many are worth a look; nobody reads on.
_NEXT = 50
_COLUMNS = ("given_label", "likely_label")
_FACTS = (*_COLUMNS, "row", "dissenters", "in_each")
# Classes that a sentence names.
_MOST_CLASSES, _TWO = 8, 2


def label_table(source: Source) -> PageTable | None:
    """Gather labels by suspicion; None where labels were not judged."""
    audit = _judged(source)
    if audit is None:
        return None
    ranked = audit.sort_values(LABEL_ERROR, ascending=False, kind="stable", ignore_index=True)
    n_suspect = int((ranked["verdict"] == SUSPECT).sum())
    kept = ranked.head(n_suspect + _NEXT)
    if set(FIRMNESS) <= set(kept):
        kept = kept.assign(in_each=range_words(kept))
    names = ["item", LABEL_ERROR, "in_each", *_COLUMNS, "row", "dissenters", "verdict"]
    shown = kept[[name for name in names if name in kept and kept[name].astype(str).any()]].copy()
    shown["verdict"] = ["suspect" if v == SUSPECT else "next in line" for v in kept["verdict"]]
    return page_table(shown, "labels", "Labels to check", {"item": "item"})


def say_classes(source: Source) -> str:
    """Say which labels there are, what column they are of, and which is the positive one."""
    audit, notes = _judged(source), source.notes("evaluation")
    if audit is None:
        return ""
    counts = audit["given_label"].astype(str).value_counts().sort_index()
    named = [f"{name!r} ({count:,})" for name, count in counts.items()][:_MOST_CLASSES]
    more = f" and {len(counts) - _MOST_CLASSES} more" if len(counts) > _MOST_CLASSES else ""
    target = str(notes.get("target") or "")
    of = f"values of the column {target!r}" if target else "those given"
    said = f"Labels are {of}: {', '.join(named)}{more}."
    if len(counts) == _TWO:
        said += f" Positive is {counts.index[1]!r}."
    if all(str(name).lstrip("-").replace(".", "", 1).isdigit() for name in counts.index):
        said += " What these numbers stand for, the data do not say."
    return said


def item_facts(source: Source, items: list[str]) -> dict[str, list[str]]:
    """Give what the audit knows of each item beside numbers: labels, the row, who disagrees.

    Where targets are numbers, the row, with what was given and forecast.
    """
    audit = _judged(source)
    if audit is None:
        audit = source.table("audit", "item", "row")
    if audit is None:
        return {}
    if set(FIRMNESS) <= set(audit):
        audit = audit.assign(in_each=range_words(audit))
    table = audit.astype({"item": str}).drop_duplicates("item").set_index("item")
    known = [name for name in _FACTS if name in table]
    rows = table.reindex(items)[known].astype(object)
    return {
        name: ["" if v is None or v != v else str(v) for v in rows[name].tolist()] for name in known
    }


def _judged(source: Source) -> "pandas.DataFrame | None":
    """The audit's table where it has labels with numbers for how suspect they are."""
    audit = source.table("audit", "item", "verdict", LABEL_ERROR, *_COLUMNS)
    if audit is None or audit[LABEL_ERROR].dtype.kind != "f" or audit[LABEL_ERROR].isna().all():
        return None
    return audit
