"""What the respondents together say against each label, each weighed by how well it tells."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.labels.label_pool import find_floors

Floats = NDArray[np.float64]

# Prior precision of the weights, in units of a respondent's own strength. Chosen among 3 to 300 on
# simulated shapes and MNIST 3 against 5; docs/audit.md has the figures.
_RIDGE = 100.0
_FOLDS = 10


@dataclass(frozen=True, eq=False)
class PooledEvidence:
    """Evidence of the whole pool.

    Attributes
    ----------
    log_odds : of each other label against the given one (items × other labels), found with weights
        that never saw the item's own label.
    weights : share of each respondent in the pool; they sum to 1, or to 0 when nobody tells.
    """

    log_odds: Floats
    weights: Floats


def contrast_responses(responses: Floats) -> Floats:
    """Log-odds of "not as labelled" (respondents × items × 1) from responses in [0, 1].

    What a response lacks to 1 is taken as said for one and the same other label, which is exact
    with two classes. Cells that are NaN say nothing.
    """
    floors = find_floors(responses)
    kept = np.clip(responses, floors, 1 - floors)
    odds = np.nan_to_num(np.log1p(-kept) - np.log(kept), nan=0.0)
    odds[np.ptp(odds, axis=1) < 1e-9] = 0.0
    return np.asarray(odds[:, :, np.newaxis])


def pool_evidence(contrasts: Floats) -> PooledEvidence:
    """Weigh the respondents and add up what they say.

    The pooled log-odds are Σ_r w_r x_r with w ≥ 0, where the weights maximise the penalised
    probability of the given labels, Σ_i log P(given_i) − λ/2 Σ_r (w_r s_r)², s_r the root mean
    square of x_r: a logistic regression, so that respondents who say the same share one weight and
    the over-confident are tempered. Wrong labels lower all weights together, not their proportions.
    Items are judged by weights from the nine tenths of items they are not in. The pool is then
    stretched to the strength of its members, which disagreement had diluted.

    Parameters
    ----------
    contrasts : respondents × items × other labels.
    """
    strength = np.sqrt(np.mean(contrasts**2, axis=(1, 2)))
    told = np.flatnonzero(strength > 0)
    n_items = contrasts.shape[1]
    weights = np.zeros(len(contrasts))
    pooled = np.zeros(contrasts.shape[1:])
    if not len(told):
        return PooledEvidence(pooled, weights)
    strength = strength[told]
    scaled = contrasts[told] / strength[:, np.newaxis, np.newaxis]
    rows = np.ascontiguousarray(scaled.reshape(len(told), -1).T)
    start = _find_weights(rows, np.ones(n_items), np.full(len(told), 1 / len(told)))
    fold = np.arange(n_items) % _FOLDS
    for held in range(min(_FOLDS, n_items)):
        found = _find_weights(rows, (fold != held).astype(float), start)
        pooled[fold == held] = _combine(rows, found, strength).reshape(pooled.shape)[fold == held]
    share = start / strength
    weights[told] = share / share.sum() if share.any() else share
    return PooledEvidence(pooled, weights)


def _find_weights(rows: Floats, counts: Floats, start: Floats) -> Floats:
    """Non-negative weights of the columns; an item counts `counts` times."""
    from scipy.optimize import fmin_l_bfgs_b

    def lose(weights: Floats) -> tuple[float, Floats]:
        against = (rows @ weights).reshape(len(counts), -1)
        top = np.maximum(against.max(axis=1), 0.0)
        raised = np.exp(against - top[:, np.newaxis])
        total = np.exp(-top) + raised.sum(axis=1)
        loss = counts @ (top + np.log(total)) + _RIDGE / 2 * weights @ weights
        shares = raised * (counts / total)[:, np.newaxis]
        return float(loss), rows.T @ shares.ravel() + _RIDGE * weights

    bounds = [(0.0, None)] * rows.shape[1]
    # factr in units of 2e-16: 1e-7 of the loss moves no pooled log-odds in its third digit.
    found = fmin_l_bfgs_b(lose, start, bounds=bounds, factr=5e8, maxiter=200)[0]
    return np.asarray(found)


def _combine(rows: Floats, weights: Floats, strength: Floats) -> Floats:
    """Pool at the mean strength of its members."""
    pooled = rows @ weights
    size = np.sqrt(np.mean(pooled**2))
    if size == 0:
        return np.asarray(pooled)
    return np.asarray(pooled / size * (weights @ strength) / weights.sum())
