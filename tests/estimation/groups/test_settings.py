"""Labels of groups, and items that differ between them, however they are given."""

import numpy as np
import pandas
import pytest

from itemcurve.errors import ResponsesError
from itemcurve.estimation.groups.settings import Groups, match_items, read_groups

IDS = ("ann", "bob", "cyd", "dan")


def codes(labels):
    return read_groups(Groups(labels), IDS).codes.tolist()


def test_labels_come_in_order_or_by_id():
    assert codes(["x", "x", "y", "y"]) == [0, 0, 1, 1]
    assert codes({"dan": "x", "cyd": "x", "bob": "y", "ann": "y"}) == [0, 0, 1, 1]
    assert codes(pandas.Series([1, 1, 2, 2], index=IDS[::-1])) == [0, 0, 1, 1]
    # An index that only counts says nothing of ids.
    assert codes(pandas.Series([1, 1, 2, 2], index=[7, 8, 9, 10])) == [0, 0, 1, 1]


def test_a_series_of_other_ids_is_not_taken_in_its_order():
    with pytest.raises(ResponsesError, match="1 of 4 have none, the first is 'dan'"):
        codes(pandas.Series([1, 1, 2, 2], index=["zoe", *IDS[:3]]))


def test_an_id_has_one_label():
    twice = pandas.Series([1, 1, 2, 2, 1], index=[*IDS, "dan"])
    with pytest.raises(ResponsesError, match="'dan' has '2' and '1'"):
        codes(twice)


@pytest.mark.parametrize("nothing", [None, np.nan, pandas.NA, pandas.NaT])
def test_missing_labels_of_any_kind_are_refused(nothing):
    with pytest.raises(ResponsesError, match="Some labels are missing"):
        codes(["x", "x", "y", nothing])


@pytest.mark.parametrize("odd", ["text", 5])
def test_what_is_no_list_is_refused(odd):
    with pytest.raises(ResponsesError, match="label for each respondent"):
        codes(odd)


def test_what_is_an_id_is_no_pattern():
    items = ("q[1]", "q1", "*", "r")
    assert match_items(["q[1]"], items).tolist() == [True, False, False, False]
    assert match_items(["*"], items).tolist() == [False, False, True, False]
    assert match_items(["q*"], items).tolist() == [True, True, False, False]
