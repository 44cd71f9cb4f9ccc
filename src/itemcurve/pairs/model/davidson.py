"""Bradley-Terry with ties: the probabilities of a vote and their derivatives.

Davidson (1970): with η the log odds of a against b and e^τ the weight of a tie between equals,

    P(a) ∝ e^{η/2},   P(b) ∝ e^{−η/2},   P(tie) ∝ e^τ.

This is an exponential family in (η, τ) with statistics (1[a] − 1[b]) / 2 and 1[tie], so that
residuals and covariances of these are all that a fit needs. Without ties τ is −∞, which leaves
Bradley and Terry (1952).
"""

from typing import NamedTuple

from itemcurve.numerics.engine import NUMPY, Array, Engine

# Stands for −∞: its exponential is 0 exactly, and 0 times it is 0.
NEVER = -1e4


class VoteMoments(NamedTuple):
    """Of every row: log-likelihood, residuals of both statistics, their covariances."""

    log_likelihood: Array
    eta_residual: Array
    tau_residual: Array
    eta_variance: Array
    covariance: Array
    tau_variance: Array


def log_probabilities(eta: Array, tau: Array, engine: Engine = NUMPY) -> tuple[Array, Array, Array]:
    """Give log P(a), log P(b) and log P(tie)."""
    xp = engine.xp
    half = eta / 2
    total = xp.logaddexp(xp.logaddexp(half, -half), tau)
    return half - total, -half - total, tau - total


def vote_moments(eta: Array, tau: Array, counts: Array, engine: Engine = NUMPY) -> VoteMoments:
    """Give what a Newton step needs of every row.

    Parameters
    ----------
    counts : votes for a, for b, ties (rows × 3).
    """
    xp = engine.xp
    logs = log_probabilities(eta, tau, engine)
    p_a, p_b, p_tie = (xp.exp(log) for log in logs)
    for_a, for_b, ties = counts[:, 0], counts[:, 1], counts[:, 2]
    total = for_a + for_b + ties
    lead = p_a - p_b
    return VoteMoments(
        for_a * logs[0] + for_b * logs[1] + ties * logs[2],
        (for_a - for_b - total * lead) / 2,
        ties - total * p_tie,
        total * (p_a + p_b - lead**2) / 4,
        -total * lead * p_tie / 2,
        total * p_tie * (1 - p_tie),
    )


def expected_share(eta: Array, tau: Array, engine: Engine = NUMPY) -> tuple[Array, Array]:
    """Give P(a) + P(tie) / 2, and its derivative in η."""
    p_a, p_b, _ = (engine.xp.exp(log) for log in log_probabilities(eta, tau, engine))
    lead = p_a - p_b
    return (1 + lead) / 2, (p_a + p_b - lead**2) / 4
