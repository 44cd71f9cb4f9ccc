"""`itemcurve simulate`, and the whole path from there to scores."""

import json
import subprocess
import sys

import numpy as np
import pandas
import pytest

from itemcurve.datasets.simulation import simulate
from itemcurve.responses.matrix import Responses

SMALL = ("simulate", "--respondents", "40", "--items", "6", "--seed", "3")


def test_the_file_holds_the_responses_of_the_library(command, tmp_path):
    target = tmp_path / "deep" / "er" / "y.csv"
    outcome = command(*SMALL, "--model", "rasch", "--out", target)
    expected = simulate("rasch", respondents=40, items=6, seed=3).responses
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out == f"40 × 6 responses saved to {target}\n"
    assert np.array_equal(Responses.read(target).array(), expected.array())


def test_a_simulation_as_json(command, tmp_path):
    found = json.loads(command(*SMALL, "--out", tmp_path / "y.csv", "--json").out)
    assert (found["respondents"], found["items"], found["seed"]) == (40, 6, 3)
    assert found["responses"] == str(tmp_path / "y.csv")


def test_the_same_seed_gives_the_same_file(command, tmp_path):
    for name in ("a.csv", "b.csv"):
        command(*SMALL, "--missing", "0.3", "--out", tmp_path / name)
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    share = Responses.read(tmp_path / "a.csv").n_observed / 240
    assert 0.6 < share < 0.8


def test_true_values_are_written_next_to_each_other(command, tmp_path):
    command(*SMALL, "--model", "3pl", "--out", tmp_path / "y.csv", "--truth", tmp_path / "truth")
    items = pandas.read_csv(tmp_path / "truth" / "items.csv")
    respondents = pandas.read_csv(tmp_path / "truth" / "respondents.csv")
    truth = simulate("3pl", respondents=40, items=6, seed=3)
    assert np.allclose(items["difficulty"], truth.items["difficulty"])
    assert (items["guessing"] > 0).all()
    assert list(respondents["respondent"]) == list(truth.responses.respondents)
    assert np.allclose(respondents["ability"], truth.abilities)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([*SMALL, "--out", "y.doc"], "must end in .npz, .csv"),
        ([*SMALL, "--out", "y.csv", "--missing", "1"], "missing in [0, 1)"),
        ([*SMALL, "--out", "y.csv", "--model", "5pl"], "must be one of rasch"),
        ([*SMALL, "--out", "taken/y.csv"], "Choose another path"),
        ([*SMALL, "--out", "y.csv", "--truth", "taken"], "Choose another path"),
        ([*SMALL[:-1], "-1", "--out", "y.csv"], "--seed"),
        (["simulate", "--respondents", "0", "--items", "1", "--seed", "1"], "--respondents"),
    ],
)
def test_what_cannot_be_simulated_is_refused_in_one_line(
    arguments, words, command, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken").write_text("a file")
    outcome = command(*arguments)
    assert outcome.code == 2
    assert outcome.err.startswith("Error: ")
    assert outcome.err.count("\n") == 1
    assert words in outcome.err


def test_the_whole_path_works_as_separate_processes(tmp_path):
    def itemcurve(*arguments):
        done = subprocess.run(
            [sys.executable, "-m", "itemcurve", *arguments],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=60,
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    options = ("--respondents", "300", "--items", "40", "--seed", "1", "--truth", "truth")
    itemcurve("simulate", *options, "--out", "data/y.csv")
    assert "Saved to run" in itemcurve("fit", "data/y.csv", "--out", "run")
    assert "converged" in itemcurve("show", "run")
    scores = json.loads(itemcurve("score", "run", "data/y.csv", "--json"))["scores"]
    truth = pandas.read_csv(tmp_path / "truth" / "respondents.csv")["ability"]
    found = [row["ability"] for row in scores]
    assert np.corrcoef(found, truth)[0, 1] > 0.9
