"""Tables of three libraries, long and wide."""

import time

import numpy as np
import pandas
import polars
import pyarrow
import pytest

from itemcurve.errors import ResponsesError
from itemcurve.responses.matrix import Responses

NAN = float("nan")
MAKERS = {"pandas": pandas.DataFrame, "polars": polars.DataFrame, "arrow": pyarrow.table}


@pytest.fixture(params=sorted(MAKERS))
def make(request):
    return MAKERS[request.param]


def test_long_tables_keep_the_order_of_first_appearance(make):
    frame = make(
        {
            "item": ["q2", "q1", "q2"],
            "respondent": ["zoe", "zoe", "abe"],
            "response": [1, 0, 1],
            "comment": ["x", "y", "z"],
        }
    )
    responses = Responses.from_frame(frame)
    assert responses.respondents == ("zoe", "abe")
    assert responses.items == ("q2", "q1")
    np.testing.assert_array_equal(responses.array(), [[1, 0], [1, NAN]])
    assert not responses.is_sparse


def test_repeats_in_a_long_table_stay_apart(make):
    frame = make(
        {"respondent": ["a", "a"], "item": ["q", "q"], "response": [1, 0], "weight": [3.0, 1.0]}
    )
    responses = Responses.from_frame(frame)
    assert responses.is_sparse
    assert responses.weight().toarray() == 4
    assert responses.array() == 0.75


def test_a_missing_response_still_names_its_respondent(make):
    frame = make({"respondent": ["a", "b"], "item": ["q", "q"], "response": [1, None]})
    responses = Responses.from_frame(frame)
    np.testing.assert_array_equal(responses.array(), [[1], [NAN]])


def test_few_observations_are_stored_one_by_one():
    ids = [str(number) for number in range(10)]
    frame = pandas.DataFrame({"respondent": ids, "item": ids, "response": 1})
    assert Responses.from_frame(frame).is_sparse


def test_weights_in_a_long_table_without_repeats_make_a_weighted_matrix(make):
    frame = make(
        {"respondent": ["a", "b"], "item": ["q", "q"], "response": [1, 0], "weight": [2.0, 0.0]}
    )
    responses = Responses.from_frame(frame)
    np.testing.assert_array_equal(responses.weight(), [[2.0], [0.0]])


def test_wide_tables_take_the_column_respondent_as_ids(make):
    frame = make({"q1": [1, 0], "respondent": ["a", "b"], "q2": [True, None]})
    responses = Responses.from_frame(frame)
    assert (responses.respondents, responses.items) == (("a", "b"), ("q1", "q2"))
    np.testing.assert_array_equal(responses.array(), [[1, 1], [0, NAN]])


def test_a_first_column_of_text_gives_ids(make):
    responses = Responses.from_frame(make({"model": ["m1", "m2"], "q1": [0.25, 0.5]}))
    assert responses.respondents == ("m1", "m2")
    assert responses.items == ("q1",)


@pytest.mark.parametrize("name", ["", "Unnamed: 0"])
def test_an_unnamed_first_column_gives_ids(make, name):
    assert Responses.from_frame(make({name: [10, 20], "q": [1, 0]})).respondents == ("10", "20")


def test_rows_without_ids_are_numbered(make):
    responses = Responses.from_frame(make({"q1": [1, 0], "q2": [0, 1]}))
    assert responses.respondents == ("respondent_1", "respondent_2")
    assert responses.cells.values.dtype == np.int8


def test_a_pandas_index_of_text_gives_ids():
    frame = pandas.DataFrame({"q": [1, 0]}, index=["a", "b"])
    assert Responses.from_frame(frame).respondents == ("a", "b")
    filtered = pandas.DataFrame({"q": [1, 0]}, index=[5, 9])
    assert Responses.from_frame(filtered).respondents == ("respondent_1", "respondent_2")


def test_integer_names_of_columns_and_nullable_types_are_read():
    frame = pandas.DataFrame({1: pandas.array([1, None], dtype="Int8"), 2: [0, 1]})
    responses = Responses.from_frame(frame)
    assert responses.items == ("1", "2")
    np.testing.assert_array_equal(responses.array(), [[1, 0], [NAN, 1]])


def test_categorical_and_integer_ids_are_read():
    frame = polars.DataFrame(
        {
            "respondent": polars.Series(["b", "a"], dtype=polars.Categorical),
            "item": [7, 7],
            "response": [1.5, 2.5],
        }
    )
    responses = Responses.from_frame(frame)
    assert (responses.respondents, responses.items) == (("b", "a"), ("7",))


def test_frames_come_back_as_they_went():
    responses = Responses.from_array([[1, NAN], [0.5, 1]], respondents=["a", "b"])
    for layout in ("long", "wide"):
        again = Responses.from_frame(responses.frame(layout))
        assert again.respondents == ("a", "b")
        np.testing.assert_array_equal(again.array(), responses.array())
    assert list(responses.frame()["response"]) == [1, 0.5, 1]
    with pytest.raises(ResponsesError, match='"long" or "wide"'):
        responses.frame("tall")


LONG = {"respondent": ["a", "b"], "item": ["q", "q"], "response": [1.0, 0.0]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"response": ["x", "1"]}, "2 others, the first is 'x' at row 1 .respondent 'a', item 'q'"),
        ({"response": [1.0, np.inf]}, "1 are infinite.*row 2"),
        ({"respondent": ["a", None]}, "1 rows have none, the first is row 2"),
        ({"item": ["", "q"]}, "in column 'item';.*row 1"),
        ({"weight": [1.0, -2.0]}, "the first is -2.0 at row 2"),
        ({"weight": [1.0, None]}, "finite and at least 0"),
        ({"response": [[1], [2]]}, "one value each"),
    ],
)
def test_bad_long_tables_are_refused(change, message):
    with pytest.raises(ResponsesError, match=message):
        Responses.from_frame(pandas.DataFrame(LONG | change))


def test_a_long_table_lacking_a_column_is_refused(make):
    frame = make({"respondent": ["a"], "item": ["q"], "score": [1]})
    with pytest.raises(ResponsesError, match="missing is 'response', given are"):
        Responses.from_frame(frame)
    with pytest.raises(ResponsesError, match="missing is 'respondent'"):
        Responses.from_frame(make({"q": [1]}), layout="long")
    with pytest.raises(ResponsesError, match='"auto", "long" or "wide"'):
        Responses.from_frame(make({"q": [1]}), layout="tall")


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pandas.DataFrame({"q": []}), "at least one row"),
        (pandas.DataFrame(), "empty one"),
        (pandas.DataFrame([[1, 2]], columns=["q", "q"]), "1 ids are repeated, the first is 'q'"),
        (pandas.DataFrame({"m": ["a", "a"], "q": [1, 0]}), "taken from 'm'"),
        (pandas.DataFrame({"q": [1, 0], "r": [1, "0"]}), "column 'r'.*'0' at row 2 .*respondent_2"),
        (pandas.DataFrame({"respondent": ["a"]}), "1 respondents × 0 items"),
        (polars.LazyFrame({"q": [1]}), "already in memory.*collect"),
        ([[1, 0]], "given is a list.*from_array"),
    ],
)
@pytest.mark.filterwarnings("ignore::polars.exceptions.PerformanceWarning")
def test_bad_tables_are_refused(frame, message):
    with pytest.raises(ResponsesError, match=message):
        Responses.from_frame(frame)


def test_two_million_rows_are_read_in_seconds():
    rng = np.random.default_rng(0)
    rows, columns = rng.integers(0, 100_000, 2_000_000), rng.integers(0, 2_000, 2_000_000)
    frame = pandas.DataFrame(
        {"respondent": rows, "item": columns, "response": rng.integers(0, 2, rows.size)}
    )
    start = time.perf_counter()
    responses = Responses.from_frame(frame)
    assert time.perf_counter() - start < 5
    assert responses.is_sparse
    assert responses.observed_values().dtype == np.int8
    assert responses.weight().sum() == rows.size
