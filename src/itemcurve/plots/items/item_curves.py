"""Item curves with uncertainty bands and the responses they were fitted to."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.curves.item_curves import ItemCurves, typical_items
from itemcurve.analysis.curves.item_curves import item_curves as build_item_curves
from itemcurve.analysis.evaluated_fits import unwraps_evaluations
from itemcurve.estimation.result import FitResult
from itemcurve.plots.drawing.style import (
    COLOURS,
    FAINT,
    add_legend,
    new_axes,
    set_title,
    short,
    spans_many_sizes,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_CURVES = 7
_MANY_SIZES = 30


@unwraps_evaluations
def item_curves(
    result: FitResult | ItemCurves,
    items: Iterable[object] | None = None,
    *,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw expected responses along ability, their 90 % bands and the observed mean responses.

    A single item with continuous responses also shows the quartiles of its responses.

    Parameters
    ----------
    result : a fit, or `tables.item_curves(fit, ...)`, whose `.frame()` is the table of this
        picture.
    items : ids of at most seven items; four along the difficulties when left out.
    ax : axes to draw on; new ones when left out.
    """
    curves = _curves(result, items)
    ax = new_axes(ax)
    points = curves.axis.shown(curves.axis.points)
    is_single = len(curves.items) == 1
    for index, item in enumerate(curves.items[:_MOST_CURVES]):
        colour = COLOURS[index % len(COLOURS)]
        ax.fill_between(
            points, curves.lower[:, index], curves.upper[:, index], color=colour, alpha=0.15, lw=0
        )
        ax.plot(points, curves.expected[:, index], color=colour, lw=2, label=short(item))
        _draw_observed(ax, curves, index, colour)
    if is_single and curves.quantiles is not None:
        _draw_quartiles(ax, curves)
    _finish(ax, curves, is_single)
    return ax


def _curves(result: FitResult | ItemCurves, items: Iterable[object] | None) -> ItemCurves:
    if isinstance(result, ItemCurves):
        return result
    return build_item_curves(result, typical_items(result) if items is None else items)


def _draw_observed(ax: "Axes", curves: ItemCurves, index: int, colour: str) -> None:
    observed = curves.observed
    ax.plot(
        curves.axis.shown(observed.abilities),
        observed.means[:, index],
        "o",
        color=colour,
        ms=5 if observed.is_grouped else 4,
        alpha=0.75,
        mec="white",
        mew=0.6,
    )


def _draw_quartiles(ax: "Axes", curves: ItemCurves) -> None:
    assert curves.quantiles is not None
    points = curves.axis.shown(curves.axis.points)
    names = ("quartiles of responses", None, None)
    for values, style, name in zip(curves.quantiles, (":", "--", ":"), names, strict=True):
        ax.plot(points, values[:, 0], style, color=FAINT, lw=1.2, label=name)


def _finish(ax: "Axes", curves: ItemCurves, is_single: bool) -> None:
    is_error = not curves.support.is_bounded
    ax.set(xlabel=curves.axis.label, ylabel="error" if is_error else "expected response")
    if is_error:
        _bound_errors(ax, curves)
    else:
        ax.set_ylim(*curves.support.from_share(np.array([-0.03, 1.03])))
    shown = "groups of respondents" if curves.observed.is_grouped else "respondents"
    title = f"Item curve of {short(curves.items[0])}" if is_single else "Item curves"
    set_title(ax, title, f"bands: {curves.level:.0%} intervals; points: {shown}")
    if not is_single or curves.quantiles is not None:
        add_legend(ax)


def _bound_errors(ax: "Axes", curves: ItemCurves) -> None:
    """Errors of the least able have no bound; the picture does, and a scale for many sizes."""
    seen = curves.observed.means[curves.observed.weights > 0]
    highest = float(seen.max())
    if spans_many_sizes(seen, _MANY_SIZES):
        ax.set_yscale("log")
        ax.set_ylim(max(float(seen.min()), 1e-3 * float(np.median(seen))) / 1.5, 1.5 * highest)
    else:
        ax.set_ylim(0, 1.15 * max(highest, 1e-9))
