"""True labels behind given ones: a pool of predictions seen through a noisy channel.

    P(true = k | predictions) = p_ik              a log-linear pool of the respondents
    P(given = j | true = k)   = T_kj              each class errs in its own way
    P(true = k | both)        = q_ik ∝ p_ik T_k,given(i)

Pool and channel are found by EM (Dawid and Skene 1979 with predictions for a prior).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.labels.label_pool import (
    LabelPool,
    disbelieve,
    find_stated,
    fit_pool,
    weigh_evidence,
)

Floats = NDArray[np.float64]

# Dirichlet counts before any label is seen, for every class: 27 labels were right and one was
# wrong, to any other class. Larger diagonals find fewer errors; larger sides, or a rate that all
# classes share, blame clean labels where classes overlap. Where the respondents' word is taken for
# it that they do not, a shared rate finds more.
_RIGHT, _WRONG = 27.0, 1.0
_MOST_ROUNDS = 40
# Of those who state probabilities, whose word is taken once they are believed.
_MIDDLE = 0.5
# In standard errors.
_CLEAR = 2.0
# Times the gain that tells noise from overlap, before the word of respondents is taken for it that
# classes do not overlap: over-confident ones are not rare.
_SURELY = 3.0
_TOLERANCE = 1e-4
# Before anything is seen, how much likelier it is that some labels of a table are wrong than that
# none is: real tables mostly have some. At equal odds small tables stay silent whose first dozen
# are all wrong; beyond 20 clean labels begin to be blamed.
_ODDS_OF_NOISE = 20.0


@dataclass(frozen=True, eq=False)
class LabelNoise:
    """What predictions and given labels together say of the true ones.

    Attributes
    ----------
    posterior : probability of every class given predictions and label (items × classes).
    pooled : probability of every class by the predictions alone (items × classes).
    labels : position of the given label of each item.
    matrix : P(given label | true label), true labels in rows (classes × classes).
    pool : weights of the respondents.
    gain : log-likelihood of the labels won over a channel without errors, and log prior odds won by
        taking the respondents at their word.
    each : what every repetition of the cross-validation found alone; empty where there was one.
    """

    posterior: Floats
    pooled: Floats
    labels: NDArray[np.integer]
    matrix: Floats
    pool: LabelPool
    gain: float
    each: tuple["LabelNoise", ...] = ()

    @property
    def threshold(self) -> float:
        """Gain from which errors are likelier than mere overlap: BIC's price of a parameter."""
        return float(np.log(max(len(self.labels), 2)) / 2)

    @property
    def is_told(self) -> bool:
        """Whether wrong labels can be told from classes that overlap, so well as to count them."""
        return self.gain > self.threshold

    @property
    def overlap(self) -> float:
        """Share of items whose class the pool itself expects to miss."""
        return float(1 - self.pooled.max(axis=1).mean())

    @property
    def contradicted(self) -> float:
        """Share of labels for which the pool prefers another class."""
        return float((self.pooled.argmax(axis=1) != self.labels).mean())

    @cached_property
    def probability_of_noise(self) -> float:
        """That there is a noisy channel at all: σ(gain − ½ log items + log 20)."""
        odds = self.gain - self.threshold + np.log(_ODDS_OF_NOISE)
        return float(1 / (1 + np.exp(-np.clip(odds, -50, 50))))

    @cached_property
    def probability_wrong(self) -> Floats:
        """That each given label is wrong, if labels err at all."""
        return np.asarray(1 - self.posterior[np.arange(len(self.labels)), self.labels])

    @cached_property
    def likely(self) -> NDArray[np.intp]:
        """Position of the most probable class other than the given one, by the soft labels.

        The posterior alone also weighs by how often a class errs into the given one, which of small
        classes is hardly known: it can prefer a class that no respondent has chosen.
        """
        others = self.soft_labels.copy()
        others[np.arange(len(self.labels)), self.labels] = -1.0
        return np.asarray(others.argmax(axis=1))

    @cached_property
    def soft_labels(self) -> Floats:
        """Half posterior, half pool (items × classes): what to grade respondents against.

        The posterior leans on the given label, the pool on the others' opinion; half of both
        foretold performance on unseen items better than either, and than the given labels.
        """
        return (self.posterior + self.pooled) / 2


def find_label_noise(
    probabilities: NDArray[np.floating], labels: NDArray[np.integer]
) -> LabelNoise:
    """Estimate the pool and the channel by EM.

    Parameters
    ----------
    probabilities : respondents × items × classes; one respondent is enough.
    labels : position of the given class of each item.
    """
    evidence = weigh_evidence(probabilities)
    given = np.eye(evidence.shape[2])[labels]
    stated = find_stated(evidence) if _beats_constant(evidence, labels) else None
    pool = fit_pool(evidence, given, stated=stated)
    plain = np.exp(pool.log_probabilities(evidence))
    price = disbelieve(plain, stated)
    base = float(np.log(plain[np.arange(len(labels)), labels]).sum()) - price
    # The likelihood is nearly flat between a doubtful pool and a believed one beside noise, and EM
    # ends near where it starts: it starts from both.
    believed = _believed_pool(evidence)
    best, likelihood = max(
        (_maximise(evidence, labels, start, stated, _prior_of_right) for start in (pool, believed)),
        key=lambda pair: pair[1],
    )
    if price > 0:
        # Once believed, it is the respondent in the middle whose word is taken.
        bold = find_stated(evidence, _MIDDLE)
        other, higher = _maximise(evidence, labels, believed, bold, _prior_of_common_rate)
        higher += disbelieve(other.pooled, bold) - disbelieve(other.pooled, stated)
        if higher > max(likelihood, base + _SURELY * other.threshold):
            best, likelihood = other, higher
    return replace(best, gain=likelihood - base)


def take_labels(labels: NDArray[np.integer], n_respondents: int, n_classes: int) -> LabelNoise:
    """Take labels as given: no channel, and no say of respondents in what is true."""
    given = np.eye(n_classes)[labels]
    silent = LabelPool(
        np.zeros(n_respondents), np.zeros((n_respondents, n_classes)), np.zeros(n_classes)
    )
    return LabelNoise(given, given, labels, np.eye(n_classes), silent, 0.0)


def _maximise(
    evidence: Floats,
    labels: NDArray[np.integer],
    pool: LabelPool,
    stated: float | None,
    count_before: Callable[[Floats], Floats],
) -> tuple[LabelNoise, float]:
    """EM from a pool; give what was found and its penalised log-likelihood."""
    given = np.eye(evidence.shape[2])[labels]
    logs = pool.log_probabilities(evidence)
    counts = _confident_joint(np.exp(logs), labels)
    matrix = _normalise(counts + count_before(counts))
    former = -np.inf
    for _ in range(_MOST_ROUNDS):
        posterior, likelihood = _judge(logs, matrix, labels)
        if abs(likelihood - former) < _TOLERANCE * len(labels):
            break
        former = likelihood
        counts = posterior.T @ given
        matrix = _normalise(counts + count_before(counts))
        pool = fit_pool(evidence, posterior, pool, stated=stated)
        logs = pool.log_probabilities(evidence)
    posterior, likelihood = _judge(logs, matrix, labels)
    pooled = np.exp(logs)
    penalised = likelihood - disbelieve(pooled, stated)
    return LabelNoise(posterior, pooled, labels, matrix, pool, 0.0), penalised


def _prior_of_right(counts: Floats) -> Floats:
    """Dirichlet counts of labels that are mostly right, whatever was counted."""
    return _spread(len(counts), _WRONG, _RIGHT)


def _prior_of_common_rate(counts: Floats) -> Floats:
    """Dirichlet counts around one rate of errors for all classes, as counted."""
    total = counts.sum()
    rate = (total - np.trace(counts) + _WRONG) / (total + _WRONG + _RIGHT)
    return _spread(len(counts), _RIGHT * rate, _RIGHT * (1 - rate))


def _spread(n_classes: int, wrong: float, right: float) -> Floats:
    prior = np.full((n_classes, n_classes), wrong / max(n_classes - 1, 1))
    np.fill_diagonal(prior, right)
    return prior


def _believed_pool(evidence: Floats) -> LabelPool:
    """The respondents' mean opinion, taken at its word."""
    told = np.any(evidence != 0, axis=(1, 2))
    shape = len(evidence), evidence.shape[2]
    return LabelPool(told / max(told.sum(), 1), np.zeros(shape), np.zeros(shape[1]))


def _beats_constant(evidence: Floats, labels: NDArray[np.integer]) -> bool:
    """Whether the respondents' mean opinion is right clearly more often than one class is.

    Only then is it believed that they know what they say; the sure but ignorant are not.
    """
    right = evidence.mean(axis=0).argmax(axis=1) == labels
    usual = labels == np.bincount(labels).argmax()
    gains = right.astype(float) - usual
    return bool(gains.mean() > _CLEAR * gains.std() / np.sqrt(len(labels)))


def _judge(logs: Floats, matrix: Floats, labels: NDArray[np.integer]) -> tuple[Floats, float]:
    """E-step: q, and the log-likelihood of the given labels."""
    from scipy.special import logsumexp

    joint = logs + np.log(matrix[:, labels].T)
    total = logsumexp(joint, axis=1, keepdims=True)
    return np.exp(joint - total), float(total.sum())


def _normalise(counts: Floats) -> Floats:
    return np.asarray(counts / counts.sum(axis=1, keepdims=True))


def _confident_joint(pooled: Floats, labels: NDArray[np.integer]) -> Floats:
    """Count true against given labels of items about which the pool is confident.

    An item counts for the most probable class among those whose probability reaches the mean that
    items given that class have (Northcutt et al. 2021); else for its given label.
    """
    n_classes = pooled.shape[1]
    means = [
        pooled[labels == k, k].mean() if (labels == k).any() else 0.5 for k in range(n_classes)
    ]
    is_confident = pooled >= np.array(means)
    best = np.where(is_confident, pooled, -1.0).argmax(axis=1)
    believed = np.where(is_confident.any(axis=1), best, labels)
    counts = np.zeros((n_classes, n_classes))
    np.add.at(counts, (believed, labels), 1)
    return counts
