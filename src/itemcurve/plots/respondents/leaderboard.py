"""Who is ahead: skill or ability with intervals, tiers by colour, references as lines."""

from typing import TYPE_CHECKING, Any

from itemcurve.plots.drawing.style import (
    COLOURS,
    FAINT,
    GRID,
    add_legend,
    new_axes,
    set_title,
    short,
)

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

    from itemcurve.analysis.respondents.leaderboard import Leaderboard

_MOST_LINES = 3


def leaderboard(result: Any, *, most: int = 30, ax: "Axes | None" = None) -> "Axes":
    """Draw each respondent with its interval, the best on top; constant answers are dotted lines.

    The table of this picture is `leaderboard().frame(with_references=True)`.

    Parameters
    ----------
    result : a leaderboard, or an evaluation.
    most : of more respondents, the first are drawn.
    ax : axes to draw on; new ones when left out.
    """
    board: Leaderboard = result.leaderboard() if hasattr(result, "leaderboard") else result
    height = "ability" if board.skill is None or board.ranked_by == "ability" else "skill"
    table = board.frame().head(most)
    ax = new_axes(ax, (6.4, max(2.2, 1.0 + 0.24 * len(table))))
    places = list(range(len(table), 0, -1))
    for number, tier in enumerate(dict.fromkeys(table["tier"])):
        is_own = (table["tier"] == tier).tolist()
        part, ys = table[is_own], [y for y, own in zip(places, is_own, strict=True) if own]
        colour = COLOURS[number % len(COLOURS)]
        lower, upper = part[f"{height}_lower"], part[f"{height}_upper"]
        ax.hlines(ys, lower, upper, color=colour, lw=2, alpha=0.55)
        ax.plot(part[height], ys, "o", color=colour, ms=5, label=f"tier {tier}")
    ax.set_yticks(places, [short(name) for name in table["respondent"]])
    ax.tick_params(axis="y", length=0)
    apart = ""
    if height == "skill" and board.references is not None:
        apart = _draw_references(ax, board.references)
    ax.grid(axis="x", color=GRID, lw=0.8)
    ax.set_axisbelow(True)
    total = len(board.respondents)
    count = f"{len(table)} of {total:,}" if len(table) < total else f"{total:,} respondents"
    ax.set(xlabel=height)
    set_title(ax, "Leaderboard", f"{100 * board.level:.0f} % intervals; {count}{apart}")
    ax.set_ylim(0.3, len(table) + 0.7)
    add_legend(ax)
    return ax


def _draw_references(ax: "Axes", references: "pandas.DataFrame") -> str:
    """Draw dotted lines for the best constant answers; give words for the best where it is far."""
    constants = references[references["against_constant"] != "ahead"].head(_MOST_LINES)
    first, last = ax.get_xlim()
    words = []
    for name, skill in zip(constants["respondent"], constants["skill"].astype(float), strict=True):
        # One far below would leave no room for those who are compared.
        if skill > first - (last - first):
            ax.axvline(skill, color=FAINT, lw=1, ls=(0, (1, 2)), label=short(name))
        else:
            words.append(f"; {short(name)} at {skill:.2f}, not drawn")
    return words[0] if words and len(words) == len(constants) else ""
