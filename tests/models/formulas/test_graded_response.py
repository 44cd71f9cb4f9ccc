"""Graded responses far out, where probabilities are 0 or 1 to all digits."""

import warnings

import pytest
from benchmarks.faults.odd_sets import draw_odd_set

import itemcurve as ic


@pytest.mark.parametrize("number", [224, 497, 1127])
def test_steep_items_keep_the_ratios_of_probabilities_that_round_to_one(number):
    """At z = 50 and 37 the chances to fail are 1e-22 and 1e-16, and their ratio is a number."""
    odd = draw_odd_set(1, number)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        fit = ic.fit(
            ic.Responses.from_array(odd.values),
            odd.model,
            method=odd.settings,
            prior=None,
            on_failure="ignore",
        )
    assert fit.status.is_converged
