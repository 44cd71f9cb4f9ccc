"""Flips: the items on which two respondents differ, the largest changes first."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

import numpy as np

from itemcurve.analysis.comparison.answer_pairs import AnswerPairs

if TYPE_CHECKING:
    import pandas

Direction = Literal["better", "worse", "all"]


def list_flips(
    pairs: AnswerPairs,
    *,
    direction: Direction = "all",
    texts: Mapping[str, str] | None = None,
) -> "pandas.DataFrame":
    """List the items that the second answered better or worse than the first.

    Parameters
    ----------
    texts : what each item asks, by id; without them there is no such column.

    Returns
    -------
    Columns item, change (`better` or `worse`), first, second and difference (above 0 is better);
    worse ones first, of each kind the largest difference first, then in the order of the items.
    """
    import pandas

    gap = pairs.gap
    kept = pairs.is_shared & (gap != 0)
    if direction != "all":
        kept &= gap > 0 if direction == "better" else gap < 0
    places = np.flatnonzero(kept)
    places = places[np.lexsort((-np.abs(gap[places]), gap[places] > 0))]
    items = [pairs.items[place] for place in places.tolist()]
    table = pandas.DataFrame(
        {
            "item": items,
            "change": np.where(gap[places] > 0, "better", "worse"),
            "first": pairs.sign * pairs.first[places],
            "second": pairs.sign * pairs.second[places],
            "difference": gap[places],
        }
    )
    if texts is not None:
        table["text"] = [texts.get(item, "") for item in items]
    return table


def pick_flips(table: "pandas.DataFrame", most: int) -> "pandas.DataFrame":
    """Pick some flips to show: the largest; where all are alike, spread over the whole list.

    Items stand in the order of the benchmark, often subject by subject: the first few would all be
    of one.
    """
    if len(table) <= most or not most or table["difference"].nunique() > 1:
        return table.head(most)
    return table.iloc[np.linspace(0, len(table) - 1, most).round().astype(int)]
