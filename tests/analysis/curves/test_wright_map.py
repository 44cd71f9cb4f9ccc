"""Rankings, respondents with intervals, information, the Wright map, grouped residuals."""

from dataclasses import replace

import numpy as np
import pandas
import pytest
from tests.catalogue import MODELS

from itemcurve.analysis.curves.ability_axis import ability_axis, shown_difficulties
from itemcurve.analysis.curves.information_curves import information_curves
from itemcurve.analysis.curves.wright_map import wright_map
from itemcurve.analysis.model_fit.grouped_residuals import grouped_residuals
from itemcurve.analysis.respondents.leading_respondents import leading_respondents
from itemcurve.analysis.respondents.ranking import ranking
from itemcurve.errors import ModelError


def test_the_best_leads_and_is_tied_with_itself(fitted):
    found = ranking(fitted("2pl"))
    frame = found.frame()
    assert frame["ability"].is_monotonic_decreasing
    assert frame["probability_behind"].iloc[0] == 0.5
    assert frame["probability_behind"].is_monotonic_increasing
    assert 0 < found.reliability < 1
    assert found.n_tied == (frame["probability_behind"].iloc[1:] < 0.95).sum()


@pytest.mark.parametrize("model", ["2pl", "beta3"])
def test_intervals_enclose_what_is_shown(model, fitted):
    table = leading_respondents(fitted(model))
    assert (table["lower"] < table["shown"]).all()
    assert (table["shown"] < table["upper"]).all()
    if model == "beta3":
        assert table["lower"].min() > 0
        assert table["upper"].max() < 1


def test_of_many_respondents_the_best_and_worst_are_given(fitted):
    table = leading_respondents(fitted("2pl"), most=9)
    assert table["rank"].tolist() == [1, 2, 3, 4, 5, 6, 58, 59, 60]
    assert table["is_after_gap"].tolist().index(True) == 6


def test_tiers_are_joined_by_id(fitted):
    names = fitted("2pl").responses.respondents
    tiers = pandas.DataFrame({"respondent": names[:5], "tier": [1, 1, 2, 2, 2]})
    joined = leading_respondents(fitted("2pl"), tiers=tiers).set_index("respondent")["tier"]
    assert joined[names[0]] == "1"
    assert joined[names[9]] == "unknown"
    with pytest.raises(ModelError, match="columns respondent and tier"):
        leading_respondents(fitted("2pl"), tiers=tiers[["tier"]])
    with pytest.raises(ModelError, match="room for 2"):
        leading_respondents(fitted("2pl"), most=1)


@pytest.mark.parametrize("model", MODELS)
def test_test_information_is_the_sum_of_the_items(model, fitted):
    result = fitted(model)
    curves = information_curves(result, result.responses.items, points=7)
    assert np.allclose(curves.test, curves.items.sum(axis=1))
    assert list(curves.frame())[:3] == ["ability", "test_information", "standard_error"]
    assert len(information_curves(result).names) == 5


@pytest.mark.parametrize("model", MODELS)
def test_the_wright_map_counts_everybody(model, fitted):
    frame = wright_map(fitted(model)).frame()
    assert frame["respondents"].sum() == 60
    assert frame["items"].sum() == 12


def test_grouped_residuals_are_small_where_the_model_holds(fitted):
    found = grouped_residuals(fitted("2pl"), items=5, groups=4)
    assert found.residuals.shape == (5, 4)
    assert np.abs(found.residuals).max() < 4
    assert len(found.frame()) == 20
    with pytest.raises(ModelError, match="2 groups"):
        grouped_residuals(fitted("2pl"), groups=1)


def test_abilities_that_crowd_at_an_end_are_shown_as_logits(fitted):
    result = fitted("beta3")
    assert ability_axis(result).is_unit
    far = replace(result, estimates=replace(result.estimates, abilities=np.linspace(3.0, 12.0, 60)))
    axis = ability_axis(far)
    assert axis.label == "ability (logits)"
    assert axis.points[-1] > 12
    assert np.allclose(
        shown_difficulties(far, axis), result.items["difficulty_logit"], equal_nan=True
    )
    assert wright_map(far).frame()["respondents"].sum() == 60
