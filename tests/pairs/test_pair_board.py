"""The leaderboard: ranks that each may have, tiers, win rates to expect."""

import numpy as np
import pytest

import itemcurve as ic


@pytest.fixture(scope="module")
def fit():
    drawn = ic.pairs.simulate_votes(respondents=6, votes=3000, ties=0.2, order=0.5, seed=5)
    return ic.fit_pairs(drawn.frame())


def test_differences_and_ranks_follow_from_the_covariance(fit):
    board = fit.board
    order = [fit.respondents.index(name) for name in board.respondents]
    covariance = fit.estimates.covariance[np.ix_(order, order)]
    from scipy.stats import norm

    variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    expected = 2 * norm.sf(abs(board.strength[0] - board.strength[1]) / np.sqrt(variance))
    assert board.p_values[0, 1] == pytest.approx(expected, abs=1e-8)
    assert (board.best_rank <= np.arange(1, 7)).all()
    assert (board.worst_rank >= np.arange(1, 7)).all()
    assert board.tier[0] == 1


def test_expected_win_rates_average_both_orders_and_all_opponents(fit):
    shares = fit.win_probabilities().to_numpy()
    np.testing.assert_allclose(shares + shares.T, 1.0, atol=1e-12)
    off = ~np.eye(6, dtype=bool)
    expected = np.where(off, shares, 0).sum(axis=1) / 5
    np.testing.assert_allclose(fit.frame()["expected_win_rate"], expected, atol=1e-12)
    assert fit.frame()["expected_win_rate"].mean() == pytest.approx(0.5)


def test_win_rates_as_they_were_are_counted(fit):
    votes = fit.setup.votes
    best = fit.respondents.index(fit.board.respondents[0])
    as_a, as_b = votes.first == best, votes.second == best
    wins = (as_a & (votes.outcomes == 0)).sum() + (as_b & (votes.outcomes == 1)).sum()
    ties = ((as_a | as_b) & (votes.outcomes == 2)).sum()
    row = fit.frame().iloc[0]
    assert row["votes"] == (as_a | as_b).sum()
    assert row["win_rate"] == pytest.approx((wins + ties / 2) / row["votes"])


def test_errors_of_expected_win_rates_are_those_of_many_draws(fit):
    """Strengths drawn from their distribution spread the win rates as the intervals say."""
    rng = np.random.default_rng(0)
    from dataclasses import replace

    from itemcurve.pairs.win_rates import expected_win_rates

    draws = rng.multivariate_normal(fit.estimates.strengths, fit.estimates.covariance, size=400)
    rates = []
    for drawn in draws:
        moved = replace(fit, estimates=replace(fit.estimates, strengths=drawn))
        rates.append(expected_win_rates(moved)[0])
    spread = np.std(rates, axis=0)
    _, lower, upper = expected_win_rates(fit)
    np.testing.assert_allclose((upper - lower) / 2 / 1.6449, spread, rtol=0.12)
