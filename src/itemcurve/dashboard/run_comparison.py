"""Two runs side by side: respondents on the items in both, and verdicts that changed."""

from typing import TYPE_CHECKING, Any

import numpy as np

from itemcurve.analysis.comparison.comparison_words import describe_comparison
from itemcurve.analysis.comparison.respondent_comparison import (
    RespondentComparison,
    compare_respondents,
)
from itemcurve.analysis.respondents.paired_differences import adjust_p_values
from itemcurve.dashboard.plain_tables import plain_frame
from itemcurve.dashboard.terms import GLOSSARY
from itemcurve.errors import ItemcurveError
from itemcurve.reports.source import Source

if TYPE_CHECKING:
    import pandas

_MOST = 200
_SURE = 0.05
_ROWS = 2_000


def compare_runs(
    first: Source, second: Source, ranked: "tuple[pandas.DataFrame, pandas.DataFrame]"
) -> dict[str, Any]:
    """Say what changed from the first run to the second.

    Parameters
    ----------
    ranked : the items of both, as `rank_items` gives them.
    """
    names = [set(source.fit.responses.respondents) for source in (first, second)]
    items = [set(source.fit.responses.items) for source in (first, second)]
    shared = [name for name in first.fit.responses.respondents if name in names[1]]
    both = items[0] & items[1]
    words = [
        f"{len(shared):,} respondents and {len(both):,} items are in both. "
        f"Only in the first: {len(names[0]) - len(shared):,} and {len(items[0]) - len(both):,}; "
        f"only in the second: {len(names[1]) - len(shared):,} and {len(items[1]) - len(both):,}."
    ]
    board = _respondents(first, second, shared) if shared and both else None
    if board is not None:
        words.append(_say_changes(board))
    changed = _items(ranked, both)
    count = int((changed["verdict_before"] != changed["verdict_now"]).sum()) if len(changed) else 0
    words.append(f"{count:,} of the items in both have another verdict now.")
    return {
        "words": words,
        "respondents": None
        if board is None or board.empty
        else plain_frame(board, "changes", "Respondents in both", respondent="respondent"),
        "items": plain_frame(changed.head(_ROWS), "item-changes", "Items in both", item="item"),
        "glossary": dict(GLOSSARY),
        "choices": [list(source.fit.responses.respondents)[:_ROWS] for source in (first, second)],
    }


def compare_two(first: Source, a: str, second: Source, b: str) -> dict[str, Any]:
    """Compare one respondent of a run with one of the same or another run, item by item."""
    found = compare_respondents(first.fit.responses, a, b, others=second.fit.responses)
    table = found.flips()
    return {
        "words": list(describe_comparison(found)),
        "flips": plain_frame(table.head(_ROWS), "flips", "Items that differ", item="item"),
        "summary": plain_frame(found.frame(), "difference", "Difference"),
    }


def _respondents(first: Source, second: Source, shared: list[str]) -> "pandas.DataFrame":
    import pandas

    rows = []
    for name in shared[:_MOST]:
        try:
            found: RespondentComparison = compare_respondents(
                first.fit.responses, name, name, others=second.fit.responses
            )
        except ItemcurveError:
            # Answered nothing that both runs asked.
            continue
        rows.append(
            {
                "respondent": name,
                "items": found.n_items,
                "before": found.score_a,
                "now": found.score_b,
                "difference": found.difference,
                "lower": found.lower,
                "upper": found.upper,
                "p_value": found.p_value,
            }
        )
    table = pandas.DataFrame(rows)
    if len(table):
        p_values = table["p_value"].to_numpy(float)
        table["p_adjusted"] = adjust_p_values(p_values, "holm")
        order = np.argsort(-np.abs(table["difference"].to_numpy()), kind="stable")
        table = table.iloc[order].reset_index(drop=True)
    return table


def _say_changes(board: "pandas.DataFrame") -> str:
    if board.empty:
        return "No respondent answered the same items in both."
    clear = board[board["p_adjusted"] < _SURE]
    if clear.empty:
        return f"None of {len(board):,} respondents changed beyond doubt."
    told = ", ".join(f"{r.respondent} {r.difference:+.3f}" for r in clear.head(5).itertuples())
    return f"{len(clear):,} of {len(board):,} respondents changed beyond doubt: {told}."


def _items(
    ranked: "tuple[pandas.DataFrame, pandas.DataFrame]", both: set[str]
) -> "pandas.DataFrame":
    import pandas

    columns = ["item", "verdict", "mean_response"]
    parts = [
        table[table["item"].isin(both)][[*columns, *_difficulty(table)]].set_index("item")
        for table in ranked
    ]
    before, now = parts[0].add_suffix("_before"), parts[1].add_suffix("_now")
    joined = before.join(now).reset_index()
    if joined.empty:
        return pandas.DataFrame({"item": [], "verdict_before": [], "verdict_now": []})
    is_same = (joined["verdict_before"] == joined["verdict_now"]).to_numpy()
    gap = np.abs((joined["mean_response_now"] - joined["mean_response_before"]).to_numpy())
    return joined.iloc[np.lexsort((-np.nan_to_num(gap), is_same))].reset_index(drop=True)


def _difficulty(table: "pandas.DataFrame") -> list[str]:
    return ["difficulty"] if "difficulty" in table else []
