"""`itemcurve robustness`: from a table to a run folder."""

import json

import numpy as np
import pandas
import pytest
from sklearn.datasets import make_moons

from itemcurve.estimation.saved_fit import load
from itemcurve.storage.run_folder import read_run


@pytest.fixture
def table(tmp_path):
    X, y = make_moons(80, noise=0.3, random_state=0)
    path = tmp_path / "moons.csv"
    frame = pandas.DataFrame(X, columns=["x", "y"])
    frame.assign(label=np.where(y, "up", "down")).to_csv(path, index=False)
    return path


SMALL = ("--target", "label", "--models", "random:4", "--pool", "random:10", "--cv", "2")


@pytest.mark.slow
def test_a_run_folder_with_tables_and_pictures_is_written(command, table, tmp_path):
    out = tmp_path / "run"
    outcome = command("robustness", table, *SMALL, "--bins", "3", "--jobs", "1", "--out", out)
    assert outcome.code == 0
    assert "verdict" in outcome.out
    assert len(pandas.read_csv(out / "robustness.csv")) == 4 * 3 * 6
    assert read_run(out).document("robustness_verdicts")["title"]
    assert load(out).responses.shape == (10, 80)
    assert (out / "system_curves-01.png").exists()


@pytest.mark.slow
def test_json_has_all_tables(command, table):
    outcome = command("robustness", table, *SMALL, "--bins", "2", "--jobs", "1", "--json")
    assert {"robustness", "robustness_verdicts", "complexity"} <= set(json.loads(outcome.out))


def test_a_target_that_is_not_there_is_told_in_one_line(command, table):
    outcome = command("robustness", table, "--target", "nothing")
    assert outcome.code == 2
    assert outcome.err.count("\n") == 1
