"""Which items changed, and which of them to show."""

import numpy as np

import itemcurve as ic
from itemcurve.analysis.comparison.item_flips import pick_flips


def compare(old, new):
    return ic.compare_respondents(ic.Responses.from_array([old, new], ["a", "b"]), "a", "b")


def test_flips_of_one_size_are_shown_from_all_over_the_benchmark():
    found = compare(np.ones(100), np.zeros(100))
    shown = pick_flips(found.flips("worse"), 5)["item"].tolist()
    every = found.flips("worse")["item"].tolist()
    assert (shown[0], shown[-1], len(shown)) == (every[0], every[-1], 5)
    assert len(pick_flips(found.flips("worse"), 0)) == 0
    assert len(pick_flips(found.flips("worse"), 200)) == 100


def test_of_graded_answers_the_largest_flips_are_shown():
    found = compare(np.ones(50), np.linspace(0.1, 0.9, 50)[::-1])
    assert pick_flips(found.flips("worse"), 3)["second"].tolist() == [
        0.1,
        *(np.linspace(0.1, 0.9, 50)[1:3].tolist()),
    ]
