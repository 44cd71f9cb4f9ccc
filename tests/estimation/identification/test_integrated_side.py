"""Which items can be integrated out, in words of those who have ratings."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ModelError, ResponsesError

ITEMS = ic.Marginal(over="items")


@pytest.mark.parametrize(
    ("model", "said"),
    [("grm", "grm has 5 grades"), ("rsm", "thresholds are common to all items")],
)
def test_many_grades_and_common_thresholds_are_refused_with_what_serves_them(model, said):
    ratings = ic.simulate(model, respondents=12, items=40, seed=1).responses
    with pytest.raises(ModelError, match=said) as refused:
        ic.fit(ratings, model, method=ITEMS)
    assert "Use over='respondents'" in str(refused.value)
    assert ic.fit(ratings, model).estimates.over == "respondents"


def test_three_grades_that_some_items_lack_are_refused_and_by_default_served():
    rng = np.random.default_rng(1)
    grades = rng.integers(0, 3, (40, 60)).astype(float)
    grades[:, :5] = grades[:, :5] > 0
    ratings = ic.Responses.from_array(grades)
    with pytest.raises(ModelError, match="some items lack some of them"):
        ic.fit(ratings, "grm", method=ITEMS)
    assert ic.fit(ratings, "grm").estimates.over == "respondents"


def test_weights_many_decades_apart_are_refused_with_what_serves_them():
    # Here steps along a narrow ridge took over 20 processor seconds, to no end.
    rng = np.random.default_rng(1)
    errors, weights = rng.gamma(2, 1, (5, 8)), 10.0 ** rng.uniform(-8, 8, (5, 8))
    apart = ic.Responses.from_array(errors, weights=weights)
    with pytest.raises(ResponsesError, match="at most 100,000,000 times each other") as refused:
        ic.fit(apart, "gamma", method=ITEMS)
    assert "Use over='respondents'" in str(refused.value)
    near = ic.Responses.from_array(errors, weights=10.0 ** rng.uniform(-1, 1, (5, 8)))
    assert ic.fit(near, "gamma", method=ITEMS).estimates.over == "items"
