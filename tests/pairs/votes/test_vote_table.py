"""Votes are read from whatever arenas, AlpacaEval and people write; what cannot be is refused."""

import json

import numpy as np
import pandas
import polars
import pytest

from itemcurve.errors import ResponsesError
from itemcurve.pairs.votes.vote_data import OUTCOMES
from itemcurve.pairs.votes.vote_table import read_votes

VOTES = {
    "respondent_a": ["x", "y", "z", "x"],
    "respondent_b": ["y", "z", "x", "y"],
    "winner": ["a", "b", "tie", "both_bad"],
}
PLAIN = ["a", "b", "tie", "both_bad"]


def said(votes):
    return [OUTCOMES[outcome] for outcome in votes.outcomes]


def changed(**columns):
    return {**VOTES, **columns}


@pytest.mark.parametrize(
    "winners",
    [
        ["model_a", "model_b", "tie", "tie (bothbad)"],
        ["A", "B", "draw", "bothbad"],
        ["x", "z", "tie", "both_bad"],
        [" a", "b ", "TIE", "Both_Bad"],
    ],
)
def test_winners_are_read_in_any_of_their_words(winners):
    assert said(read_votes(changed(winner=winners))) == PLAIN


def test_models_called_a_and_b_are_not_mistaken_for_sides():
    votes = {"model_a": ["a", "a"], "model_b": ["b", "b"], "winner": ["a", "b"]}
    assert said(read_votes(votes)) == ["a", "b"]
    votes = {"model_a": ["b", "a"], "model_b": ["a", "b"], "winner": ["a", "a"]}
    with pytest.raises(ResponsesError, match=r"'a' is a side and the name.*row 1.*model_a"):
        read_votes(votes)
    assert said(read_votes({**votes, "winner": ["model_b", "model_a"]})) == ["b", "a"]


def test_numbers_are_those_of_alpaca_eval():
    votes = {
        "generator_1": ["x"] * 5,
        "generator_2": ["y"] * 5,
        "preference": [1, 2, 1.5, 0, 1.25],
        "annotator": ["g"] * 5,
        "instruction": list("12345"),
    }
    found = read_votes(votes)
    assert said(found)[:4] == ["a", "b", "tie", "tie"]
    assert np.isnan(found.shares[:4]).all()
    assert found.shares[4] == 0.75
    assert (found.judges, found.items) == (("g",), tuple("12345"))


def test_probabilities_that_a_is_better_are_votes_too():
    found = read_votes(
        {"model_a": ["x"] * 4, "model_b": ["y"] * 4, "probability_a": [1.0, 0.0, 0.5, 0.3]}
    )
    assert said(found)[:3] == ["a", "b", "tie"]
    assert found.shares[3] == 0.3


@pytest.mark.parametrize("kind", ["csv", "csv.gz", "tsv", "jsonl", "json", "parquet", "polars"])
def test_all_sources_give_the_same_votes(kind, tmp_path):
    table = pandas.DataFrame({**VOTES, "judge": ["j", "j", "k", "k"], "conversation": "long text"})
    path = tmp_path / f"votes.{kind}"
    if kind == "polars":
        source = polars.DataFrame(table)
    elif kind == "parquet":
        table.to_parquet(path)
        source = path
    elif kind.startswith("json"):
        rows = table.to_dict("records")
        lines = "\n".join(json.dumps(row) for row in rows)
        path.write_text(lines if kind == "jsonl" else json.dumps(rows), "utf-8")
        source = path
    else:
        table.to_csv(path, index=False, sep="\t" if kind == "tsv" else ",")
        source = path
    found = read_votes(source)
    assert (said(found), found.respondents, found.judges) == (PLAIN, ("x", "y", "z"), ("j", "k"))
    assert found.first.tolist() == [0, 1, 2, 0]


def test_votes_without_a_winner_are_left_out_and_said():
    found = read_votes(changed(winner=["a", None, "b", ""]))
    assert len(found) == 2
    assert found.notes[0] == "2 of 4 votes name no winner and are left out."


def test_who_has_no_vote_that_counts_is_left_out_and_said():
    found = read_votes({"model_a": ["x", "x"], "model_b": ["y", "idle"], "winner": ["a", None]})
    assert found.respondents == ("x", "y")
    assert "'idle'" in found.notes[-1]


def test_sizes_of_two_answers_become_a_share_that_nothing_exceeds():
    found = read_votes(
        changed(length_a=[300, 100, 0, 1], length_b=[100, 300, 0, 0]), style="length"
    )
    assert found.style[:, 0].tolist() == [0.5, -0.5, 0.0, 1.0]


def test_a_column_of_differences_stays_what_it_is():
    found = read_votes(changed(tone=[3.0, -1.0, 0.0, 2.5]), style=["tone"])
    assert found.style[:, 0].tolist() == [3.0, -1.0, 0.0, 2.5]


def test_repeats_are_refused_kept_or_cut():
    cells = {"judge": ["j"] * 4, "item": ["i"] * 4}
    votes = {**cells, "model_a": ["x", "x", "y", "x"], "model_b": ["y", "y", "x", "z"]}
    votes["winner"] = ["a", "b", "a", "a"]
    with pytest.raises(ResponsesError, match="1 cells occur more than once, as 'x' against 'y'"):
        read_votes(votes)
    assert len(read_votes(votes, repeats="keep")) == 4
    found = read_votes(votes, repeats="first")
    assert (said(found), len(found)) == (["a", "a", "a"], 3)


REFUSED = {
    "an unknown word": (
        changed(winner=["a", "b", "tie", "c"]),
        r"1 are not: 'c', the first in row 4",
    ),
    "a third one's name": (changed(winner=["a", "b", "y", "a"]), "'y', the first in row 3"),
    "itself": (
        changed(respondent_b=["x", "z", "x", "y"]),
        "1 set one against itself.*'x' in row 1",
    ),
    "no name": (changed(respondent_a=["x", None, "z", "x"]), "the first is row 2"),
    "an empty name": (changed(respondent_a=["x", "y", "", "x"]), "the first is row 3"),
    "nought and one": (changed(winner=[1, 0, 1, 1]), "the first is 0 in row 2.*probability_a"),
    "three": (changed(winner=[1, 2, 3, 1]), "the first is 3 in row 3"),
    "numbers and words": (changed(winner=[1, "a", 2, 2]), "the first is 'a' in row 2"),
    "no winner": (changed(winner=[None] * 4), "none does"),
    "a weight below 0": (changed(weight=[1, 1, -1, 1]), "the first is -1.0 in row 3"),
    "no column": ({"respondent_a": ["x"], "winner": ["a"]}, "none says on side b"),
    "uneven columns": (changed(winner=["a"]), "winner 1"),
    "no rows": ({name: [] for name in VOTES}, "at least one row"),
    "no table": (42, "given is a int"),
    "no file": ("nowhere.csv", "there is no file 'nowhere.csv'"),
    "another ending": ("votes.xlsx", "must end in"),
    "two columns of one name": (
        pandas.DataFrame(
            [["x", "y", "a", "b"]], columns=["model_a", "model_b", "winner", "winner"]
        ),
        "'winner' occurs more than once",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_votes_is_refused_in_words(case):
    votes, words = REFUSED[case]
    with pytest.raises(ResponsesError, match=words):
        read_votes(votes)


STYLES = {
    "absent": ({}, "needs the columns length_a and length_b"),
    "unknown somewhere": ({"length_a": [1, None, 1, 1], "length_b": [1] * 4}, "first in row 2"),
    "negative": ({"length_a": [1, -2, 1, 1], "length_b": [1] * 4}, "must not be negative"),
}


@pytest.mark.parametrize("case", STYLES)
def test_a_style_must_be_there_and_known(case):
    columns, words = STYLES[case]
    with pytest.raises(ResponsesError, match=words):
        read_votes(changed(**columns), style="length")


def test_names_that_are_numbers_are_not_mistaken_for_sides():
    votes = {"model_a": ["1", "2"], "model_b": ["2", "1"], "winner": ["1", "2"]}
    with pytest.raises(ResponsesError, match="must not be names of respondents"):
        read_votes(votes)


def test_a_file_with_semicolons_is_told_so(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("model_a;model_b;winner\nx;y;a\n", "utf-8")
    with pytest.raises(ResponsesError, match="separated by commas"):
        read_votes(path)


def test_weights_worlds_apart_are_refused():
    votes = {"respondent_a": ["x", "y"], "respondent_b": ["y", "x"], "winner": ["a", "a"]}
    with pytest.raises(ResponsesError, match="within a factor of 1e\\+12"):
        read_votes({**votes, "weight": [1.0, 1e300]})
    assert len(read_votes({**votes, "weight": [1.0, 1e6]})) == 2
