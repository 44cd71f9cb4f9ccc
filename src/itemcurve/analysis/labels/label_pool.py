"""What all respondents together say of each item's class: a log-linear pool with learnt weights."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Beyond this a stated probability says more about the respondent's confidence than about the item:
# a tree that answers 0 or 1 is no surer than one that answers 0.01 or 0.99.
_CLIP = 0.01
# And one that only ever says 0 or 1 names classes without a word on how sure it is.
_CLIP_OF_VOTES = 0.05
# Prior precision of a weight in units of its respondent's own strength, and of a class offset.
# Of 1, 2, 3, 10 and 100, the larger ones find fewer wrong labels and rank them no better.
_RIDGE = 1.0
# Prior precision of what weights differ by from class to class. A pool that cannot say that one
# class is harder takes its overlap for wrong labels.
_RIDGE_OF_CLASSES = 5.0
# How far, in logits, a pool may be less sure than its more modest members say they are: on real
# tables with clean labels it mostly is surer, and at worst 0.4 below. Beyond three of these the
# price of it grows evenly.
_DISBELIEF = 0.2
_MOST_SQUARED = 3.0
_WIDEST_OFFSET = 6.0
_SAME = 1e-9
_LEAST_STATED = 4


@dataclass(frozen=True, eq=False)
class LabelPool:
    """Weights of the respondents and offsets of the classes.

    Attributes
    ----------
    weights : what each respondent's log-probabilities are multiplied by, 0 or more; 0 for those
        that say the same of every item.
    departures : what a class adds to each weight, v_k / (respondents × s_r) of `fit_pool`
        (respondents × classes).
    offsets : added to the log-odds of each class.
    """

    weights: Floats
    departures: Floats
    offsets: Floats

    def log_probabilities(self, evidence: Floats) -> Floats:
        """Log of the pooled probability of every class (items × classes)."""
        from scipy.special import log_softmax

        own = self.weights[:, np.newaxis] + self.departures
        pooled = np.einsum("rk,rik->ik", own, evidence) + self.offsets
        return np.asarray(log_softmax(pooled, axis=1))


def weigh_evidence(probabilities: NDArray[np.floating]) -> Floats:
    """Give log-probabilities, centred over the classes (respondents × items × classes).

    Kept from certainty, and 0 where a respondent says nothing: cells that are NaN, and respondents
    that say the same of every item.
    """
    stated = np.asarray(probabilities, dtype=float)
    is_known = np.isfinite(stated)
    logs = np.log(np.clip(np.where(is_known, stated, 1.0), find_floors(stated), None))
    logs -= logs.mean(axis=2, keepdims=True)
    logs[~is_known.all(axis=2)] = 0.0
    logs[find_constants(probabilities)] = 0.0
    return np.asarray(logs)


def find_floors(stated: Floats) -> Floats:
    """Least probability that each respondent (the first axis) is believed, ready to broadcast."""
    others = tuple(range(1, stated.ndim))
    votes = np.all((stated == 0) | (stated == 1) | ~np.isfinite(stated), axis=others, keepdims=True)
    return np.where(votes, _CLIP_OF_VOTES, _CLIP)


def find_constants(probabilities: NDArray[np.floating]) -> NDArray[np.bool_]:
    """Whether each respondent says the same of every item (respondents × items × classes)."""
    stated = np.asarray(probabilities, dtype=float)
    is_known = np.isfinite(stated)
    highest = np.where(is_known, stated, -np.inf).max(axis=1)
    lowest = np.where(is_known, stated, np.inf).min(axis=1)
    # Who says nothing at all says the same of every item.
    return np.asarray((highest - lowest).max(axis=1) < _SAME)


def fit_pool(
    evidence: Floats,
    labels: Floats,
    start: LabelPool | None = None,
    *,
    stated: float | None = None,
) -> LabelPool:
    """Find the weights under which the pool best foretells the labels.

    p_ik = softmax_k(b_k + Σ_r w_r x_rik + v_k x̄_ik) with w ≥ 0 maximises

        Σ_ik q_ik log p_ik − ½ Σ_r (w_r s_r)² − ½ Σ_k b_k² − 5/2 Σ_k v_k²

    where s_r is the root mean square of x_r, and x̄ the mean of x_r / s_r over the respondents,
    which lets a class be harder than others: a multinomial regression in which respondents who say
    the same share one weight, and the over-confident are tempered. Being less sure than the
    respondents say has a price (`disbelieve`): those who are sure of their answers are rarely wrong
    all together, and where they seem to be, labels may be.

    Parameters
    ----------
    evidence : x, as `weigh_evidence` gives it.
    labels : q, a probability for every class (items × classes).
    start : weights to begin from.
    stated : how sure the respondents say they are (`find_stated`); None to take no notice.
    """
    from scipy.optimize import fmin_l_bfgs_b

    told = np.flatnonzero(np.any(evidence != 0, axis=(1, 2)))
    count, n_classes = len(told), evidence.shape[2]
    strength = np.sqrt(np.mean(evidence[told] ** 2, axis=(1, 2)))
    # Respondents × (items · classes): one product with a vector each way.
    scaled = (evidence[told] / strength[:, np.newaxis, np.newaxis]).reshape(count, labels.size)
    items = labels.sum(axis=1, keepdims=True)
    ridge = np.full(count + 2 * n_classes, _RIDGE)
    ridge[count + n_classes :] = _RIDGE_OF_CLASSES

    mean = scaled.sum(axis=0).reshape(labels.shape) / max(count, 1)

    def lose(values: Floats) -> tuple[float, Floats]:
        weights, offsets, departures = np.split(values, [count, count + n_classes])
        odds = (weights @ scaled).reshape(labels.shape) + departures * mean + offsets
        top = odds.max(axis=1, keepdims=True)
        raised = np.exp(odds - top)
        total = raised.sum(axis=1, keepdims=True)
        excess = raised * (items / total) - labels
        loss = (items * (top + np.log(total))).sum() - (labels * odds).sum()
        if stated is not None:
            price, slopes = _price(raised / total, stated)
            loss += price
            excess += slopes
        parts = [scaled @ excess.ravel(), excess.sum(axis=0), (mean * excess).sum(axis=0)]
        return float(loss + values @ (ridge * values) / 2), np.concatenate(parts) + ridge * values

    bounds: list[tuple[float | None, float | None]] = [(0.0, None)] * count
    bounds += [(-_WIDEST_OFFSET, _WIDEST_OFFSET)] * n_classes + [(None, None)] * n_classes
    first = _first(start, told, strength, n_classes)
    # factr in units of 2e-16: 1e-7 of the loss moves no probability in its third digit.
    found = fmin_l_bfgs_b(lose, first, bounds=bounds, factr=1e9, maxiter=60)[0]
    weights, offsets, departures = np.split(found, [count, count + n_classes])
    everyone = np.zeros(len(evidence)), np.zeros((len(evidence), n_classes))
    everyone[0][told] = weights / strength
    everyone[1][told] = departures / max(count, 1) / strength[:, np.newaxis]
    return LabelPool(*everyone, offsets)


def find_stated(evidence: Floats, quantile: float = 0.25) -> float | None:
    """How sure respondents say they are: the mean probability of their choices.

    That of the respondent at the lower quartile, so that a few boasters do not count. None with
    fewer than four respondents that state probabilities, of whom nobody knows whether they boast.
    """
    from scipy.special import softmax

    own = [softmax(rows, axis=1) for rows in evidence if np.any(rows != 0)]
    # Votes say nothing about how sure they are: all their highest probabilities are the same.
    sure = [float(p.max(axis=1).mean()) for p in own if np.ptp(p.max(axis=1)) > _SAME]
    return float(np.quantile(sure, quantile)) if len(sure) >= _LEAST_STATED else None


def disbelieve(probabilities: Floats, stated: float | None) -> float:
    """Log prior odds lost by a pool (items × classes) that is less sure than respondents say."""
    return 0.0 if stated is None else _price(probabilities, stated)[0]


def _price(probabilities: Floats, stated: float) -> tuple[float, Floats]:
    """Price of being less sure, and its derivatives in the pooled log-odds (items × classes)."""
    n_items = len(probabilities)
    best = probabilities.argmax(axis=1)
    top = np.take_along_axis(probabilities, best[:, np.newaxis], axis=1)
    mean = min(float(top.mean()), 1 - _SAME)
    short = (np.log(stated / (1 - stated)) - np.log(mean / (1 - mean))) / _DISBELIEF
    if short <= 0:
        return 0.0, np.zeros_like(probabilities)
    steep = min(short, _MOST_SQUARED)
    slopes = -top * probabilities
    np.put_along_axis(slopes, best[:, np.newaxis], top * (1 - top), axis=1)
    growth = -steep / (_DISBELIEF * mean * (1 - mean) * n_items)
    return float(steep * (short - steep / 2)), growth * slopes


def _first(
    start: LabelPool | None, told: NDArray[np.intp], strength: Floats, n_classes: int
) -> Floats:
    """Where to begin: an earlier pool, or equal weights."""
    if start is None:
        return np.concatenate([strength / max(len(told), 1), np.zeros(2 * n_classes)])
    # Departures are shares of one number for each class.
    departures = (start.departures[told] * strength[:, np.newaxis]).sum(axis=0)
    return np.concatenate([start.weights[told] * strength, start.offsets, departures])
