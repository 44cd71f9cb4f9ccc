"""Findings about votes, each where it is so and not elsewhere."""

import numpy as np
import pandas
import pytest

import itemcurve as ic


def codes(fit):
    return [finding.code for finding in fit.findings()]


def test_nothing_is_found_where_there_is_nothing():
    drawn = ic.pairs.simulate_votes(respondents=6, votes=6000, seed=1)
    assert codes(ic.fit_pairs(drawn.frame())) == []


def test_few_votes_and_clean_records_are_named():
    drawn = ic.pairs.simulate_votes(respondents=4, votes=400, seed=2).frame()
    new = pandas.DataFrame(
        {"respondent_a": ["new"] * 5, "respondent_b": ["model_1"] * 5, "winner": ["a"] * 5}
    )
    votes = pandas.concat([drawn, new])[["respondent_a", "respondent_b", "winner"]]
    fit = ic.fit_pairs(votes, on_failure="ignore")
    found = {finding.code: finding for finding in fit.findings()}
    assert found["IRT030"].concerned == ("new",)
    assert found["IRT034"].concerned == ("new",)


def test_a_style_that_changes_ranks_is_named():
    """The longer answers are those of one of the weaker, which wins by them."""
    rng = np.random.default_rng(3)
    first = rng.integers(4, size=8000)
    second = (first + rng.integers(1, 4, size=8000)) % 4
    strengths = np.array([0.6, 0.2, -0.2, -0.6])
    lengths = np.exp(rng.normal(6, 0.4, (8000, 2)))
    lengths[:, 0] *= np.where(first == 3, 3.0, 1.0)
    lengths[:, 1] *= np.where(second == 3, 3.0, 1.0)
    eta = strengths[first] - strengths[second] + np.log2(lengths[:, 0] / lengths[:, 1])
    votes = {
        "model_a": [f"m{code}" for code in first],
        "model_b": [f"m{code}" for code in second],
        "winner": np.where(rng.random(8000) < 1 / (1 + np.exp(-eta)), "a", "b"),
        "length_a": lengths[:, 0],
        "length_b": lengths[:, 1],
    }
    assert ic.fit_pairs(votes).board.respondents[0] == "m3"
    fit = ic.fit_pairs(votes, style="length")
    assert fit.board.respondents == ("m0", "m1", "m2", "m3")
    finding = next(found for found in fit.findings() if found.code == "IRT032")
    assert "'m3': 1 before, 4 now" in finding.message


def test_a_circle_of_wins_is_named():
    rows = [("x", "y", "a")] * 80 + [("y", "z", "a")] * 80 + [("z", "x", "a")] * 80
    rows += [("y", "x", "a")] * 20 + [("z", "y", "a")] * 20 + [("x", "z", "a")] * 20
    votes = pandas.DataFrame(rows, columns=["model_a", "model_b", "winner"])
    fit = ic.fit_pairs(votes, order=False)
    assert codes(fit) == ["IRT035"]
    assert fit.estimates.strengths == pytest.approx(0.0, abs=1e-9)
