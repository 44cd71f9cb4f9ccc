"""Respondents whose answers do not go together."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.analysis.respondents.answer_likelihood import lower_tail
from itemcurve.errors import ModelError


@pytest.fixture(scope="module")
def spoiled():
    """Answers of 300 respondents, of which the first three are those of somebody else's items."""
    truth = ic.simulate("2pl", respondents=300, items=60, seed=11)
    values = truth.responses.array().astype(float)
    order = np.argsort(values.mean(axis=0))
    # Hard items right, easy ones wrong.
    values[0, order[:20]], values[0, order[-20:]] = 1.0, 0.0
    values[1, order[:15]], values[1, order[-15:]] = 1.0, 0.0
    values[2, order[:12]], values[2, order[-12:]] = 1.0, 0.0
    return ic.person_fit(ic.fit(ic.Responses.from_array(values)))


def test_respondents_right_where_it_is_hard_are_found(spoiled):
    assert np.flatnonzero(spoiled.flagged).tolist() == [0, 1, 2]
    assert (spoiled.better + spoiled.worse)[:3].min() >= 5


def test_what_is_odd_is_said_in_words(spoiled):
    said = str(spoiled)
    assert said.startswith("3 of 300 respondents answer in a way")
    assert "respondent_001 answers hard items right and easy ones wrong" in said
    assert "answers easy items wrong, given how able" in said
    assert len(spoiled.sentences()) == 3
    table = spoiled.frame()
    assert table["flagged"].sum() == 3
    assert {"lz_star", "zh", "p_adjusted"} <= set(table.columns)


@pytest.mark.parametrize(("model", "items"), [("2pl", 20), ("grm", 10), ("3pl", 30)])
def test_sound_respondents_are_flagged_no_more_often_than_said(model, items):
    shares, flags = [], 0
    for seed in range(6):
        drawn = ic.simulate(model, respondents=300, items=items, seed=seed).responses
        found = ic.person_fit(ic.fit(drawn, model))
        shares.append((found.p_value < 0.05).mean())
        flags += bool(found.flagged.any())
    assert 0.02 < np.mean(shares) < 0.055
    assert flags <= 1


def test_the_correction_widens_the_statistic():
    drawn = ic.simulate("2pl", respondents=500, items=15, seed=3).responses
    found = ic.person_fit(ic.fit(drawn))
    assert found.lz_star.std() > found.zh.std()


def test_missing_answers_count_for_nothing():
    drawn = ic.simulate("2pl", respondents=200, items=20, seed=4).responses.array().astype(float)
    fit = ic.fit(ic.Responses.from_array(drawn))
    drawn[0, 5:] = np.nan
    some = ic.person_fit(ic.fit(ic.Responses.from_array(drawn)))
    whole = ic.person_fit(fit)
    assert abs(some.lz_star[0] - whole.lz_star[0]) > 0.01
    np.testing.assert_allclose(some.lz_star[1:], whole.lz_star[1:], atol=0.1)


def test_the_tail_of_a_skewed_sum_is_that_of_a_gamma():
    random = np.random.default_rng(0)
    drawn = -(random.gamma(4.0, size=1_000_000) - 4.0) / 2.0
    for value in (-3.0, -1.0, 0.5):
        tail = lower_tail(np.array([value]), np.array([-1.0]))[0]
        assert tail == pytest.approx((drawn <= value).mean(), abs=2e-3)
        mirrored = lower_tail(np.array([-value]), np.array([1.0]))[0]
        assert mirrored == pytest.approx(1.0 - tail, abs=1e-9)


def test_scores_are_refused():
    drawn = ic.simulate("beta3", respondents=40, items=8, seed=1).responses
    with pytest.raises(ModelError, match="right or wrong"):
        ic.person_fit(ic.fit(drawn, "beta3"))
