"""Categories read off the responses."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ResponsesError
from itemcurve.estimation.observed_categories import observed_categories, settle_categories
from itemcurve.estimation.rare_categories import has_category

GRADES = ic.simulate("grm", respondents=300, items=10, seed=1).responses.array()


def test_any_coding_is_read():
    plain = ic.fit(ic.Responses.from_array(GRADES), "grm", prior=None)
    for codes in ([1, 2, 3, 4, 5], [10, 20, 30, 40, 50], [-2, -1, 0, 1, 7], [0, 0.5, 1, 1.5, 2]):
        coded = ic.Responses.from_array(np.array(codes, dtype=float)[GRADES.astype(int)])
        fit = ic.fit(coded, "grm", prior=None)
        assert fit.estimates.model.codes == tuple(codes)
        assert fit.log_likelihood == pytest.approx(plain.log_likelihood, abs=1e-7)


def test_too_many_values_are_no_categories():
    scores = ic.Responses.from_array(np.random.default_rng(0).random((50, 4)))
    with pytest.raises(ResponsesError, match="200 different values"):
        ic.fit(scores, "grm")
    with pytest.raises(ResponsesError, match="All responses are 3"):
        observed_categories(ic.Responses.from_array(np.full((5, 4), 3)))


def test_what_nobody_used_is_left_out_and_said():
    joined = GRADES.copy()
    joined[:, 4] = np.where(joined[:, 4] == 2, 3, joined[:, 4])
    responses = ic.Responses.from_array(joined)
    fit = ic.fit(responses, "grm")
    row = fit.items.loc[4]
    assert np.isnan(row["threshold_2"])
    assert np.isfinite(row[["threshold_1", "threshold_3", "threshold_4"]].astype(float)).all()
    found = [finding for finding in ic.findings(fit) if finding.code == "IRT016"]
    assert found[0].concerned == (responses.items[4],)
    assert f"{responses.items[4]} (2)" in found[0].message


def test_an_item_whose_categories_are_joined_is_one_of_fewer_categories():
    joined = GRADES.copy()
    joined[:, 4] = np.where(joined[:, 4] == 2, 3, joined[:, 4])
    closer = joined.copy()
    closer[:, 4] = np.array([0, 1, 0, 2, 3])[closer[:, 4].astype(int)]
    first, second = (
        ic.fit(ic.Responses.from_array(own), "gpcm", prior=None) for own in (joined, closer)
    )
    assert first.log_likelihood == pytest.approx(second.log_likelihood, abs=1e-6)
    assert first.n_parameters == second.n_parameters == 49


def test_a_rare_grade_keeps_a_threshold_that_other_items_tell():
    counts = np.array([[10, 20, 30, 20, 10], [16, 9, 4, 1, 0], [45, 45, 0, 0, 0], [0, 0, 3, 8, 19]])
    np.testing.assert_array_equal(
        has_category(counts),
        [[1, 1, 1, 1, 1], [1, 1, 1, 1, 1], [1, 1, 0, 0, 0], [1, 1, 1, 1, 1]],
    )
    few = ic.simulate("grm", respondents=30, items=30, seed=4).responses
    fit = ic.fit(few, "grm")
    assert np.isfinite(fit.items.filter(regex="^threshold_.$").to_numpy()).all()
    alone = ic.fit(few, "grm", prior=None, on_failure="ignore")
    assert np.isnan(alone.items.filter(regex="^threshold_.$").to_numpy()).any()


def test_a_settled_model_stays_as_it_is():
    settled = ic.get_model("grm").with_categories((1.0, 2.0, 3.0))
    responses = ic.Responses.from_array(np.random.default_rng(0).integers(1, 3, (60, 5)))
    assert settle_categories(settled, responses) is settled
