"""The responses an item may give: categories, or a few points of a continuous one's density."""

from math import isfinite

import numpy as np

from itemcurve.bank.item_bank import BankPart
from itemcurve.models.bare_values import BareValues
from itemcurve.models.capabilities import HasCategories
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY, Array

_POINTS = 41
# How far points reach beyond the expected responses, in standard deviations: skewed densities
# have long tails.
_REACH = 8.0
_EDGE = 1e-6
_LARGEST = 1e9


class Outcomes:
    """Points of each item's response between the ends of some abilities, and both censored ends.

    Points are even on the scale of logits (of logarithms where responses have no upper end), around
    the responses expected of each item: a grid for all items would step over narrow densities.
    """

    def __init__(self, part: BankPart, abilities: Array) -> None:
        self._part = part
        self._likelihood = part.likelihood
        values, log_widths = _points(part, abilities)
        family = part.model.family
        inner = np.clip(values, *_inner(self._likelihood)) if family.is_continuous else values
        self._base = log_widths + family.log_base(inner)
        channels = self._likelihood.channels(BareValues(values))
        self._channels = [np.asarray(channel, dtype=float) for channel in channels]

    def heights(self, curves: Array, items: slice) -> Array:
        """Log density times width (points × abilities × items).

        Parameters
        ----------
        curves : of the likelihood (curves × abilities × items), of all items.
        """
        found = np.repeat(self._base[:, None, items], curves.shape[1], axis=1)
        for channel, curve in zip(self._channels, curves, strict=True):
            found += channel[:, None, items] * curve[:, items]
        return found


def _points(part: BankPart, abilities: Array) -> tuple[Array, Array]:
    """Values and the logarithm of the width each stands for (points × items)."""
    if isinstance(part.model, HasCategories):
        codes = np.repeat(np.array(part.model.codes)[:, None], len(part.values), axis=1)
        return codes, np.zeros(codes.shape)
    likelihood, family = part.likelihood, part.model.family
    low, high = _inner(likelihood)
    is_bounded = family.is_bounded
    eta = part.likelihood.natural(NUMPY, abilities, part.values)
    mean = np.clip(family.mean(NUMPY, eta), low, high)
    slope = mean * (1 - mean) if is_bounded else mean
    reach = _REACH * np.sqrt(family.variance(NUMPY, eta)) / slope
    middle = _unbounded(mean, is_bounded)
    ends = [_unbounded(np.array(end), is_bounded) for end in (low, high)]
    bottom = np.clip((middle - reach).min(axis=1), *ends)
    width = np.maximum(np.clip((middle + reach).max(axis=1), *ends) - bottom, _EDGE) / _POINTS
    z = bottom + width * (np.arange(_POINTS)[:, None] + 0.5)
    inside = 1.0 / (1.0 + np.exp(-z)) if is_bounded else np.exp(z)
    slopes = np.log(inside) + np.log1p(-inside) if is_bounded else z
    if not likelihood.is_censored:
        return inside, slopes + np.log(width)
    bounds = np.array([low, high] if is_bounded else [low])[:, None]
    edges = np.broadcast_to(bounds, (len(bounds), len(part.values)))
    return (
        np.concatenate([inside, edges]),
        np.concatenate([slopes + np.log(width), np.zeros(edges.shape)]),
    )


def _inner(likelihood: Likelihood) -> tuple[float, float]:
    """Where responses have a density that points can follow."""
    model = likelihood.model
    lower, upper = model.boundary.bounds(model.family)
    return max(lower, _EDGE), min(upper, 1 - _EDGE) if isfinite(upper) else _LARGEST


def _unbounded(values: Array, is_bounded: bool) -> Array:
    return np.log(values) - np.log1p(-values) if is_bounded else np.log(values)
