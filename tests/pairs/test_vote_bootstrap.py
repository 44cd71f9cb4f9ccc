"""Votes drawn again give the errors that the formula gives."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ModelError


@pytest.mark.parametrize("items", [None, 80])
def test_errors_agree_with_the_formula(items):
    drawn = ic.pairs.simulate_votes(respondents=5, votes=1500, items=items, seed=7)
    fit = ic.fit_pairs(drawn.frame())
    assert (fit.setup.clusters is None) == (items is None)
    found = fit.bootstrap(200, seed=1)
    np.testing.assert_allclose(found.bootstrap_se, found.strength_se, rtol=0.25)
    assert found.n_left_out == 0
    again = fit.bootstrap(200, seed=1)
    assert found.frame().equals(again.frame())


def test_draws_without_finite_strengths_are_counted():
    rows = {"model_a": ["x"] * 9, "model_b": ["y"] * 9, "winner": list("aaabbbbbb")}
    found = ic.fit_pairs(rows).bootstrap(200, seed=2)
    # A draw has nothing but losses in (2/3)⁹ = 2.6 % of cases.
    assert 1 <= found.n_left_out <= 12
    assert len(found.draws) + found.n_left_out == 200


def test_one_draw_is_no_bootstrap():
    rows = {"model_a": ["x"] * 2, "model_b": ["y"] * 2, "winner": ["a", "b"]}
    with pytest.raises(ModelError, match="2 draws"):
        ic.fit_pairs(rows).bootstrap(1)
