"""Intervals of shares and of their differences, against published ones."""

import numpy as np
import pytest

from itemcurve.analysis.robustness.interval_contrast import (
    difference,
    mean_of,
    wilson_interval,
)

PER_BIN = 80


def test_wilson_intervals_equal_scipy():
    from scipy.stats import binomtest

    for hits, count in ((0, 80), (3, 80), (17, 80), (80, 80), (1, 2)):
        expected = binomtest(hits, count).proportion_ci(0.9, method="wilson")
        found = wilson_interval(np.array([hits]), count)
        assert found.lower[0] == pytest.approx(expected.low, abs=1e-12)
        assert found.upper[0] == pytest.approx(expected.high, abs=1e-12)
    assert np.isnan(wilson_interval(np.array([0]), 0).value[0])


@pytest.mark.parametrize(
    ("first", "second", "lower", "upper"),
    # Newcombe (1998), Statistics in Medicine 17, table II, method 10, 95 %.
    [((48, 80), (56, 70), 0.0524, 0.3339), ((0, 20), (0, 10), -0.1611, 0.2775)],
)
def test_differences_of_shares_have_the_published_intervals(first, second, lower, upper):
    easy, hard = (wilson_interval(np.array([k]), n, 0.95) for k, n in (first, second))
    found = difference(easy, hard)
    assert found.lower[0] == pytest.approx(lower, abs=5e-5)
    assert found.upper[0] == pytest.approx(upper, abs=5e-5)


def test_intervals_of_differences_and_means_cover_the_truth():
    rng = np.random.default_rng(0)
    easy, hard = (
        wilson_interval(rng.binomial(PER_BIN, p, 4000), PER_BIN, 0.9) for p in (0.03, 0.2)
    )
    for found, truth in ((difference(easy, hard), 0.17), (mean_of(easy, hard), 0.115)):
        covered = ((found.lower <= truth) & (truth <= found.upper)).mean()
        assert 0.87 <= covered <= 0.94
