"""The probability that a label is wrong, from what the pool says against it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Prior of the log of the sharpness. On data whose classes overlap, pools were found to need 1.0 to
# 1.7, and the data cannot tell it from the noise rate well; where classes are apart any will do.
_SHARPNESS_MEAN, _SHARPNESS_SD = 0.2, 0.3
_NODES = 31
_REACH = 4.0
# Logits of noise rates from 0.25 % to 48 %: at one half the labels say nothing.
_LOWEST, _HIGHEST = -6.0, -0.08
# Nodes this far below the best one carry no weight (e⁻¹² of it).
_NEGLIGIBLE = 12.0


@dataclass(frozen=True, eq=False)
class LabelErrors:
    """How probable it is that labels are wrong.

    Attributes
    ----------
    probabilities : that the label of each item is wrong.
    noise_rate, noise_rate_sd : share of wrong labels among all, its posterior mean and sd.
    sharpness : what the pooled log-odds are multiplied by, its posterior mean.
    """

    probabilities: Floats
    noise_rate: float
    noise_rate_sd: float
    sharpness: float


def find_label_errors(log_odds: Floats) -> LabelErrors:
    """Judge each label by the pooled log-odds of the other labels against it.

    The true label of item i is its given one with probability p_i = 1 / (1 + Σ_k exp(s x_ik)); it
    was then given wrongly with probability ε, to any of the K − 1 others alike. So

        P(given_i) = (1 − ε) p_i + ε (1 − p_i) / (K − 1)

    and the label is wrong with the share that the second term has in it. Sharpness s and noise rate
    ε are not known: the answer is averaged over both, weighted by their posterior on a grid. That
    is what keeps labels from being blamed when the data cannot tell noise from overlap.

    Parameters
    ----------
    log_odds : items × other labels.
    """
    sharpness = _SHARPNESS_MEAN + _REACH * _SHARPNESS_SD * np.linspace(-1, 1, _NODES)
    noise = np.linspace(_LOWEST, _HIGHEST, _NODES)
    for _ in range(3):
        given = _probability_given(log_odds, np.exp(sharpness))
        posterior = _posterior(given, sharpness, noise, log_odds.shape[1])
        if _is_resolved(posterior):
            break
        sharpness, noise = _zoom(posterior, sharpness, noise)
    weights = np.exp(posterior - posterior.max())
    weights /= weights.sum()
    rates = _sigmoid(noise)
    mean = float(weights.sum(axis=0) @ rates)
    return LabelErrors(
        probabilities=_average(given, weights, rates, log_odds.shape[1]),
        noise_rate=mean,
        noise_rate_sd=float(np.sqrt(weights.sum(axis=0) @ (rates - mean) ** 2)),
        sharpness=float(weights.sum(axis=1) @ np.exp(sharpness)),
    )


def _probability_given(log_odds: Floats, sharpness: Floats) -> Floats:
    """p_i at each sharpness (sharpness × items)."""
    found = np.empty((len(sharpness), len(log_odds)))
    for row, factor in zip(found, sharpness, strict=True):
        against = factor * log_odds
        top = np.maximum(against.max(axis=1), 0.0)
        total = np.exp(-top) + np.exp(against - top[:, np.newaxis]).sum(axis=1)
        row[:] = np.exp(-top) / total
    return found


def _posterior(given: Floats, sharpness: Floats, noise: Floats, n_others: int) -> Floats:
    """Log posterior of log sharpness and logit noise rate; any rate is alike beforehand."""
    rates = _sigmoid(noise)
    found = np.empty((len(sharpness), len(noise)))
    for place, rate in enumerate(rates):
        found[:, place] = np.log((1 - rate) * given + rate * (1 - given) / n_others).sum(axis=1)
    # The second term turns a flat density of the rate into one of its logit.
    prior = -0.5 * ((sharpness - _SHARPNESS_MEAN) / _SHARPNESS_SD) ** 2
    return np.asarray(found + prior[:, np.newaxis] + np.log(rates * (1 - rates)))


def _is_resolved(posterior: Floats) -> bool:
    """Whether at least a third of the nodes carry weight along both axes."""
    kept = posterior > posterior.max() - _NEGLIGIBLE
    return bool(min(kept.any(axis=0).sum(), kept.any(axis=1).sum()) >= _NODES // 3)


def _zoom(posterior: Floats, sharpness: Floats, noise: Floats) -> tuple[Floats, Floats]:
    """Spread the nodes over what carries weight, and one node beyond."""
    kept = posterior > posterior.max() - _NEGLIGIBLE
    axes = []
    for values, seen in ((sharpness, kept.any(axis=1)), (noise, kept.any(axis=0))):
        places = np.flatnonzero(seen)
        first, last = max(places[0] - 1, 0), min(places[-1] + 1, len(values) - 1)
        axes.append(np.linspace(values[first], values[last], _NODES))
    return axes[0], axes[1]


def _average(given: Floats, weights: Floats, rates: Floats, n_others: int) -> Floats:
    found = np.zeros(given.shape[1])
    for place, rate in enumerate(rates):
        kept = np.flatnonzero(weights[:, place] > 1e-9)
        wrong = rate * (1 - given[kept]) / n_others
        found += weights[kept, place] @ (wrong / (wrong + (1 - rate) * given[kept]))
    return found


def _sigmoid(values: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-values)))
