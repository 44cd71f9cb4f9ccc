"""The errors of classifiers one by one, in words: which are their own, which are everybody's."""

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.confusion.malformed_items import SURE_BELOW

if TYPE_CHECKING:
    import pandas

    from itemcurve.analysis.confusion.confusion_matrix import Confusion

OWN, SHARED, DOUBTFUL, OTHER = "its own", "shared", "label in doubt", ""
# Shares of the pool that hit an item, from which it is easy and down to which it is hard.
EASY_FROM = 0.8
HARD_UNTO = 0.5
_MOST_ROWS = 5


def list_errors(view: "Confusion") -> "pandas.DataFrame":
    """Give one row per error of a classifier, its own mistakes first.

    `kind` is `its own` where at least 80 % of the pool hits the item, `shared` where at least half
    of the pool misses it too, `label in doubt` where those of the pool who miss it are abler than
    those who hit it (p < 0.05). `row` counts the labels given from 1.
    """
    import pandas

    who, where = np.nonzero(~view.is_right)
    kinds = np.select(
        [
            view.pool_p_values < SURE_BELOW,
            view.pool_right >= EASY_FROM,
            view.pool_right <= HARD_UNTO,
        ],
        [DOUBTFUL, OWN, SHARED],
        default=OTHER,
    )[where]
    table = pandas.DataFrame(
        {
            "respondent": [view.respondents[place] for place in who],
            "item": [view.bank.items[place] for place in where],
            "row": where + 1,
            "given": [view.classes[place] for place in view.y_true[where]],
            "named": [view.classes[place] for place in view.y_pred[who, where]],
            "kind": kinds,
            "pool_right": view.pool_right[where],
        }
    )
    order = [OWN, DOUBTFUL, OTHER, SHARED]
    ranks = np.array([order.index(kind) for kind in kinds], dtype=int)
    return table.iloc[np.lexsort((-view.pool_right[where], ranks, who))].reset_index(drop=True)


def say_errors(view: "Confusion", link: Callable[[int], str] | None = None) -> tuple[str, ...]:
    """Say of each classifier what its errors are made of, with the rows to look at.

    Parameters
    ----------
    link : writes a row, counted from 1; as `row 7` when left out.
    """
    table = list_errors(view)
    write = link or (lambda row: f"row {row}")
    return tuple(
        _say(view, place, table[table["respondent"] == name], write)
        for place, name in enumerate(view.respondents)
    )


def _say(
    view: "Confusion", place: int, errors: "pandas.DataFrame", write: Callable[[int], str]
) -> str:
    right, total = int(view.is_right[place].sum()), len(view.bank)
    said = f"{view.respondents[place]} is right on {right} of {total} items."
    if errors.empty:
        return said
    pairs = Counter(zip(errors["given"], errors["named"], strict=True)).most_common()
    told = [f"{count} × {given!r} named {named!r}" for (given, named), count in pairs]
    more = f" and {len(told) - 3} other kinds" if len(told) > 3 else ""
    parts = [said, f"Errors: {', '.join(told[:3])}{more}."]
    own, doubtful, shared = (
        errors[errors["kind"] == kind]["row"].tolist() for kind in (OWN, DOUBTFUL, SHARED)
    )
    if own:
        what = f"{len(own)} {_be(own)} its own, where most of the pool is right"
        parts.append(f"{what} ({_list(own, write)}).")
    if doubtful:
        what = f"{len(doubtful)} {_be(doubtful)} where abler classifiers miss too: check the label"
        parts.append(f"{what} ({_list(doubtful, write)}).")
    if shared:
        parts.append(f"{len(shared)} {_be(shared)} missed by at least half of the pool too.")
    return " ".join(parts)


def _be(rows: list[int]) -> str:
    return "is" if len(rows) == 1 else "are"


def _list(rows: list[int], write: Callable[[int], str]) -> str:
    shown = ", ".join(write(row) for row in rows[:_MOST_ROWS])
    return shown + (f" and {len(rows) - _MOST_ROWS} more" if len(rows) > _MOST_ROWS else "")
