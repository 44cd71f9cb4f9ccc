"""The report on judges."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ModelError
from itemcurve.judges import Raters, judge_report, simulate_ratings


@pytest.fixture(scope="module")
def report():
    drawn = simulate_ratings(
        respondents=15, items=60, raters=6, seed=0, harsh=[0], random=[1], biased=[2]
    )
    return judge_report(ic.fit(drawn.ratings, "grm", raters=Raters(families=drawn.families)))


def test_the_harsh_the_random_and_the_biased_are_found(report):
    flags = report.frame()["flags"]
    assert "severe" in flags[0]
    assert "inconsistent" in flags[1]
    assert "prefers own family" in flags[2]
    assert not flags[3:].any()


def test_words_come_first(report):
    text = str(report)
    assert text.startswith("6 judges, 5,400 ratings of 15 respondents on 60 items")
    assert "judge_1 rates the same answers" in text
    assert "judge_3 gives its own family" in text
    assert "corrected for severity" in text


def test_preference_is_in_points(report):
    assert 0.2 < report.own_family.points[2] < 1.2
    assert report.own_family.adjusted[2] < 0.05


def test_families_may_come_later():
    drawn = simulate_ratings(respondents=15, items=80, raters=5, seed=4, biased=[2])
    fit = ic.fit(drawn.ratings, "grm", raters="rater")
    assert judge_report(fit).own_family is None
    found = judge_report(fit, families=drawn.families)
    assert found.flags()["prefers own family"].tolist() == [False, False, True, False, False]


def test_drift_is_found_where_times_are_known():
    from dataclasses import replace

    drawn = simulate_ratings(respondents=8, items=60, raters=3, seed=1)
    ratings = drawn.ratings
    time = np.random.default_rng(1).permutation(len(ratings)).astype(float)
    milder = (ratings.rater == 0) & (time > 0.5 * len(ratings))
    grade = np.where(milder, np.minimum(ratings.grade + 1, 4), ratings.grade)
    drifted = replace(ratings, time=time, grade=grade)
    found = judge_report(ic.fit(drifted, "grm", raters=Raters(time="time")))
    assert found.flags()["drifts"].tolist() == [True, False, False]
    assert found.drift.points[0] > 0.5
    assert "points from its first rating to its last" in str(found)


def test_a_judge_who_avoids_the_ends_is_found():
    from dataclasses import replace

    ratings = simulate_ratings(respondents=8, items=60, raters=4, seed=3).ratings
    middle = np.where(ratings.rater == 1, np.clip(ratings.grade, 1, 3), ratings.grade)
    found = judge_report(ic.fit(replace(ratings, grade=middle), "grm", raters="rater"))
    assert found.flags()["avoids the ends"].tolist() == [False, True, False, False]


def test_a_judge_who_rates_the_model_and_not_the_answer_has_a_halo():
    from dataclasses import replace

    drawn = simulate_ratings(respondents=12, items=80, raters=5, seed=2)
    ratings = drawn.ratings
    random = np.random.default_rng(1)
    z = 2.2 * drawn.abilities[ratings.respondent] + random.logistic(size=len(ratings))
    blind = (z[:, None] > np.linspace(-2.2, 2.2, 4)).sum(axis=1)
    grade = np.where(ratings.rater == 4, blind, ratings.grade)
    found = judge_report(ic.fit(replace(ratings, grade=grade), "grm", raters="rater"))
    assert found.flags()["halo"].tolist() == [False, False, False, False, True]


def test_another_fit_is_refused():
    fit = ic.fit(ic.simulate("2pl", respondents=60, items=10, seed=1).responses)
    with pytest.raises(ModelError, match="from a fit with raters"):
        judge_report(fit)


def test_severities_without_a_shared_answer_are_said_to_be_inferred():
    """One judge for each answer, all of whom rated the same respondents and items."""
    drawn = simulate_ratings(respondents=16, items=120, raters=4, seed=1, harsh=[0])
    ratings = drawn.ratings
    turn = (ratings.respondent + ratings.item) % 4 == ratings.rater
    found = judge_report(ic.fit(ratings.take(np.flatnonzero(turn)), "grm", raters="rater"))
    assert not found.has_shared_answers
    assert "judge_1 would rate the same answers" in str(found)
    assert "No answer was rated by two judges" in str(found)


def test_many_judges_with_the_same_flag_share_a_sentence(report, monkeypatch):
    from dataclasses import replace

    report = replace(report, drift=report.severity)
    severe = np.array([True, True, False, True, False, False])
    monkeypatch.setattr(type(report), "flags", lambda _: {"severe": severe, "drifts": ~severe})
    lines = str(report).splitlines()[1:3]
    points = np.abs(report.severity.effect)
    order = sorted([0, 1, 3], key=lambda k: -points[k])
    named = [f"judge_{k + 1} ({points[k]:.2f})" for k in order]
    assert lines[0].startswith(
        f"{named[0]}, {named[1]} and {named[2]} rate the same answers so many points lower"
    )
    assert lines[1].count("changed by") == 3
    assert lines[1].count("rate in random order") == 1
