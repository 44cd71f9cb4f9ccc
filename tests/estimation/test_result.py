"""What a fit says of itself: flags, status, errors that mean something."""

from dataclasses import replace

import numpy as np
import pytest
from benchmarks.faults.odd_sets import draw_odd_set

import itemcurve as ic
from itemcurve.estimation.status import FitStatus


@pytest.fixture(scope="module")
def fit():
    return ic.fit(ic.simulate("2pl", respondents=60, items=6, seed=1).responses, "2pl")


def with_errors(fit, **changed):
    return replace(fit, estimates=replace(fit.estimates, **changed))


@pytest.mark.parametrize("size", [1e4, 7.9e149, np.inf])
def test_errors_without_meaning_are_not_shown_but_flagged_and_told_by_the_status(fit, size):
    errors = {name: each.copy() for name, each in fit.estimates.item_errors.items()}
    errors["difficulty"][2] = size
    absurd = with_errors(fit, item_errors=errors)
    assert absurd.status is FitStatus.FLAT
    assert fit.status is FitStatus.CONVERGED
    assert np.isnan(absurd.items["difficulty_se"]).tolist() == [False, False, True] + [False] * 3
    assert [("not determined" in flags) for flags in absurd.items["flags"]] == [
        False,
        False,
        True,
        False,
        False,
        False,
    ]
    assert absurd.items["discrimination_se"].equals(fit.items["discrimination_se"])


def test_so_are_those_of_abilities(fit):
    points = fit.estimates.ability_point_errors.copy()
    points[5] = 1.2e12
    absurd = with_errors(fit, ability_point_errors=points)
    assert absurd.status is FitStatus.FLAT
    row = absurd.respondents.iloc[5]
    assert np.isnan(row["ability_se"])
    assert row["flags"].endswith("not determined")
    assert absurd.respondents.drop(index=5).equals(fit.respondents.drop(index=5))


def test_large_errors_that_mean_something_are_shown(fit):
    points = np.full_like(fit.estimates.ability_point_errors, 9999.0)
    assert (with_errors(fit, ability_point_errors=points).respondents["ability_se"] == 9999).all()


def test_items_that_nobody_parts_are_not_determined_without_priors():
    responses = ic.Responses.from_array(np.zeros((12, 8)))
    fit = ic.fit(responses, "1pl", method=ic.Joint(objective="ml"), prior=None, on_failure="ignore")
    assert fit.items["difficulty_se"].isna().all()
    assert (fit.items["flags"] == "constant, not determined").all()
    assert fit.status is not FitStatus.CONVERGED


def test_an_error_that_is_missing_is_flagged():
    """Nearly ties: every score is a category of its own, and slopes end at their bound."""
    odd = draw_odd_set(1, 1339)
    answers = ic.Responses.from_array(odd.values)
    fit = ic.fit(answers, odd.model, method=odd.settings, prior=None, on_failure="ignore")
    assert fit.items["discrimination_se"].isna().all()
    assert fit.items["flags"].str.contains("not determined").all()
