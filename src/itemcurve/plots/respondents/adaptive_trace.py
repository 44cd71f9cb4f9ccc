"""The trace of an adaptive test: ability along the items asked."""

from typing import TYPE_CHECKING

import numpy as np

from itemcurve.adaptive.ability.ability_test import AdaptiveTest
from itemcurve.adaptive.ability.ability_trace import AdaptiveTrace
from itemcurve.adaptive.ability.ability_trace import adaptive_trace as build_adaptive_trace
from itemcurve.numerics.engine import Array
from itemcurve.plots.drawing.style import COLOURS, FAINT, add_legend, new_axes, set_title, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Of more items, numbers stand on the axis instead of names.
_MOST_NAMES = 30
_MANY = 60


def adaptive_trace(test: AdaptiveTest | AdaptiveTrace, *, ax: "Axes | None" = None) -> "Axes":
    """Draw ability after each answer with its 90 % interval, its standard error, and the items.

    Each item stands at its difficulty, in the order of asking: a triangle up for a right answer (or
    one better than expected), down for a wrong one. Items harder or easier than the picture shows
    stand at its edge.

    Parameters
    ----------
    test : with at least one answer, or `tables.adaptive_trace(test)`, whose `.frame()` is the table
        of this picture.
    ax : axes to draw on; new ones when left out.
    """
    trace = test if isinstance(test, AdaptiveTrace) else build_adaptive_trace(test)
    ax = new_axes(ax, (8.4, 4.4))
    steps = np.arange(1, len(trace.items) + 1)
    ends = _ends(trace)
    ax.fill_between(steps, trace.lower, trace.upper, color=COLOURS[0], alpha=0.18, lw=0)
    if len(steps) == 1:
        ax.vlines(steps, trace.lower, trace.upper, color=COLOURS[0], alpha=0.4, lw=3)
    marker = "o" if len(steps) <= _MANY else ""
    ax.plot(steps, trace.ability, color=COLOURS[0], lw=2, marker=marker, ms=3, label="ability")
    _draw_items(ax, trace, steps, ends)
    _draw_errors(ax, trace, steps)
    _name_items(ax, trace, steps)
    ax.set_ylim(*ends)
    ax.set(ylabel=trace.axis.label.replace("ability", "ability and difficulty"))
    who = f" of {short(trace.respondent)}" if trace.respondent != "respondent" else ""
    count = f"{len(steps):,} of {trace.bank_size:,} items"
    set_title(ax, f"Adaptive test{who}", f"{count}; band: {trace.level:.0%} interval of ability")
    return ax


def _ends(trace: AdaptiveTrace) -> tuple[float, float]:
    """Bounds of the picture: intervals, and difficulties unless they are far outside."""
    known = np.concatenate([trace.lower, trace.upper, trace.ability])
    known = known[np.isfinite(known)]
    difficulty = trace.difficulty[np.isfinite(trace.difficulty)]
    if not known.size:
        known = np.median(difficulty, keepdims=True) if difficulty.size else np.zeros(1)
    low, high = float(known.min()), float(known.max())
    reach = max(high - low, 0.2 if trace.axis.is_unit else 1.0)
    near = difficulty[(difficulty > low - reach) & (difficulty < high + reach)]
    low, high = min([low, *near]), max([high, *near])
    margin = 0.06 * max(high - low, 0.2)
    return low - margin, high + margin


def _draw_items(ax: "Axes", trace: AdaptiveTrace, steps: Array, ends: tuple[float, float]) -> None:
    names = ("right", "wrong")
    if not trace.is_binary:
        names = ("better than expected", "worse than expected")
    inset = 0.02 * (ends[1] - ends[0])
    heights = np.clip(np.nan_to_num(trace.difficulty), ends[0] + inset, ends[1] - inset)
    kinds = ((trace.is_better, "^", COLOURS[2]), (~trace.is_better, "v", COLOURS[1]))
    for (own, marker, colour), name in zip(kinds, names, strict=True):
        if own.any():
            ax.plot(
                steps[own],
                heights[own],
                marker,
                color=colour,
                ms=6 if len(steps) <= _MANY else 4,
                mec="white",
                mew=0.5,
                label=f"item, {name} ({own.sum():,})",
            )


def _draw_errors(ax: "Axes", trace: AdaptiveTrace, steps: Array) -> None:
    """Draw standard errors on a scale of their own, from 0."""
    own = ax.twinx()
    marker = "_" if len(steps) == 1 else ""
    own.plot(
        steps, trace.ability_se, color=FAINT, lw=1.3, ls="--", marker=marker, label="standard error"
    )
    known = trace.ability_se[np.isfinite(trace.ability_se)]
    # Standard errors keep to the lower half, where they cross the band least.
    own.set_ylim(0.0, 1.7 * float(known.max()) if known.size else 1.0)
    unit = " (logits)" if trace.axis.is_unit else ""
    own.set_ylabel(f"standard error of ability{unit}", color=FAINT)
    own.tick_params(colors=FAINT)
    own.spines["top"].set_visible(False)
    # Beside the second scale, so that names of items below may be of any length.
    add_legend(ax, handles=[*ax.get_lines(), *own.get_lines()], bbox_to_anchor=(1.13, 1.0))


def _name_items(ax: "Axes", trace: AdaptiveTrace, steps: Array) -> None:
    ax.set_xlim(0.5, len(steps) + 0.5)
    if len(steps) <= _MOST_NAMES:
        names = [short(item, 16) for item in trace.items]
        ax.set_xticks(steps, names, rotation=90, fontsize=8)
        ax.set_xlabel("items in the order of asking", labelpad=8)
    else:
        ax.set_xlabel("answers")
