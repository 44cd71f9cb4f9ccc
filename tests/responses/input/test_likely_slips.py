"""Tables that were probably written with a slip: read, and said."""

import warnings

import pandas
import pytest

from itemcurve.errors import ResponsesWarning
from itemcurve.responses.matrix import Responses


def read(folder, text):
    (folder / "t.csv").write_text(text)
    return Responses.read(folder / "t.csv")


@pytest.mark.parametrize(
    "text", ["a,0,1\nb,1,1\nc,1,0\n", "0,1\n1,1\n1,0\n", "a,0.31,0.77\nb,0.5,0.2\n"]
)
def test_a_first_row_of_numbers_is_said_to_look_like_responses(tmp_path, text):
    with pytest.warns(ResponsesWarning, match="lacks a row of names"):
        read(tmp_path, text)


@pytest.mark.parametrize(
    "text",
    [
        "respondent,0,1\na,1,0\nb,0,1\n",
        ",0,1\na,1,0\nb,0,1\n",
        "name,101,102\na,1,0\nb,0,1\n",
        "team,0,1,2\na,1,0,1\nb,0,1,1\n",
        "team,17,3\na,1,0\nb,0,1\n",
    ],
)
def test_numbered_items_are_items(tmp_path, text):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read(tmp_path, text).respondents == ("a", "b")


@pytest.mark.parametrize("word", ["id", "model", "Model", "respondent_id", "system"])
def test_a_first_column_called_so_holds_ids_even_where_they_are_numbers(tmp_path, word):
    found = read(tmp_path, f"{word},q1,q2\n101,0,1\n102,1,0\n")
    assert (found.respondents, found.items) == (("101", "102"), ("q1", "q2"))
    frame = pandas.DataFrame({word: [7, 8], "q": [0, 1]})
    assert Responses.from_frame(frame).respondents == ("7", "8")


def test_numbers_of_rows_under_another_name_are_said_to_be_an_item(tmp_path):
    with pytest.warns(ResponsesWarning, match="'row' was read as an item"):
        assert read(tmp_path, "row,q1,q2\n1,0,1\n2,1,0\n3,1,\n").items == ("row", "q1", "q2")


def test_scores_and_counts_are_not_taken_for_numbers_of_rows(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read(tmp_path, "p,q\n3,2\n1,5\n2,4\n")
        read(tmp_path, "p,q\n1,0\n0,1\n")
        read(tmp_path, "id\n1\n0\n")
