"""`itemcurve robustness`: from a table to a run folder."""

import json

import numpy as np
import pandas
import pytest
from sklearn.datasets import make_moons

from itemcurve.cli.progress import TrainingLines
from itemcurve.estimation.saving.saved_fit import load
from itemcurve.evaluation.difficulty.table_robustness import measure_table_robustness
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
    assert "Noise of level 0.2 changes" in outcome.out
    assert "easiest" in outcome.out
    assert "verdict" in outcome.out
    assert len(pandas.read_csv(out / "robustness.csv")) == 4 * 3 * 6
    assert read_run(out).document("robustness_verdicts")["title"]
    assert load(out).responses.shape == (10, 80)
    assert (out / "system_curves-01.png").exists()
    assert (out / "changed_predictions-01.png").exists()
    assert "is_readable" in pandas.read_csv(out / "robustness.csv").columns
    notes = read_run(out).document("robustness_verdicts")["notes"]["notes"]
    assert all(note in outcome.out for note in notes)


@pytest.mark.slow
def test_json_has_all_tables(command, table):
    outcome = command("robustness", table, *SMALL, "--bins", "2", "--jobs", "1", "--json")
    assert {"robustness", "robustness_verdicts", "complexity"} <= set(json.loads(outcome.out))


@pytest.mark.slow
def test_fixed_classifiers_stand_apart_and_verdicts_of_the_paper_are_an_option(command, tmp_path):
    X, y = make_moons(60, noise=0.3, random_state=0)
    path = tmp_path / "moons.csv"
    pandas.DataFrame(X, columns=["x", "y"]).assign(target=y).to_csv(path, index=False)
    kept = tmp_path / "kept"
    who = ("--models", "standard", "--pool", "random:10")
    small = (*who, "--cv", "2", "--bins", "2", "--jobs", "1", "--cache", kept)
    outcome = command("robustness", path, *small)
    apart = "Not judged, because one class is all they ever predict: "
    assert f"{apart}Constant 0.5, Always positive and Always negative." in outcome.out
    rows = [line for line in outcome.out.splitlines() if "%" in line]
    assert not any(line.startswith(("Constant", "Always")) for line in rows)
    by_kappa = command("robustness", path, *small, "--measure", "kappa", "--json")
    columns = json.loads(by_kappa.out)["robustness_verdicts"]["columns"]
    cells = {column["name"]: column["cells"] for column in columns}
    assert set(cells["measure"]) == {"kappa"}
    assert cells["verdict"] == cells["verdict_by_kappa"]


def test_a_pipe_gets_a_line_of_progress_now_and_then(capsys):
    report = TrainingLines(pause=0.0, on="moons")
    for done in (1, 2, 3):
        report(done, 3, "forest")
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    # The first tells how long the start of processes took, not how long training does.
    assert lines[0] == "Trained 1 of 3 on moons after 0 s"
    assert lines[1].startswith("Trained 2 of 3 on moons after 0 s; about ")
    quiet = TrainingLines(pause=60.0)
    quiet(1, 3, "forest")
    assert capsys.readouterr().err == ""


@pytest.mark.slow
def test_both_pools_count_as_one_piece_of_work(table):
    told = []
    measure_table_robustness(
        table,
        "label",
        models="random:3",
        pool="random:6",
        bins=2,
        cv=2,
        n_jobs=1,
        progress=lambda done, total, name: told.append((done, total)),
    )
    assert told == [(done, 18) for done in range(1, 19)]


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
