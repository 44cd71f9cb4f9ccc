"""Tables of covariates: rows found by their ids, and nothing taken for what it is not."""

import numpy as np
import pandas
import pytest

from itemcurve.errors import ResponsesError
from itemcurve.estimation.groups.covariate_columns import Rows
from itemcurve.estimation.groups.covariate_table import as_table, read_covariates

IDS = ("ann", "bob", "cyd", "dan")


def given(**columns):
    return read_covariates(columns, IDS)


def test_rows_are_found_by_a_column_of_ids():
    table = pandas.DataFrame({"respondent": IDS[::-1], "x": [4.0, 3.0, 2.0, 1.0]})
    own = read_covariates(table, IDS)
    assert (own.values * own.units + own.centres)[:, 0].tolist() == [1.0, 2.0, 3.0, 4.0]


@pytest.mark.parametrize("is_column", [True, False])
def test_where_one_id_is_another_rows_are_not_taken_in_their_order(is_column):
    names = ["ann", "bob", "dan", "zoe"]
    table = pandas.DataFrame({"respondent": names, "x": range(4)})
    with pytest.raises(ResponsesError, match="1 of 4 have none, the first is 'cyd'"):
        read_covariates(table if is_column else table.set_index("respondent"), IDS)


def test_columns_without_ids_come_in_order_though_ids_are_numbers():
    own = read_covariates({"x": [1.0, 2.0, 3.0]}, ("2", "0", "1"))
    assert (own.values * own.units + own.centres)[:, 0].tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ([1.0, np.inf, 2.0, 3.0], "must be finite"),
        ([1.0, np.nan, 2.0, 3.0], "must be known"),
        (["a", "a", "a", "a"], "must differ"),
        ([1e15, 1e15 + 1, 1e15 + 2, 1e15 + 3], "must differ"),
        ([1e300, -1e300, 0.0, 1.0], "standard deviation between"),
        ([1e-300, -1e-300, 0.0, 1e-301], "standard deviation between"),
        (pandas.array([1, None, 2, 3], dtype="Int64"), "must be known"),
    ],
)
def test_what_tells_nobody_apart_or_is_no_number_is_refused(column, message):
    with pytest.raises(ResponsesError, match=message):
        given(x=column)


def test_cells_of_any_kind_are_names():
    assert given(x=[1, "a", 1, "a"]).names == ("x[a]",)
    assert given(x=[[1], [2], [1], [2]]).names == ("x[[2]]",)


def test_a_column_has_a_name_of_its_own():
    table = pandas.DataFrame(np.arange(8.0).reshape(4, 2) ** 2, columns=["x", "x"])
    with pytest.raises(ResponsesError, match="'x' stands twice"):
        read_covariates(table, IDS)


def test_what_is_no_table_is_refused():
    for nothing in ({"x": [1.0, 2.0], "y": [1.0]}, 5, object()):
        with pytest.raises(ResponsesError, match="table"):
            read_covariates(nothing, IDS)


def test_dates_are_years_however_far():
    days = np.array(["1000-01-01", "3000-01-01", "2000-01-01", "2001-01-01"], dtype="datetime64[s]")
    own = given(x=days)
    years = (own.values * own.units + own.centres)[:, 0]
    assert own.names == ("x (years)",)
    assert np.diff(years) == pytest.approx([2000, -1000, 1], abs=0.1)


def test_other_rows_have_the_same_terms():
    rows = Rows("item", "features")
    own = read_covariates({"x": ["a", "b", "c", "a"], "y": [1, 2, 4, 8]}, IDS, rows)
    other = own.of(as_table({"x": ["c", "a"], "y": [4, 1]}, rows), rows)
    assert other == pytest.approx(own.values[[2, 0]])
    with pytest.raises(ResponsesError, match="'x' has 'd', not one of a, b, c"):
        own.of(as_table({"x": ["d"], "y": [1]}, rows), rows)
    with pytest.raises(ResponsesError, match="'y' is of type"):
        own.of(as_table({"x": ["a"], "y": ["many"]}, rows), rows)
    with pytest.raises(ResponsesError, match="'y' is missing for 1 of 1"):
        own.of(as_table({"x": ["a"], "y": [np.nan]}, rows), rows)
    with pytest.raises(ResponsesError, match="no column 'y'"):
        own.of(as_table({"x": ["a"]}, rows), rows)
