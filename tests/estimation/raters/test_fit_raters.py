"""Fits of ratings by raters: recovered, predicted, refused."""

import numpy as np
import pandas as pd
import pytest

import itemcurve as ic
from itemcurve.errors import ModelError, ResponsesError
from itemcurve.judges import Raters, simulate_ratings


@pytest.fixture(scope="module")
def drawn():
    return simulate_ratings(respondents=10, items=60, raters=4, seed=2, harsh=[0])


@pytest.fixture(scope="module")
def fit(drawn):
    return ic.fit(drawn.ratings, "grm", raters="rater")


def standardised(values):
    return (values - values.mean()) / values.std()


def test_truth_is_recovered(drawn, fit):
    assert fit.status.is_converged
    table = fit.respondents
    assert np.corrcoef(table["ability"], drawn.abilities)[0, 1] > 0.99
    ratio = (table["ability"] - standardised(drawn.abilities)) / table["ability_se"]
    assert (np.abs(ratio) < 3).all()
    alpha = drawn.discriminations * drawn.abilities.std()
    errors = fit.raters["discrimination_se"]
    assert (np.abs(fit.raters["discrimination"] - alpha) < 3.5 * errors).all()


def test_severity_is_in_points_and_sums_to_zero(drawn, fit):
    table = fit.raters
    assert table["severity"].sum() == pytest.approx(0, abs=1e-9)
    # Everybody rated everything, so plain means are fair here.
    plain = drawn.ratings.values.mean() - table["mean_rating"]
    np.testing.assert_allclose(table["severity"], plain, atol=0.05)


def test_fair_ratings_do_not_depend_on_who_rated(drawn):
    """The same models, one half seen mostly by the harsh judge."""
    ratings = drawn.ratings
    random = np.random.default_rng(1)
    harsh, first = ratings.rater == 0, ratings.respondent < 5
    kept = random.random(len(ratings)) < np.where(harsh == first, 0.9, 0.2)
    part = ic.fit(ratings.take(kept), "grm", raters="rater").respondents
    whole = ic.fit(ratings, "grm", raters="rater").respondents
    plain = np.abs(part["mean_rating"] - whole["mean_rating"]).mean()
    fair = np.abs(part["fair_rating"] - whole["fair_rating"]).mean()
    assert fair < 0.5 * plain


def test_anchors_are_the_origin(drawn):
    found = ic.fit(drawn.ratings, "grm", raters=Raters(anchors=("judge_1",))).raters
    assert found["severity"][0] == pytest.approx(0, abs=1e-9)
    assert (found["severity"][1:] < 0).all()
    assert found["is_anchor"].tolist() == [True, False, False, False]


def test_ratings_are_predicted_better_than_by_their_shares(drawn):
    kept, held = drawn.ratings.split(0.2, seed=1)
    found = ic.fit(kept, "grm", raters="rater")
    shares = found.predict(held).to_numpy()
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    score = -np.log(shares[np.arange(len(held)), held.grade]).mean()
    usual = np.bincount(kept.grade) / len(kept)
    assert score < -np.log(usual[held.grade]).mean() - 0.2


def test_tables_are_taken_by_the_names_of_their_columns(drawn, fit):
    table = drawn.ratings.frame().rename(
        columns={"rater": "judge", "respondent": "model", "rating": "score"}
    )
    columns = Raters(rater="judge", respondent="model", rating="score")
    assert ic.fit(table, "grm", raters=columns).log_likelihood == pytest.approx(fit.log_likelihood)
    usual = drawn.ratings.frame().rename(columns={"rater": "judge", "rating": "response"})
    assert ic.fit(usual, "grm", raters="judge").log_likelihood == pytest.approx(fit.log_likelihood)


def test_many_respondents_are_integrated_out():
    drawn = simulate_ratings(respondents=80, items=12, raters=3, seed=1)
    found = ic.fit(drawn.ratings, "grm", raters=Raters(interactions=()))
    assert found.is_over_respondents
    assert found.status.is_converged
    assert np.corrcoef(found.respondents["ability"], drawn.abilities)[0, 1] > 0.95
    assert list(found.items.columns)[:3] == ["item", "difficulty", "difficulty_se"]


def test_an_answer_rated_once_has_no_effect_of_its_own():
    drawn = simulate_ratings(respondents=8, items=60, raters=3, seed=1)
    ratings = drawn.ratings
    once = ratings.take((ratings.respondent + ratings.item) % 3 == ratings.rater)
    found = ic.fit(once, "grm", raters=Raters(interactions=()))
    assert found.status.is_converged
    assert found.spreads["answers"] == 0


def test_a_repeated_rating_counts_once(drawn, fit):
    table = drawn.ratings.frame()
    twice = pd.concat([table, table])
    with pytest.raises(ResponsesError, match="repeats=True"):
        ic.fit(twice, "grm", raters="rater")
    found = ic.fit(twice, "grm", raters=Raters(repeats=True))
    # Tastes for items take the two halves of a rating for independent, which moves the third digit.
    np.testing.assert_allclose(found.respondents["ability"], fit.respondents["ability"], atol=0.01)


def test_what_cannot_be_fitted_is_refused(drawn):
    table = drawn.ratings.frame()
    with pytest.raises(ResponsesError, match="two at least"):
        ic.fit(table[table["rater"] == "judge_1"], "grm", raters="rater")
    with pytest.raises(ResponsesError, match="must have the column 'judge'"):
        ic.fit(table, "grm", raters="judge")
    with pytest.raises(ResponsesError, match="Cut them into grades"):
        ic.fit(table.assign(rating=table["rating"] / 3), "grm", raters="rater")
    with pytest.raises(ModelError, match="fitted by 'grm'"):
        ic.fit(table, "beta3", raters="rater")
    with pytest.raises(ResponsesError, match="for ratings of two kinds"):
        ic.fit(table, "2pl", raters="rater")
    with pytest.raises(ModelError, match="Leave these out"):
        ic.fit(table, "grm", raters="rater", method="joint")
    with pytest.raises(ResponsesError, match="Anchors must be raters"):
        ic.fit(table, "grm", raters=Raters(anchors="nobody"))
    with pytest.raises(ResponsesError, match="Families are given by"):
        ic.fit(table, "grm", raters=Raters(families={"x": "y"}))
    with pytest.raises(ModelError, match="Interactions of raters"):
        Raters(interactions="everything")


def test_ids_that_were_not_fitted_cannot_be_predicted(drawn, fit):
    table = drawn.ratings.frame().head(2).assign(respondent="stranger")
    table["rating"] = [1, 2]
    with pytest.raises(ResponsesError, match="'stranger' is none of them"):
        fit.predict(table)
