"""Respondents with their intervals."""

import pandas
import pytest

from itemcurve.analysis.respondents.leading_respondents import leading_respondents
from itemcurve.errors import ModelError


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
