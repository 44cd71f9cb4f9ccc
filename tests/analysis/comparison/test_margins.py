"""Equivalence and non-inferiority against statsmodels."""

import numpy as np
import pytest
from statsmodels.stats.weightstats import ttost_paired

from itemcurve.analysis.comparison.margins import judge_margin
from itemcurve.analysis.comparison.paired_estimates import MeanEstimate, ScoreEstimate
from itemcurve.analysis.comparison.respondent_comparison import compare_respondents
from itemcurve.analysis.comparison.score_statistic import score_statistic
from itemcurve.errors import ModelError
from itemcurve.responses.matrix import Responses


@pytest.mark.parametrize("margin", [0.02, 0.05, 0.2])
@pytest.mark.parametrize("shift", [0.0, 0.03, -0.08])
def test_two_one_sided_tests_are_those_of_statsmodels(margin, shift):
    random = np.random.default_rng(1)
    first = random.random(80)
    second = np.clip(first + shift + 0.1 * random.normal(size=80), 0, 1)
    found = compare_respondents(Responses.from_array([first, second], ["a", "b"]), "a", "b")
    tested = found.within(margin)
    both, low, high = ttost_paired(second, first, -margin, margin)
    assert tested.equivalent_p == pytest.approx(both, abs=1e-8)
    assert tested.not_worse_p == pytest.approx(low[1], abs=1e-8)
    assert tested.not_better_p == pytest.approx(high[1], abs=1e-8)


def test_right_and_wrong_answers_are_tested_by_their_score_at_the_margin():
    from scipy.stats import norm

    found = judge_margin(ScoreEstimate(20, 30, 400, 0.0), 0.06)
    expected = norm.sf(score_statistic(20.5, 30.5, 401, -0.06))
    assert found.not_worse_p == pytest.approx(expected, abs=1e-8)


def test_interval_and_margin_agree():
    estimate = ScoreEstimate(40, 55, 1000, 0.01)
    lower, upper = estimate.interval(0.9)
    assert judge_margin(estimate, -lower).not_worse_p == pytest.approx(0.05)
    assert estimate.lower_tail(upper) == pytest.approx(0.05)


@pytest.mark.parametrize("margin", [-0.01, float("nan"), float("inf")])
def test_a_margin_is_a_number_from_zero_on(margin):
    with pytest.raises(ModelError, match="margin is a number from 0 on"):
        judge_margin(MeanEstimate(0.0, 0.1, 10), margin)
