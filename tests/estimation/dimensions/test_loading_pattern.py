"""Which item loads on which ability, and what is refused."""

import numpy as np
import pytest

from itemcurve.errors import ModelError
from itemcurve.estimation.dimensions.loading_pattern import read_pattern

ITEMS = ["alg_1", "alg_2", "log_1", "log_2"]


def test_numbers_are_explored():
    pattern = read_pattern(ITEMS, 2)
    assert pattern.kind == "exploratory"
    assert pattern.free.all()
    # Eight slopes, less one angle.
    assert pattern.n_free == 7


def test_patterns_name_the_items_of_each_ability():
    pattern = read_pattern(ITEMS, {"algebra": ["alg_*"], "logic": "log_*"})
    assert pattern.kind == "confirmatory"
    assert pattern.free.astype(int).tolist() == [[1, 0], [1, 0], [0, 1], [0, 1]]
    assert pattern.n_free == 5


def test_a_general_ability_stands_beside_special_ones():
    pattern = read_pattern(ITEMS, {"algebra": ["alg_*"]}, general=True)
    assert pattern.names == ("general", "algebra")
    assert pattern.kind == "bifactor"
    assert np.array_equal(pattern.groups, [1, 1, 0, 0])


@pytest.mark.parametrize(
    ("dimensions", "general", "words"),
    [
        (0, False, "between 1 and"),
        (4, False, "fewer than items"),
        (True, False, "number of abilities"),
        ("many", False, "number of abilities"),
        (2, True, "beside others"),
        ({}, False, "Name at least one"),
        ({"algebra": ["alg_*"]}, False, "2 match none, as 'log_1'"),
        ({"algebra": ["alg_*"], "logic": ["x_*"]}, False, "'x_\\*' of 'logic' matches none"),
        ({"algebra": ["*"], "logic": ["log_*"]}, True, "'log_1' is listed for 2"),
        ({"algebra": ["alg_1"], "logic": ["*"]}, False, "needs two items"),
        ({"general": ["*"]}, True, "that of the general one"),
    ],
)
def test_what_is_no_pattern_is_refused(dimensions, general, words):
    with pytest.raises(ModelError, match=words):
        read_pattern(ITEMS, dimensions, general=general)


def test_what_is_an_id_is_no_pattern():
    found = read_pattern(["q[1]", "q1", "r", "s"], {"one": ["q[1]", "r"], "two": ["q1", "s"]})
    assert found.free.tolist() == [[1, 0], [0, 1], [1, 0], [0, 1]]
