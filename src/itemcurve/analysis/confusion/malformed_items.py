"""Items that run the wrong way, with what is needed to look at them: their rows."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import EvaluationError

if TYPE_CHECKING:
    import pandas

    from itemcurve.analysis.confusion.confusion_matrix import Confusion

# Below it the pool is taken to say that an item runs the wrong way.
SURE_BELOW = 0.05


def list_malformed(view: "Confusion") -> "pandas.DataFrame":
    """Give one row per item with negative discrimination, the surest first.

    `row` counts the labels given from 1. `p_value` is the chance that those of the pool who miss
    the item are so much abler than those who hit it for no reason (one-sided rank-sum test); it is
    missing where all or none hit, and then the sign of the discrimination is not known either.
    `pool_right` is the share of the pool that hits the item, `named` the class that most
    classifiers of the view name, `hit_by` how many of them hit it.
    """
    import pandas

    found = np.flatnonzero(view.is_malformed)
    p_values = view.pool_p_values[found]
    # What the whole pool misses stands before what may be chance.
    order = np.argsort(np.where(np.isnan(p_values), SURE_BELOW, p_values), kind="stable")
    found, p_values = found[order], p_values[order]
    named = [int(np.bincount(view.y_pred[:, i]).argmax()) for i in found]
    return pandas.DataFrame(
        {
            "item": [view.bank.items[i] for i in found],
            "row": found + 1,
            "given": [view.classes[view.y_true[i]] for i in found],
            "named": [view.classes[place] for place in named],
            "hit_by": view.is_right[:, found].sum(axis=0),
            "classifiers": len(view.respondents),
            "pool_right": view.pool_right[found],
            "p_value": p_values,
            "discrimination": view.parameters["discrimination"][found],
            "difficulty": view.parameters["difficulty"][found],
        }
    )


def add_rows(
    listed: "pandas.DataFrame", view: "Confusion", rows: "pandas.DataFrame"
) -> "pandas.DataFrame":
    """Put the columns of a data table beside the items that are its rows.

    Rows are found by a column that holds the names of all items; by their number where items are
    called `row_1` and so on, as `evaluate` does; or by order where there are as many rows as items.
    One column must then tell the classes apart as the labels do: rows of other items would not.

    Parameters
    ----------
    listed : from `list_malformed`.
    rows : the table, one row per instance.
    """
    import pandas

    places = find_rows(view.bank.items, rows)
    taken = rows.iloc[places].reset_index(drop=True)
    if not any(_tells_classes(taken[name], view.y_true) for name in taken.columns):
        raise EvaluationError(
            "One column of the table must be the label of the items;",
            "no column tells their classes apart, so that its rows are others or in another order.",
            "Give the table the labels come from, target included.",
        )
    known = {item: place for place, item in enumerate(view.bank.items)}
    own = taken.iloc[[known[item] for item in listed["item"]]].reset_index(drop=True)
    # A column of the data may be called as one of ours.
    own.columns = [f"data_{name}" if name in listed else str(name) for name in own.columns]
    return pandas.concat([listed, own], axis=1)


def find_rows(items: tuple[str, ...], rows: "pandas.DataFrame") -> list[int]:
    """Give the position of each item in a table, as `add_rows` finds it."""
    for name in rows.columns:
        text = rows[name].astype(str)
        if text.is_unique and set(items) <= set(text):
            known = {value: place for place, value in enumerate(text)}
            return [known[item] for item in items]
    numbers = [item.removeprefix("row_") for item in items]
    if all(
        item.startswith("row_") and number.isdecimal() and 1 <= int(number) <= len(rows)
        for item, number in zip(items, numbers, strict=True)
    ):
        return [int(number) - 1 for number in numbers]
    if len(rows) == len(items):
        return list(range(len(items)))
    raise EvaluationError(
        "The rows of the items must be found in the table;",
        f"it has {len(rows)} rows for {len(items)} items, and no column has their names "
        f"({items[0]!r}, …).",
        "Add a column with the names of the items, or give only their rows, in order.",
    )


def _tells_classes(column: "pandas.Series", labels: NDArray[np.integer]) -> bool:
    """Whether values and labels go together one to one."""
    pairs = set(zip(column.astype(str), labels.tolist(), strict=True))
    return len(pairs) == len({value for value, _ in pairs}) == len({label for _, label in pairs})
