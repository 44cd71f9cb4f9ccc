"""Tango's score test against its own definition, by brute force."""

import numpy as np
import pytest
from scipy.optimize import brentq, minimize_scalar

from itemcurve.analysis.comparison.score_statistic import score_interval, score_statistic


def constrained_statistic(gained, lost, n_items, supposed):
    """The definition: shares that are most likely under the difference supposed."""

    def loss(share_lost):
        share_gained = share_lost + supposed
        same = 1 - share_lost - share_gained
        terms = ((gained, share_gained), (lost, share_lost), (n_items - gained - lost, same))
        return -sum(count * np.log(max(share, 1e-300)) for count, share in terms if count)

    low, high = max(0.0, -supposed), (1 - supposed) / 2
    found = minimize_scalar(loss, bounds=(low, high), method="bounded", options={"xatol": 1e-13}).x
    variance = n_items * (2 * found + supposed - supposed**2)
    return (gained - lost - n_items * supposed) / np.sqrt(variance)


CASES = [(12, 4, 100), (3, 9, 50), (30, 31, 220), (5, 1, 20), (70, 95, 1000)]


@pytest.mark.parametrize(("gained", "lost", "n_items"), CASES)
@pytest.mark.parametrize("supposed", [-0.3, -0.05, 0.0, 0.01, 0.2])
def test_the_statistic_is_that_of_the_most_likely_shares(gained, lost, n_items, supposed):
    expected = constrained_statistic(gained, lost, n_items, supposed)
    assert score_statistic(gained, lost, n_items, supposed) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(("gained", "lost", "n_items"), CASES)
def test_the_interval_holds_what_the_test_does_not_refuse(gained, lost, n_items):
    lower, upper = score_interval(gained, lost, n_items, 1.6448536)
    for end, target in ((lower, 1.6448536), (upper, -1.6448536)):
        found = brentq(
            lambda value, target=target: (
                constrained_statistic(gained, lost, n_items, value) - target
            ),
            end - 0.01,
            end + 0.01,
            xtol=1e-12,
        )
        assert end == pytest.approx(found, abs=1e-5)


def test_at_no_difference_it_is_mcnemars():
    assert score_statistic(40, 25, 300, 0.0) == pytest.approx(15 / np.sqrt(65))


def test_it_is_the_same_from_either_side():
    lower, upper = score_interval(20, 8, 120, 1.96)
    other_lower, other_upper = score_interval(8, 20, 120, 1.96)
    assert (other_lower, other_upper) == pytest.approx((-upper, -lower))


def test_without_disagreement_there_is_still_an_interval():
    lower, upper = score_interval(0, 0, 50, 1.6448536)
    # The definition solves to z² / (n + z²).
    assert upper == pytest.approx(1.6448536**2 / (50 + 1.6448536**2))
    assert lower == pytest.approx(-upper)


def test_all_gained_ends_at_one():
    lower, upper = score_interval(40, 0, 40, 1.6448536)
    assert upper == pytest.approx(1.0)
    assert 0.8 < lower < 1.0
