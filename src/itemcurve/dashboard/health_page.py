"""Benchmark health as a document: what the run keeps of it, or worked out now."""

from typing import TYPE_CHECKING, Any

from itemcurve.analysis.health.benchmark_health import BenchmarkHealth, OptionsError, health
from itemcurve.dashboard.item_content import ItemContent
from itemcurve.dashboard.plain_tables import plain_frame
from itemcurve.errors import ItemcurveError
from itemcurve.reports.label_section import label_table
from itemcurve.reports.source import Source
from itemcurve.responses.chosen_options import ChosenOptions, find_options_file

if TYPE_CHECKING:
    import pandas

# Three permutations of so many cells take a few seconds; of more, minutes.
_MOST_CELLS = 1_000_000
_KEYS = 50
_PAIRS = 100
_KEPT = ("health", "health_headroom", "health_keys", "health_redundant")
_KEY = "suspect key"
_ITEM = {"item": "item", "first": "item", "second": "item"}


def health_page(source: Source, content: ItemContent, *, is_quick: bool = False) -> dict[str, Any]:
    """Give checks, headroom, keys to read first, copies; or why there are none.

    Parameters
    ----------
    is_quick : do not work it out where the run does not keep it and that would take seconds.
    """
    kept = [each for each in source.analyses if each.name in _KEPT]
    if kept:
        words = [str(word) for each in kept for word in each.notes.get("in words", ())]
        return _page([(a.name, a.title, a.frame) for a in kept], words, "")
    if source.notes("evaluation"):
        # Expected right answers are no keys, and the audit of labels knows more.
        reason = (
            "Benchmark health is about questions with keys. Wrong labels of this table are under "
            "To check, hard rows under Items."
        )
        return _page([], [], reason)
    rows, columns = source.fit.responses.shape
    if rows * columns > (_MOST_CELLS // 10 if is_quick else _MOST_CELLS):
        reason = (
            "There are too many answers to check while you wait. Whoever made this run can add it, "
            f"on the command line: itemcurve health {source.run or 'run'} --keep"
        )
        return _page([], [], reason)
    try:
        found = _judge(source, content)
    except ItemcurveError as error:
        return _page([], [], str(error))
    tables, words = _tables(found), str(found).splitlines()[1:]
    if label_table(source) is not None:
        tables, words = _by_audit(tables, words, source)
    return _page(tables, words, "")


def _judge(source: Source, content: ItemContent) -> BenchmarkHealth:
    groups = None
    if len(content.groups) == len(source.fit.responses.items):
        groups = dict(content.groups)
    path = None if source.opened is None else find_options_file(source.opened.path)
    if path is not None:
        try:
            options = ChosenOptions.load(path)
            return health(source.fit.responses, options=options, item_groups=groups)
        except OptionsError:
            # Those found beside a run may belong to other responses.
            pass
    return health(source.fit.responses, item_groups=groups)


def _tables(found: BenchmarkHealth) -> "list[tuple[str, str, pandas.DataFrame]]":
    keys = max(_KEYS, int(found.keys.is_suspect.sum()))
    return [
        ("health", "Checks", found.checks()),
        ("health_headroom", "Headroom", found.headroom()),
        ("health_keys", "Keys to read first", found.suspect_keys(keys)),
        ("health_redundant", "Items answered alike", found.redundant_pairs().head(_PAIRS)),
    ]


def _by_audit(
    tables: "list[tuple[str, str, pandas.DataFrame]]", words: list[str], source: Source
) -> "tuple[list[tuple[str, str, pandas.DataFrame]], list[str]]":
    """Leave labels to the audit, which knows what was predicted; here they are guessed."""
    kept = [
        (name, title, frame[frame["check"] != _KEY] if name == "health" else frame)
        for name, title, frame in tables
        if name != "health_keys"
    ]
    said = str(source.notes("audit").get("labels") or "")
    others = [line for line in words if "suspect" not in line.lower()]
    return kept, [*others, *([said] if said else [])]


def _page(
    tables: "list[tuple[str, str, pandas.DataFrame]]", words: list[str], reason: str
) -> dict[str, Any]:
    return {
        "words": words,
        "reason": reason,
        "tables": [
            plain_frame(frame, name, title, **_kinds(frame)) for name, title, frame in tables
        ],
    }


def _kinds(frame: "pandas.DataFrame") -> dict[str, str]:
    return {name: kind for name, kind in _ITEM.items() if name in frame.columns}
