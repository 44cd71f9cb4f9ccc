"""Where two respondents differ: the comparison within each group of items (task, subject)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.comparison.answer_pairs import AnswerPairs
from itemcurve.analysis.comparison.respondent_comparison import compare_pairs
from itemcurve.analysis.respondents.paired_differences import adjust_p_values

if TYPE_CHECKING:
    import pandas


def compare_groups(
    pairs: AnswerPairs, groups: Mapping[str, str], *, level: float = 0.9
) -> "pandas.DataFrame":
    """Compare two respondents within each group of items.

    Groups with fewer than two items that both answered are left out, and so are items of no group.
    Clusters do not count here: tasks are often the clusters.

    Returns
    -------
    Columns group, items, score_a, score_b, difference, lower, upper, p_value, and adjusted_p, which
    holds down the share of false ones among the differences found (Benjamini and Hochberg); in the
    order in which groups first occur.
    """
    import pandas

    names = np.array([groups.get(item, "") for item in pairs.items], dtype=object)
    shared, rows = pairs.is_shared, []
    for name in dict.fromkeys(names.tolist()):
        here = shared & (names == name)
        if not name or here.sum() < 2:
            continue
        own = replace(pairs.take(here), clusters=None)
        found = compare_pairs(own, level=level).frame().iloc[0]
        columns = ("items", "score_a", "score_b", "difference", "lower", "upper", "p_value")
        rows.append({"group": name, **{column: found[column] for column in columns}})
    table = pandas.DataFrame(rows)
    if rows:
        p_values = table["p_value"].to_numpy(dtype=np.float64)
        table["adjusted_p"] = adjust_p_values(p_values, "false-discovery")
    return table
