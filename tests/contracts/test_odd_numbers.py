"""Odd data, one set for every third model: our own errors, flagged numbers, statuses that are true.

`make faults` does this for 2,000 sets and every method.
"""

import pytest
from benchmarks.faults.numerics import tally, try_set
from benchmarks.faults.odd_sets import MODELS, draw_odd_set


@pytest.mark.parametrize("number", range(0, len(MODELS), 3), ids=MODELS[::3])
def test_what_is_odd_is_refused_or_fitted_with_what_is_unsure_flagged(number):
    # Several methods: they take turns after each round of models.
    record = try_set(1, number + len(MODELS) * (number % 5))
    assert [row.examples for row in tally([record]) if row.faults] == []


def test_a_set_is_drawn_from_its_number_alone():
    assert str(draw_odd_set(1, 7)) == str(draw_odd_set(1, 7))
    assert str(draw_odd_set(1, 7)) != str(draw_odd_set(2, 7))
