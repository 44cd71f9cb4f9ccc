"""Probabilities of other votes."""

import numpy as np
import pandas
import pytest

import itemcurve as ic
from itemcurve.errors import ResponsesError


@pytest.fixture(scope="module")
def drawn():
    return ic.pairs.simulate_votes(respondents=5, votes=2000, judges=3, order=0.5, seed=6).frame()


def test_the_log_loss_of_what_was_fitted_is_its_log_likelihood(drawn):
    for settings in ({}, {"judges": "own"}, {"style": "length"}, {"ties": "half"}):
        fit = ic.fit_pairs(drawn, **settings)
        assert fit.log_loss(drawn) == pytest.approx(-fit.log_likelihood / len(drawn), rel=1e-9)


def test_an_unknown_judge_or_item_is_the_average_one(drawn):
    fit = ic.fit_pairs(drawn, judges="own")
    other = fit.predict(drawn.head(3).assign(judge="stranger"))
    assert np.isfinite(other[["a", "b", "tie"]]).all(axis=None)
    np.testing.assert_allclose(other[["a", "b", "tie"]].sum(axis=1), 1.0)


def test_strangers_and_outcomes_never_seen_are_refused(drawn):
    fit = ic.fit_pairs(drawn[drawn["winner"] != "tie"])
    with pytest.raises(ResponsesError, match="as 'q'"):
        fit.predict({"model_a": ["q"], "model_b": ["model_1"], "winner": ["a"]})
    with pytest.raises(ResponsesError, match="the fit has seen none"):
        fit.log_loss(drawn)


def test_a_vote_between_two_without_finite_strengths_is_refused(drawn):
    names = sorted(set(drawn["respondent_a"]))
    more = {
        "respondent_a": ["top", "top", names[0], names[1]],
        "respondent_b": [names[0], names[1], "low", "low"],
        "winner": ["a", "a", "a", "a"],
    }
    columns = ["respondent_a", "respondent_b", "winner"]
    votes = pandas.concat([drawn[columns], pandas.DataFrame(more)])
    fit = ic.fit_pairs(votes, on_failure="ignore")
    assert set(fit.unbounded) == {"top", "low"}
    with pytest.raises(ResponsesError, match="finite strengths"):
        fit.predict({"respondent_a": ["top"], "respondent_b": ["low"], "winner": ["a"]})
