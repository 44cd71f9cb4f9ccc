"""Predictions of responses from one ability: whether intervals hold what they promise."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ModelError


def test_probabilities_lie_near_the_curve_with_intervals_around():
    fit = ic.fit(ic.simulate("2pl", respondents=200, items=15, seed=1).responses)
    found = fit.predict()
    expected = fit.expected_response(fit.estimates.abilities)
    assert np.abs(found.mean - expected).max() < 0.12
    assert (found.lower < found.median).all()
    assert (found.median < found.upper).all()
    assert found.was_observed.all()


@pytest.mark.parametrize("model", ["beta3", "logit-normal", "2pl-nd"])
def test_intervals_hold_scores_that_were_left_out(model):
    drawn = ic.simulate(model, respondents=60, items=40, seed=3)
    kept, held = drawn.responses.split(0.15, seed=1)
    fit = ic.fit(kept, model, on_failure="ignore")
    found = fit.predict()
    truth = held.array()
    cells = ~np.isnan(truth)
    inside = (found.lower <= truth) & (truth <= found.upper)
    assert 0.84 < inside[cells].mean() < 0.96
    assert not found.was_observed[cells].any()


def test_frames_name_respondents_and_items():
    fit = ic.fit(ic.simulate("grm", respondents=100, items=8, seed=1).responses, "grm")
    frame = fit.predict(["respondent_002"], ["item_1", "item_3"]).frame()
    assert frame["item"].tolist() == ["item_1", "item_3"]
    assert frame["mean"].between(0, 4).all()


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"respondents": ["nobody"]}, "'nobody' is none of its 50"),
        ({"items": []}, "Got an empty list"),
        ({"level": 1.5}, "between 0 and 1"),
    ],
)
def test_what_is_not_there_is_refused(asked, words):
    fit = ic.fit(ic.simulate("2pl", respondents=50, items=8, seed=1).responses)
    with pytest.raises(ModelError, match=words):
        fit.predict(**asked)
