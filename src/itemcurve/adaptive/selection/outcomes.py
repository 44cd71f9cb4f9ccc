"""The responses an item may give, as a few values with their probabilities at each ability."""

from collections.abc import Callable
from math import isfinite

import numpy as np

from itemcurve.estimation.bank import BankPart
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY, Array

_POINTS = 41
_REACH = 12.0


class _Values:
    """Bare values as observations, one respondent each."""

    def __init__(self, values: Array) -> None:
        self._values = values

    def accumulate(self, transform: Callable[[Array], Array]) -> Array:
        return transform(self._values)

    def weight(self) -> Array:
        return np.ones(self._values.shape)


def outcome_probabilities(part: BankPart, abilities: Array) -> Array:
    """Probability of each outcome (outcomes × items × abilities); they sum to one over outcomes.

    Right and wrong are the two outcomes of a Bernoulli item. A continuous response is cut into
    points of a grid (on the log or logit scale), with its censored ends as outcomes of their own.
    """
    likelihood = part.likelihood
    if not part.model.family.is_continuous:
        chance = likelihood.expected_response(NUMPY, abilities, part.values)
        return np.stack([1.0 - chance, chance])
    values, log_widths = _grid(likelihood)
    channels = likelihood.channels(_Values(values))
    curves = likelihood.curves(NUMPY, abilities, part.values)
    base = log_widths + part.model.family.log_base(np.clip(values, *_inner(likelihood)))
    height = base[:, None, None] + sum(
        np.asarray(channel, dtype=float)[:, None, None] * curve
        for channel, curve in zip(channels, curves, strict=True)
    )
    chances = np.exp(height - height.max(axis=0))
    return np.asarray(chances / chances.sum(axis=0))


def _grid(likelihood: Likelihood) -> tuple[Array, Array]:
    """Values and the logarithm of the width each stands for (0 for a censored end)."""
    model = likelihood.model
    upper = model.family.support[1]
    low, high = _inner(likelihood)
    if isfinite(upper):
        z = np.linspace(_logit(low), _logit(high), _POINTS + 2)[1:-1]
        inside = 1.0 / (1.0 + np.exp(-z))
        widths = np.log(inside) + np.log1p(-inside)
    else:
        z = np.linspace(np.log(low), _REACH, _POINTS + 1)[1:]
        inside, widths = np.exp(z), z
    widths = widths + np.log(z[1] - z[0])
    if not likelihood.is_censored:
        return inside, widths
    ends = [low, high] if isfinite(upper) else [low]
    return np.concatenate([inside, ends]), np.concatenate([widths, np.zeros(len(ends))])


def _inner(likelihood: Likelihood) -> tuple[float, float]:
    """Where responses have a density that a grid can follow."""
    model = likelihood.model
    lower, upper = model.boundary.bounds(model.family)
    edge = 1e-6
    return max(lower, edge), min(upper, 1 - edge) if isfinite(upper) else upper


def _logit(share: float) -> float:
    return float(np.log(share) - np.log1p(-share))
