"""Strengths from votes with intervals: the forest plot of an arena."""

from typing import TYPE_CHECKING, Any

from itemcurve.pairs.pair_fit import PairFit
from itemcurve.plots.drawing.forest import name_rows, write_beside
from itemcurve.plots.drawing.style import COLOURS, FAINT, add_legend, new_axes, set_title

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

# Tiers beyond these share one legend entry: colours would come round again.
_MOST_TIERS = len(COLOURS)


def strengths(result: PairFit, *, most: int = 30, ax: "Axes | None" = None) -> "Axes":
    """Draw each respondent's strength with its interval, the strongest on top.

    Respondents of one tier share a colour. At the right stands the share of wins to expect against
    all others. An interval without an end, of who won or lost everything, is drawn to the edge. The
    table of this picture is `fit.frame()`.

    Parameters
    ----------
    result : of `fit_pairs`.
    most : of more respondents, the strongest and the weakest are drawn.
    ax : axes to draw on; new ones when left out.
    """
    table, gap = _some(result.frame(), most)
    ax = new_axes(ax, (7.0, max(2.4, 1.1 + 0.24 * len(table))))
    heights = list(range(len(table), 0, -1))
    edges = _edges(table)
    for place, tier in enumerate(dict.fromkeys(table["tier"])):
        own = [index for index, other in enumerate(table["tier"]) if other == tier]
        _draw_tier(ax, table.iloc[own], [heights[i] for i in own], edges, place, int(tier))
    rates = table["expected_win_rate"]
    write_beside(ax, heights, (f"{rate:.0%}" if rate == rate else "–" for rate in rates))
    if gap is not None:
        ax.axhline(heights[gap] + 0.5, color=FAINT, lw=1, ls=(0, (1, 3)))
    name_rows(ax, heights, table["respondent"])
    ax.set(xlabel="strength (logits)", xlim=edges)
    total = len(result.respondents)
    shown = f"{len(table)} of {total:,}, best and worst" if gap else f"{total:,} respondents"
    level = result.settings.level
    set_title(ax, "Strengths", f"{level:.0%} intervals; {shown}; at the right, wins to expect")
    add_legend(ax, bbox_to_anchor=(1.09, 1.0))
    return ax


def _some(table: "pandas.DataFrame", most: int) -> "tuple[pandas.DataFrame, int | None]":
    """Leave out the middle of many; give also where it was."""
    if len(table) <= most:
        return table, None
    top = most - most // 3
    kept = [*range(top), *range(len(table) - most // 3, len(table))]
    return table.iloc[kept].reset_index(drop=True), top


def _edges(table: "pandas.DataFrame") -> tuple[float, float]:
    ends: Any = table[["lower", "upper"]].to_numpy().ravel()
    known = [end for end in ends if abs(end) < float("inf")]
    low, high = min(known), max(known)
    room = 0.05 * (high - low or 1.0)
    return low - room, high + room


def _draw_tier(
    ax: "Axes",
    part: "pandas.DataFrame",
    heights: list[int],
    edges: tuple[float, float],
    place: int,
    tier: int,
) -> None:
    colour = COLOURS[place % len(COLOURS)]
    label = f"tier {tier}" if place < _MOST_TIERS else None
    lower, upper = part["lower"].clip(lower=edges[0]), part["upper"].clip(upper=edges[1])
    ax.hlines(heights, lower, upper, color=colour, lw=2, alpha=0.55)
    known = part["strength"].abs() < float("inf")
    points = [height for height, is_known in zip(heights, known, strict=True) if is_known]
    ax.plot(part["strength"][known], points, "o", color=colour, ms=5, label=label)
    for height, strength in zip(heights, part["strength"], strict=True):
        if abs(strength) == float("inf"):
            # A little inside, clear of the names and the shares beside the axes.
            inside = 0.015 * (edges[1] - edges[0])
            marker = ">" if strength > 0 else "<"
            edge = edges[1] - inside if strength > 0 else edges[0] + inside
            ax.plot([edge], [height], marker, color=colour, ms=6)
