"""The trace of a test for the score: the prediction along the items asked."""

from typing import TYPE_CHECKING

import numpy as np

from itemcurve.adaptive.score.score_test import ScoreTest
from itemcurve.adaptive.score.score_trace import ScoreTrace
from itemcurve.adaptive.score.score_trace import score_trace as build_score_trace
from itemcurve.plots.drawing.style import COLOURS, FAINT, add_legend, new_axes, set_title, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def score_trace(test: ScoreTest | ScoreTrace, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the predicted score after each answer with its 90 % interval, and the answers.

    Parameters
    ----------
    test : with at least one answer, or `tables.score_trace(test)`, whose `.frame()` is the table of
        this picture.
    ax : axes to draw on; new ones when left out.
    """
    trace = test if isinstance(test, ScoreTrace) else build_score_trace(test)
    ax = new_axes(ax, (8.4, 4.0))
    steps = np.arange(1, len(trace.items) + 1)
    ax.fill_between(steps, trace.lower, trace.upper, color=COLOURS[0], alpha=0.18, lw=0)
    ax.plot(steps, trace.score, color=COLOURS[0], lw=2, marker="o", ms=3, label="score")
    for is_drawn, marker, name in ((True, "|", "items drawn"), (False, "x", "items chosen")):
        kept = trace.is_drawn == is_drawn
        if kept.any():
            ax.plot(steps[kept], trace.responses[kept], marker, color=FAINT, ms=6, lw=0, label=name)
    ax.set(xlabel="items answered", ylabel="score over all items")
    add_legend(ax)
    who = f" of {short(trace.respondent)}" if trace.respondent != "respondent" else ""
    count = f"{len(steps):,} of {trace.size:,} items"
    set_title(ax, f"Score test{who}", f"{count}; band: 90% interval of the score")
    return ax
