"""The picture of the first screen: respondents with their intervals, the best on top."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.curves.ability_axis import ability_axis
from itemcurve.analysis.respondents.leading_respondents import leading_respondents
from itemcurve.analysis.respondents.order_words import find_erratic
from itemcurve.analysis.respondents.ranking import Ranking
from itemcurve.estimation.result import FitResult
from itemcurve.reports.drawings import Tick, nice_ticks
from itemcurve.reports.numbers import write_number, write_tick

if TYPE_CHECKING:
    import pandas

_MOST = 12
_FAR = 1.0
_SURE = 0.05


@dataclass(frozen=True)
class IntervalRow:
    """One respondent: places in per cent; `kind` is best, near (not told from it) or behind."""

    name: str
    lower: float
    middle: float
    upper: float
    kind: str
    words: str


@dataclass(frozen=True)
class IntervalPicture:
    """Rows with an axis below; a line where a constant answer stands, or words where it is far."""

    rows: tuple[IntervalRow, ...]
    ticks: tuple[Tick, ...]
    label: str
    line: Tick | None
    far: str
    more: int


def draw_skills(board: "pandas.DataFrame") -> IntervalPicture:
    """Draw a leaderboard by skill, with the best constant answer as a line.

    Who is too erratic to be placed is not drawn: its interval would squeeze all others together.
    """
    ranked = board[board["rank"].notna()].sort_values("skill", ascending=False, kind="stable")
    is_erratic = ranked["respondent"].astype(str).isin(find_erratic(board))
    ranked = ranked[~is_erratic]
    constants = board[board["rank"].isna() & (board["against_constant"] != "ahead")]
    line = None
    if len(constants):
        best = constants.sort_values("skill", ascending=False, kind="stable").iloc[0]
        line = (float(best["skill"]), str(best["respondent"]))
    near = ranked["behind_best_p"].astype(float).to_numpy() >= _SURE
    ends = ranked[["skill_lower", "skill", "skill_upper"]].to_numpy(float)
    picture = draw_intervals(ranked["respondent"].astype(str).tolist(), ends, near, "skill", line)
    return replace(picture, more=picture.more + int(is_erratic.sum()))


def draw_ranks(board: "pandas.DataFrame", label: str) -> IntervalPicture:
    """Draw a leaderboard by ability; near are those of the first tier."""
    ranked = board[board["rank"].notna()]
    ends = ranked[["ability_lower", "ability", "ability_upper"]].to_numpy(float)
    near = ranked["tier"].astype(int).to_numpy() == 1
    return draw_intervals(ranked["respondent"].astype(str).tolist(), ends, near, label)


def draw_abilities(fit: FitResult, order: Ranking) -> IntervalPicture:
    """Draw abilities on the scale people read."""
    ranked = leading_respondents(fit)
    ends = ranked[["lower", "shown", "upper"]].to_numpy(float)
    near = order.probability_behind < 1 - _SURE
    return draw_intervals(list(ranked["respondent"]), ends, near, ability_axis(fit).label, None)


def draw_intervals(
    names: list[str],
    ends: "np.ndarray[tuple[int, int], np.dtype[np.float64]]",
    near: "np.ndarray[tuple[int], np.dtype[np.bool_]]",
    label: str,
    line: tuple[float, str] | None = None,
) -> IntervalPicture:
    """Draw rows of lower end, estimate, upper end; `near` are not told from the first."""
    count = min(len(names), _MOST)
    shown = ends[:count]
    known = shown[np.isfinite(shown)]
    low, high = (known.min(), known.max()) if known.size else (0.0, 1.0)
    # One that lies far off would squeeze all respondents together.
    is_near = line is not None and low - line[0] < _FAR * (high - low)
    if line is not None and is_near:
        low, high = min(low, line[0]), max(high, line[0])
    margin = 0.03 * (high - low) or 0.5
    low, high = float(low - margin), float(high + margin)

    def place(value: float) -> float:
        inside = min(max(value, low), high) if np.isfinite(value) else low
        return round(100 * (inside - low) / (high - low), 2)

    rows = []
    for row in range(count):
        lower, middle, upper = shown[row]
        kind = "best" if row == 0 else "near" if near[row] else "behind"
        rows.append(
            IntervalRow(
                names[row],
                place(lower),
                place(middle),
                place(upper),
                kind,
                f"{names[row]}: {write_number(float(middle))} "
                f"({write_number(float(lower))} to {write_number(float(upper))})",
            )
        )
    return IntervalPicture(
        tuple(rows),
        tuple(Tick(place(value), write_tick(value)) for value in nice_ticks(low, high)),
        label,
        Tick(place(line[0]), line[1]) if line is not None and is_near else None,
        f"{line[1]}, which never looks at an item, has {write_number(line[0])}"
        if line is not None and not is_near
        else "",
        len(names) - count,
    )


def _say_far(height: float, name: str) -> str:
    return f"{name}, which never looks at an item, has {write_number(height)}"
