"""Responses that items of a bank were not calibrated with."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ResponsesError


@pytest.fixture(scope="module")
def fit() -> ic.FitResult:
    """Ten items on five grades, the first of which was never given the highest two."""
    truth = ic.simulate("grm", respondents=200, items=10, seed=3)
    values = truth.responses.array().astype(float)
    values[:, 0] = np.minimum(values[:, 0], 2.0)
    return ic.fit(ic.Responses.from_array(values, items=truth.responses.items), "grm", prior=None)


def one(fit: ic.FitResult, first: float) -> ic.Responses:
    values = np.full((1, 10), 2.0)
    values[0, 0] = first
    return ic.Responses.from_array(values, items=fit.responses.items)


@pytest.mark.parametrize("method", ["eap", "map", "ml", "wle"])
def test_a_grade_left_out_at_calibration_is_refused_and_named(fit, method) -> None:
    with pytest.raises(ResponsesError, match=r"the first is 4 of item 'item_01', which knows 0, 1"):
        ic.score(fit.bank, one(fit, 4.0), method=method)


def test_grades_that_the_item_has_are_scored_and_missing_cells_too(fit) -> None:
    ability = [ic.score(fit.bank, one(fit, first)).ability[0] for first in (0.0, 2.0, np.nan)]
    assert ability[0] < ability[2] < ability[1]


def test_an_adaptive_test_refuses_such_a_grade_and_goes_on(fit) -> None:
    test = ic.AdaptiveTest(fit.bank.select(["item_01"]), stop=ic.stopping.max_items(1))
    item = test.next_item()
    with pytest.raises(ResponsesError, match="calibrated with"):
        test.record(item, 4.0)
    test.record(item, 2.0)
    assert test.is_finished
