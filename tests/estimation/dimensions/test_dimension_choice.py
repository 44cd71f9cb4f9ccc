"""How many abilities there are, by responses that are left out."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ModelError


def test_one_ability_is_enough_where_there_is_one():
    responses = ic.simulate("2pl", respondents=120, items=40, seed=1).responses
    fit = ic.fit(responses, "2pl", dimensions="auto")
    assert fit.pattern.size == 1
    assert "One ability is enough" in str(fit.choice)


def test_three_are_found_where_there_are_three(tmp_path):
    rng = np.random.default_rng(2)
    slopes = np.kron(np.eye(3), np.ones((16, 1))) * 2.0
    chance = 1 / (1 + np.exp(-rng.normal(size=(150, 3)) @ slopes.T))
    responses = ic.Responses.from_array((rng.random(chance.shape) < chance).astype(float))
    fit = ic.fit(responses, "2pl", dimensions="auto")
    assert fit.pattern.size == 3
    frame = fit.choice.frame()
    assert frame.loc[frame["is_best"], "dimensions"].tolist() == [3]
    assert frame["log_loss"].idxmin() == frame.index[frame["dimensions"] == 3][0]


def test_too_few_responses_are_refused():
    responses = ic.simulate("2pl", respondents=12, items=8, seed=1).responses
    with pytest.raises(ModelError, match="at least 20 respondents"):
        ic.fit(responses, "2pl", dimensions="auto")


def test_a_table_of_few_benchmarks_can_be_asked():
    """Eight benchmarks, four that go with one ability and four with another."""
    rng = np.random.default_rng(5)
    logits = rng.normal(size=(150, 2)) @ np.kron(np.eye(2), np.ones((1, 4)))
    scores = 1 / (1 + np.exp(-logits - 0.3 * rng.normal(size=logits.shape)))
    fit = ic.fit(ic.Responses.from_array(scores), "logit-normal", dimensions="auto")
    assert fit.pattern.size == 2
