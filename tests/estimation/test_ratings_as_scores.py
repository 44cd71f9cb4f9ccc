"""Ratings where scores are meant."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ResponsesError
from itemcurve.estimation.ratings_as_scores import grades_among

GRADES = ic.simulate("grm", respondents=100, items=8, seed=1).responses.array()


@pytest.mark.parametrize("model", ["beta3", "2pl-nd", "logit-normal"])
def test_grades_divided_by_their_maximum_are_refused_with_the_right_model(model):
    with pytest.raises(ResponsesError, match=r"one of 5 values, evenly apart.*Use grm or gpcm"):
        ic.fit(ic.Responses.from_array(GRADES / 4), model)


def test_grades_are_no_errors():
    with pytest.raises(ResponsesError, match=r"1, 2, 3, 4, 5.*Use grm"):
        ic.fit(ic.Responses.from_array(GRADES + 1), "gamma")


def test_models_of_shares_and_of_right_and_wrong_name_the_model_for_ratings():
    for model in ("2pl", "fractional-2pl", "beta3"):
        with pytest.raises(ResponsesError, match="grm"):
            ic.fit(ic.Responses.from_array(GRADES + 1), model)


def test_grades_as_shares_are_fitted_with_a_warning_among_the_findings():
    fit = ic.fit(ic.Responses.from_array(GRADES / 4), "fractional-2pl")
    found = [finding for finding in ic.findings(fit) if finding.code == "IRT018"]
    assert found[0].severity == "warning"
    assert "grm" in found[0].advice


def test_scores_are_no_grades():
    rng = np.random.default_rng(0)
    assert grades_among(ic.Responses.from_array(rng.random((40, 5)))) is None
    assert grades_among(ic.Responses.from_array(rng.integers(0, 2, (40, 5)))) is None
    uneven = rng.choice([0.0, 0.1, 0.37, 1.0], (40, 5))
    assert grades_among(ic.Responses.from_array(uneven)) is None
