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


@pytest.mark.slow
def test_what_is_left_out_of_a_table_is_told(command, tmp_path):
    X, y = make_moons(60, noise=0.3, random_state=0)
    frame = pandas.DataFrame(X, columns=["x", "y"]).assign(
        id=[f"case {n}" for n in range(60)], label=np.where(y, "up", "down"), kind="same"
    )
    frame.loc[::9, "x"] = np.nan
    frame.loc[3, "label"] = None
    frame.to_csv(tmp_path / "odd.csv", index=False)
    out = tmp_path / "run"
    outcome = command(
        "robustness", tmp_path / "odd.csv", *SMALL, "--bins", "2", "--jobs", "1", "--out", out
    )
    assert "1 rows without a 'label' are left out." in outcome.out
    assert "Column 'kind' is left out" in outcome.out
    assert load(out).responses.items[:4] == ("case 0", "case 1", "case 2", "case 4")


def test_unknown_pools_are_refused_with_the_names_there_are(command, table):
    outcome = command("robustness", table, "--target", "label", "--models", "foo")
    assert outcome.code == 2
    assert "'families'" in outcome.err
