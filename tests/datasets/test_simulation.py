"""Simulated responses: sizes, seeds."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ModelError


@pytest.mark.parametrize("numbers", [{"respondents": 0}, {"items": 0}, {"missing": 1.0}])
def test_simulate_refuses_impossible_sizes(numbers):
    with pytest.raises(ModelError, match="at least one respondent"):
        ic.simulate("2pl", **{"respondents": 5, "items": 5, "seed": 0, **numbers})


def test_simulations_repeat_with_the_seed():
    a, b = (ic.simulate("4pl", respondents=9, items=7, seed=3, missing=0.2) for _ in range(2))
    np.testing.assert_array_equal(a.responses.array(), b.responses.array())
    other = ic.simulate("4pl", respondents=9, items=7, seed=4)
    assert not np.array_equal(other.values, a.values)
