"""`itemcurve score`: new respondents against a saved bank."""

import json

import numpy as np
import pandas
import pytest

from itemcurve.bank.ability_estimation import score
from itemcurve.estimation.saving.saved_fit import load
from itemcurve.responses.matrix import Responses


@pytest.fixture
def new(tmp_path):
    """Three new respondents on some of the items; one of them is perfect."""
    path = tmp_path / "new.csv"
    path.write_text(
        "respondent,item_03,item_01,item_09,item_12\nbest,1,1,1,1\nmiddle,1,0,1,0\nworse,0,,1,0\n"
    )
    return path


@pytest.mark.parametrize("method", ["eap", "map", "ml", "wle"])
def test_scores_are_those_of_the_library(method, command, files, new):
    outcome = command("score", files / "run", new, "--method", method, "--json")
    document = json.loads(outcome.out)
    expected = score(load(files / "run").bank, Responses.read(new), method=method)
    assert (outcome.code, outcome.err) == (0, "")
    assert document["method"] == method
    assert [row["respondent"] for row in document["scores"]] == ["best", "middle", "worse"]
    for row, ability in zip(document["scores"], expected.ability, strict=True):
        assert row["ability"] == (ability if np.isfinite(ability) else None)


def test_an_unbounded_score_is_null_and_flagged(command, files, new):
    rows = json.loads(command("score", files / "run", new, "--method", "ml", "--json").out)
    assert rows["scores"][0]["ability"] is None
    assert rows["scores"][0]["flags"] == ["unbounded"]
    out = command("score", files / "run", new, "--method", "ml").out
    best = next(line for line in out.splitlines() if line.startswith("best"))
    assert best.split() == ["best", "∞", "unbounded"]


def test_scores_are_written_to_a_file_in_a_new_folder(command, files, new, tmp_path):
    target = tmp_path / "deep" / "er" / "scores.csv"
    outcome = command("score", files / "run", new, "--out", target)
    table = pandas.read_csv(target)
    expected = score(load(files / "run").bank, Responses.read(new))
    assert outcome.out.endswith(f"Saved to {target}\n")
    assert list(table.columns) == ["respondent", "ability", "ability_se", "flags"]
    assert np.allclose(table["ability"], expected.ability, rtol=1e-12, atol=0)


def test_a_long_table_is_cut_and_says_how_to_get_the_rest(command, files):
    out = command("score", files / "run", files / "responses.csv").out
    assert "Scores by eap (20 of 120)" in out
    assert "--out scores.csv or --json" in out


def test_items_that_the_bank_does_not_have_are_refused(command, files, tmp_path):
    (tmp_path / "other.csv").write_text("respondent,item_01,alien\nx,1,0\n")
    outcome = command("score", files / "run", tmp_path / "other.csv")
    assert (outcome.code, outcome.out) == (2, "")
    assert "'alien'" in outcome.err
    assert outcome.err.count("\n") == 1


def test_responses_that_the_model_cannot_score_are_refused(command, files, tmp_path):
    (tmp_path / "graded.csv").write_text("respondent,item_01,item_02\nx,1,3\n")
    outcome = command("score", files / "run", tmp_path / "graded.csv")
    assert outcome.code == 2
    assert "0 or 1" in outcome.err


def test_missing_files_and_wrong_folders_are_refused(command, files, new, tmp_path):
    for arguments, words in (
        ((tmp_path / "nowhere", new), "there is no folder"),
        ((tmp_path, new), "has no run.json"),
        ((files / "run", tmp_path / "nowhere.csv"), "there is no file"),
        ((new, files / "run"), "is a file"),
        ((files / "run", new, "--out", new / "scores.csv"), "Choose another path"),
    ):
        outcome = command("score", *arguments)
        assert (outcome.code, outcome.out) == (2, "")
        assert words in outcome.err


def test_scores_never_replace_the_responses_they_are_of(command, files, new):
    kept = new.read_bytes()
    done = command("score", files / "run", new, "--out", new)
    assert done.code == 2
    assert "must not replace the file that was read" in done.err
    assert new.read_bytes() == kept
