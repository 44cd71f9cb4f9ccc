"""Bad matrices are refused with what must hold, what was given and what to do."""

import numpy as np
import pandas
import pytest
from scipy.sparse import coo_array

from itemcurve.errors import ResponsesError
from itemcurve.responses.matrix import Responses

NAN = float("nan")
TWO = [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (np.zeros((0, 3)), "at least one respondent.*0 respondents × 3 items"),
        (np.zeros((3, 0)), "3 respondents × 0 items"),
        ([[]], "empty matrix"),
        ([1, 0, 1], "two dimensions.*1 dimensions, shape.*reshape"),
        (np.zeros((2, 2, 2)), "3 dimensions"),
        ([[1, 0], [1]], "as many responses.*differ in length.*NaN"),
        ([[1, "0"], [1, 1]], "row 1, column 2 holds '0' of type str.*Score"),
        ([[1, 0], [None, 1]], "row 2, column 1 holds None.*NaN"),
        (np.array([["a", "b"]]), "row 1, column 1 holds 'a'"),
        (np.array([[1, 0]], dtype=object), "type object.*astype"),
        (np.array([[1 + 2j]]), "real numbers;.*complex128"),
        (np.array([["2020-01-01"]], dtype="datetime64[D]"), "datetime64"),
        ([[1, float("inf")], [-float("inf"), 0]], "2 are infinite, the first is inf at.*'item_2'"),
        (coo_array(np.array([[1j]])), "real numbers"),
        (coo_array(np.array([[np.inf]])), "1 are infinite.*'respondent_1', 'item_1'"),
        (pandas.DataFrame(TWO), "a table, a DataFrame.*from_frame"),
    ],
)
def test_bad_matrices_are_refused(matrix, message):
    with pytest.raises(ResponsesError, match=message):
        Responses.from_array(matrix)


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (["a"], "one id for each of the 2 items;.*1 ids"),
        (["a", "b", "c"], "given are 3 ids"),
        (["a", "a"], "1 ids are repeated, the first is 'a' at positions 1 and 2"),
        (["a", ""], "not empty; id number 2 is ''"),
        (["a", 1.5], "text or an integer.*1.5"),
        ("ab", "a list with one id each"),
        ([1, "1"], "'1' at positions 1 and 2"),
    ],
)
def test_bad_ids_are_refused(ids, message):
    with pytest.raises(ResponsesError, match=message):
        Responses.from_array(TWO, items=ids)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([[1, 1]], r"shape \(1, 2\) for responses of shape \(2, 2\)"),
        ([[1, -1], [1, -2]], "2 are not, the first is -1 at respondent 'respondent_1', item 'it"),
        ([[1.0, NAN], [1, 1]], "1 are not, the first is nan"),
        ([[1.0, np.inf], [1, 1]], "the first is inf"),
        ([[1.0, 1e300], [1, 1]], "at most 1e12.*the first is 1e.300"),
        ([["a", "b"], ["a", "b"]], "Weights must be real numbers"),
    ],
)
def test_bad_weights_are_refused(weights, message):
    with pytest.raises(ResponsesError, match=message):
        Responses.from_array(TWO, weights=weights)


def test_weights_beside_a_sparse_matrix_are_refused():
    with pytest.raises(ResponsesError, match="column `weight`"):
        Responses.from_array(coo_array(np.array(TWO)), weights=TWO)


def test_integer_ids_become_text():
    assert Responses.from_array(TWO, items=np.array([7, 8])).items == ("7", "8")


def test_respondents_without_any_response_are_allowed():
    responses = Responses.from_array([[NAN, NAN], [1, 0]])
    np.testing.assert_array_equal(responses.counts(axis=1), [0, 2])
