"""The curves of all items as a few compressed bytes each, for the page to draw on demand."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from itemcurve.analysis.curves.item_curves import ItemCurves, item_curves
from itemcurve.estimation.result import FitResult
from itemcurve.numerics.engine import Array
from itemcurve.reports.embedding import embed_bytes, pack_shares
from itemcurve.reports.numbers import round_number

# Few items can afford smoother curves.
_POINTS, _FEW_POINTS, _MANY_ITEMS = 61, 25, 1500
_FINE, _COARSE = 4095, 250
# What marks a group without responses; observed means use the steps below.
_NOTHING = 255


@dataclass(frozen=True)
class CurveData:
    """`layout` says how to read the bytes of `content`."""

    layout: dict[str, Any]
    content: str


def curve_data(fit: FitResult, items: list[str]) -> CurveData:
    """Give expected responses, interval ends and observed means of these items.

    Responses in [0, 1] are shares already; errors are placed on a logarithmic scale between the
    smallest and largest that matter.
    """
    points = _POINTS if len(items) <= _MANY_ITEMS else _FEW_POINTS
    curves = item_curves(fit, items, points=points)
    scale = _Scale.of(fit, curves)
    expected, lower, upper = (
        scale.shares(values.T) for values in (curves.expected, curves.lower, curves.upper)
    )
    observed = scale.shares(curves.observed.means.T)
    steps = np.rint(np.nan_to_num(observed) * _COARSE).astype(np.uint8)
    steps[np.isnan(observed)] = _NOTHING
    content = (
        pack_shares(expected, _FINE)
        + pack_shares(lower, _COARSE)
        + pack_shares(upper, _COARSE)
        + steps.tobytes()
    )
    groups = curves.observed
    layout = {
        "items": len(curves.items),
        "points": [round_number(v) for v in curves.axis.shown(curves.axis.points)],
        "axis": curves.axis.label,
        "groups": [round_number(v) for v in curves.axis.shown(groups.abilities)],
        "names": None if groups.is_grouped else _names(fit),
        "level": curves.level,
        "fine": _FINE,
        "coarse": _COARSE,
        "scale": scale.layout,
    }
    return CurveData(layout, embed_bytes(content))


def plain_curve(fit: FitResult, item: str) -> dict[str, Any]:
    """Give the curve of one item as shares of the picture's height, for a card of its own."""
    curves = item_curves(fit, [item], points=_POINTS)
    scale, groups = _Scale.of(fit, curves), curves.observed
    shares = {
        name: [round_number(float(v)) for v in scale.shares(values.T)[0]]
        for name, values in (
            ("expected", curves.expected),
            ("lower", curves.lower),
            ("upper", curves.upper),
            ("seen", groups.means),
        )
    }
    return {
        "points": [round_number(v) for v in curves.axis.shown(curves.axis.points)],
        "axis": curves.axis.label,
        "groups": [round_number(v) for v in curves.axis.shown(groups.abilities)],
        "names": None if groups.is_grouped else _names(fit),
        "level": curves.level,
        "scale": scale.layout,
        **shares,
    }


@dataclass(frozen=True)
class _Scale:
    """Where responses lie between the ends of the picture."""

    lower: Array
    upper: Array
    is_logarithmic: bool

    @classmethod
    def of(cls, fit: FitResult, curves: ItemCurves) -> "_Scale":
        if curves.support.is_bounded:
            ranges = fit.bank.ranges[fit.bank.positions(curves.items)]
            # One for all where items are answered alike; right or wrong beside ratings, one each.
            own = ranges[:1] if (ranges == ranges[:1]).all() else ranges
            return cls(own[:, 0], own[:, 1], False)
        seen = curves.observed.means
        is_known = np.isfinite(seen) & (seen > 0)
        highest = np.max(np.where(is_known, seen, 1e-6), axis=0)
        lowest = np.min(np.where(is_known, seen, highest), axis=0)
        # A single error of almost nothing would squeeze all others together.
        return cls(np.maximum(lowest, 1e-3 * highest) / 2, 2 * highest, True)

    @property
    def layout(self) -> dict[str, Any]:
        ends = {
            name: [round_number(float(value)) for value in values]
            for name, values in (("lower", self.lower), ("upper", self.upper))
        }
        return {**ends, "log": self.is_logarithmic}

    def shares(self, values: Array) -> Array:
        lower, upper = self.lower[:, None], self.upper[:, None]
        if not self.is_logarithmic:
            return np.clip((values - lower) / (upper - lower), 0.0, 1.0)
        # An error of 0 lies at the lower end of a logarithmic picture.
        inside = np.clip(values, lower, upper)
        return (np.log(inside) - np.log(lower)) / (np.log(upper) - np.log(lower))


def _names(fit: FitResult) -> list[str]:
    order = np.argsort(fit.estimates.abilities, kind="stable")
    return [fit.responses.respondents[index] for index in order]
