"""Tests of one item: that they agree, in small groups and off the likelihood's maximum."""

from dataclasses import replace

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.analysis.groups.difference_tests import likelihood_ratio, score, wald
from itemcurve.analysis.groups.item_differences import read_data
from itemcurve.estimation.fit import read_settings
from itemcurve.estimation.groups.fit_groups import fit_groups
from itemcurve.estimation.groups.settings import SCALAR

NOBODY = np.zeros(12, dtype=bool)


def null_data(respondents: int, seed: int = 3):
    truth = ic.simulate("2pl", respondents=respondents, items=12, seed=seed)
    return read_data(truth.responses, ["old", "new"] * (respondents // 2), "2pl")


def test_priors_do_not_change_what_the_score_finds():
    """With priors the fit is not where the likelihood is highest, and its scale is open."""
    data = null_data(600)
    found = []
    for own in (data, replace(data, model=read_settings("2pl")[0])):
        test = score(own, fit_groups(own, SCALAR, NOBODY), NOBODY)
        found.append([test(item).statistic for item in range(12)])
    np.testing.assert_allclose(found[1], found[0], rtol=0.05, atol=0.05)


def test_in_small_groups_what_is_striking_is_settled_by_the_ratio():
    settled = 0
    for seed in range(6):
        data = null_data(60, seed)
        base = fit_groups(data, SCALAR, NOBODY)
        ratio = likelihood_ratio(data, base, NOBODY)
        by_score, by_wald = score(data, base, NOBODY), wald(data, base, NOBODY)
        for item in range(12):
            scored, walded = by_score(item).statistic, by_wald(item).statistic
            if max(scored, walded) <= 4.7:
                continue
            gain = ratio(item).statistic
            if scored > 4.7:
                settled += 1
                assert scored == pytest.approx(gain, abs=1e-6)
            if walded > 4.7:
                assert walded <= gain + 1e-6
    assert settled > 0


def test_small_groups_need_more_to_be_striking():
    from scipy.stats import chi2

    truth = ic.simulate("2pl", respondents=80, items=10, seed=2).responses
    found = ic.dif(truth, ["old", "new"] * 40, test="likelihood-ratio")
    plain = chi2.sf(found.statistic, found.degrees_of_freedom)
    assert (found.p_value > plain).all()
    np.testing.assert_allclose(found.p_value, chi2.sf(found.statistic / 1.125, 2))
