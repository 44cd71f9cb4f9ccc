"""Studies on disk."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import EvaluationWarning
from itemcurve.storage.folder_swap import locate_folder
from itemcurve.storage.run_folder import read_run
from itemcurve.storage.tables import unpack_table


def test_a_saved_study_is_a_run_with_tables_and_predictions(moons, few, tmp_path):
    evaluation = ic.evaluate_classifiers(few, *moons)
    evaluation.save(tmp_path / "run")
    loaded = ic.load(tmp_path / "run")
    np.testing.assert_array_equal(loaded.estimates.abilities, evaluation.fit.estimates.abilities)
    run = read_run(tmp_path / "run")
    board = unpack_table(run.document("leaderboard"), "leaderboard")
    ranked = board[~board["is_reference"]]
    assert ranked["respondent"].tolist() == list(evaluation.leaderboard().respondents)
    assert board[board["is_reference"]]["rank"].isna().all()
    assert {"rank", "tier", "ability", "ability_se", "accuracy"} <= set(board.columns)
    assert run.document("evaluation")["notes"]["response"] == "skill"
    arrays = run.arrays("evaluation")
    np.testing.assert_array_equal(arrays["probabilities"], evaluation.predictions.probabilities)
    np.testing.assert_array_equal(arrays["y_true"], evaluation.y_true)


def test_a_loaded_study_is_the_study(moons, few, tmp_path):
    with pytest.warns(EvaluationWarning, match="bad"):
        evaluation = ic.evaluate_classifiers({**few, "bad": BAD}, *moons)
    evaluation.save(tmp_path / "run")
    loaded = ic.load_evaluation(tmp_path / "run")
    assert loaded.failures == evaluation.failures
    assert loaded.notes == evaluation.notes
    assert loaded.predictions.classes == evaluation.predictions.classes
    assert loaded.leaderboard().frame().equals(evaluation.leaderboard().frame())


def test_a_study_of_regressors_is_saved_with_its_numbers(line, tmp_path):
    pool = ic.pools.standard_regressors()
    small = ic.pools.Pool(pool.names[:3], pool.estimators[:3], pool.references)
    evaluation = ic.evaluate_regressors(small, *line)
    evaluation.save(tmp_path / "run")
    loaded = ic.load_evaluation(tmp_path / "run")
    np.testing.assert_array_equal(loaded.predictions.values, evaluation.predictions.values)
    assert loaded.settings["references"] == ["Optimal", "Average", "Worst"]


class _Bad:
    def get_params(self, deep=True):
        return {}

    def fit(self, X, y):
        raise ValueError("never")

    def predict(self, X):
        return X


BAD = _Bad()


STUDIES = Path(__file__).parents[1] / "references" / "former_versions" / "version_0_1"


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")
@pytest.mark.parametrize("former", [(), ("study_of_numbers",)])
def test_a_kill_at_any_moment_leaves_a_whole_study_or_what_was_there(former, tmp_path):
    script = Path(__file__).with_name("killed_saves.py")
    given = [tmp_path / "work", *(STUDIES / name for name in ("study_of_classes", *former))]
    done = subprocess.run(
        [sys.executable, script, *given], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    before = "former" if former else None
    # Nothing but what was there, and from some moment on nothing but what is new.
    place = found.index("new")
    assert found == [before] * place + ["new"] * (len(found) - place)
    assert place > 12


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.5, 0.9, 0.97])
def test_an_evaluation_that_is_killed_leaves_a_whole_run_or_none(share, evaluation_time, tmp_path):
    out = tmp_path / "run"
    process = subprocess.Popen(
        [sys.executable, "-m", "itemcurve", *EVALUATE, "--out", out], stdout=subprocess.DEVNULL
    )
    time.sleep(share * evaluation_time)
    process.kill()
    process.wait()
    if locate_folder(out).exists():
        assert ic.load_evaluation(out).leaderboard().respondents
    done = subprocess.run(
        [sys.executable, "-m", "itemcurve", *EVALUATE, "--out", out], capture_output=True
    )
    assert done.returncode == 0, done.stderr
    assert {file.name for file in tmp_path.iterdir()} == {"run"}
    assert ic.load_evaluation(out).leaderboard().respondents


EVALUATE = ("evaluate", "iris", "--pool", "random:3", "--jobs", "1", "--quiet")


@pytest.fixture(scope="module")
def evaluation_time(tmp_path_factory):
    out = tmp_path_factory.mktemp("whole") / "run"
    began = time.monotonic()
    subprocess.run([sys.executable, "-m", "itemcurve", *EVALUATE, "--out", out], check=True)
    return time.monotonic() - began
