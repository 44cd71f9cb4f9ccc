"""Differences that may be looked at after every item."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ResponsesError


def compare(first, second, **settings):
    return ic.compare_respondents(
        ic.Responses.from_array([first, second], ["a", "b"]), "a", "b", **settings
    )


def test_all_looks_together_hold_the_truth():
    random = np.random.default_rng(0)
    held = 0
    for _ in range(200):
        gap = random.choice([-1, 0, 1], p=[0.1, 0.75, 0.15], size=250)
        path = compare((gap < 0).astype(int), (gap > 0).astype(int)).sequence(0.9)
        held += bool(((path.lower <= 0.05) & (path.upper >= 0.05)).all())
    assert held >= 180


def test_a_clear_difference_is_decided_early():
    path = compare([0] * 200, [1, 1, 0, 1] * 50).sequence()
    assert path.decided_after() < 40
    assert path.decided_after(0.75) is None
    assert path.frame()["difference"].iloc[-1] == 0.75
    assert (np.diff(path.upper - path.lower) <= 1e-12).all()


def test_when_all_items_of_a_population_are_asked_the_difference_is_known():
    path = compare([0, 1] * 30, [1, 1] * 30).sequence(population=60)
    # Before the last one is known, it could still move the mean by 1/60 on either side.
    assert path.lower[-1] == pytest.approx(0.5, abs=0.04)
    assert path.upper[-1] == pytest.approx(0.5, abs=0.04)


def test_what_has_no_bounds_and_what_goes_together_is_refused():
    with pytest.raises(ResponsesError, match="between 0 and 1"):
        compare([1.5, 2, 3], [2, 2, 2]).sequence()
    with pytest.raises(ResponsesError, match="stand by themselves"):
        compare([1, 0, 1, 0], [1, 1, 1, 0], clusters=[1, 1, 2, 2]).sequence()
