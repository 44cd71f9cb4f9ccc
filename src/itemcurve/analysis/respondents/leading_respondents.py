"""Respondents by ability, with intervals on the scale people read."""

from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.curves.ability_axis import ability_axis
from itemcurve.analysis.evaluated_fits import takes_evaluations
from itemcurve.errors import ModelError
from itemcurve.estimation.result import FitResult

if TYPE_CHECKING:
    import pandas


@takes_evaluations
def leading_respondents(
    fit: FitResult,
    *,
    most: int | None = None,
    level: float = 0.9,
    tiers: "pandas.DataFrame | None" = None,
) -> "pandas.DataFrame":
    """Give respondents ranked by ability with intervals; of many, the best and the worst.

    Parameters
    ----------
    most : how many rows at most, two thirds of them from the top; all when left out.
    level : of the intervals.
    tiers : a table with columns `respondent` and `tier`.

    Returns
    -------
    Columns respondent, rank, ability, ability_se, shown (on the scale people read), lower, upper,
    is_after_gap, and tier where known.
    """
    if (most is not None and most < 2) or not 0 < level < 1:
        raise ModelError(
            "Ranked respondents need room for 2 and a level between 0 and 1.",
            f"Got most={most}, level={level}.",
            "Leave them out if unsure.",
        )
    axis = ability_axis(fit)
    table = fit.respondents[["respondent", "ability", "ability_se"]].copy()
    table["shown"] = axis.shown(table["ability"].to_numpy())
    table["lower"], table["upper"] = axis.interval(
        table["ability"].to_numpy(), table["ability_se"].to_numpy(), level
    )
    table = table.sort_values("ability", ascending=False, kind="stable", ignore_index=True)
    table.insert(1, "rank", np.arange(1, len(table) + 1))
    table["is_after_gap"] = False
    if tiers is not None:
        table["tier"] = _tiers(table, tiers)
    if most is None or len(table) <= most:
        return table
    top = most - most // 3
    kept = [*range(top), *range(len(table) - most // 3, len(table))]
    shortened = table.iloc[kept].reset_index(drop=True)
    shortened.loc[top, "is_after_gap"] = True
    return shortened


def _tiers(table: "pandas.DataFrame", tiers: "pandas.DataFrame") -> list[str]:
    if not {"respondent", "tier"} <= set(tiers.columns):
        raise ModelError(
            "Tiers are a table with columns respondent and tier.",
            f"Got the columns {', '.join(map(str, tiers.columns))}.",
            "Give a leaderboard's table.",
        )
    known = dict(zip(tiers["respondent"].astype(str), tiers["tier"].astype(str), strict=True))
    return [known.get(name, "unknown") for name in table["respondent"]]
