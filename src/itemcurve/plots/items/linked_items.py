"""Common items of two calibrations on one scale, and those that drifted."""

from typing import TYPE_CHECKING

from itemcurve.analysis.linking.bank_link import BankLink
from itemcurve.plots.drawing.style import COLOURS, add_legend, new_axes, set_title, short

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

_MOST_NAMES = 8
# Items of larger errors would push all others together.
_LARGEST_ERROR = 1.5


def linked_items(result: BankLink, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the location of each common item in both calibrations, once they are on one scale.

    Items on the diagonal did not move. Bars are standard errors times 1.96.

    Parameters
    ----------
    result : of `itemcurve.link`.
    ax : axes to draw on; new ones when left out.
    """
    ax = new_axes(ax)
    table = result.frame()
    for is_drifted, colour, label in ((False, COLOURS[0], "same"), (True, COLOURS[1], "drifted")):
        own = table[table["drifted"] == is_drifted]
        if own.empty:
            continue
        ax.errorbar(
            own["location"],
            own["other_location"],
            xerr=1.96 * own["location_se"],
            yerr=1.96 * own["other_location_se"],
            fmt="o",
            ms=6,
            lw=0.8,
            color=colour,
            ecolor=(*_rgb(colour), 0.35),
            label=f"{label} ({len(own)})",
        )
    outside = _look_at_told(ax, table)
    moved = table[table["drifted"]].sort_values("p_drift")
    for row in moved.head(_MOST_NAMES).to_dict("records"):
        place = row["location"], row["other_location"]
        ax.annotate(
            short(row["item"]), place, xytext=(6, 6), textcoords="offset points", fontsize=9
        )
    ax.set(xlabel="location in the base", ylabel="location in the other, on the base's scale")
    said = f"ability = {result.slope:.2f} × its ability {result.shift:+.2f}; {len(table)} in common"
    said += f", {outside} of them outside: hardly told" if outside else ""
    set_title(ax, "Common items of two calibrations", said)
    add_legend(ax)
    return ax


def _look_at_told(ax: "Axes", table: "pandas.DataFrame") -> int:
    """Draw the diagonal where items are told; how many lie outside, as flat items do."""
    both = table[["location", "other_location"]].to_numpy(float)
    errors = table[["location_se", "other_location_se"]].to_numpy(float)
    is_told = (errors <= _LARGEST_ERROR).all(axis=1) | table["drifted"].to_numpy(bool)
    if not is_told.any():
        is_told[:] = True
    low = float((both - 1.96 * errors)[is_told].min()) - 0.3
    high = float((both + 1.96 * errors)[is_told].max()) + 0.3
    ax.plot([low, high], [low, high], color="0.6", lw=1, zorder=0)
    ax.set(xlim=(low, high), ylim=(low, high))
    return int(((both < low) | (both > high)).any(axis=1).sum())


def _rgb(colour: str) -> tuple[float, float, float]:
    from matplotlib.colors import to_rgb

    return to_rgb(colour)
