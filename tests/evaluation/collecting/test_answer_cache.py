"""Answers on disk: what they depend on, and runs that resume."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas
import pytest
from scipy.sparse import csr_array
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import itemcurve as ic
from itemcurve.evaluation.collecting.answer_cache import answer_key, content_key, temporary_cache

SCRIPT = """
import sys
import numpy as np
import itemcurve as ic
from sklearn.datasets import make_moons
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from waiting_classifier import Waiting

folder, n_jobs = sys.argv[1], int(sys.argv[2])
X, y = make_moons(160, noise=0.3, random_state=0)
pool = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier()}
pool |= {f"tree {i}": Waiting(depth=i, gate=folder + ".closed") for i in range(1, 9)}
evaluation = ic.evaluate_classifiers(pool, X, y, cv=2, cache=folder, n_jobs=n_jobs)
np.savez(
    folder + ".result.npz",
    responses=evaluation.responses.array(),
    abilities=evaluation.fit.estimates.abilities,
    resumed=evaluation.settings["resumed"],
)
"""
WAITING = """
import time
from pathlib import Path
from sklearn.tree import DecisionTreeClassifier


class Waiting(DecisionTreeClassifier):
    # It waits for as long as a file is there, so that waiting is no parameter and no part of the
    # key. The first two never wait: some answers are always kept before a run stands still.
    def __init__(self, depth=1, gate="", random_state=None):
        super().__init__(max_depth=depth, random_state=random_state)
        self.depth = depth
        self.gate = gate

    def fit(self, X, y):
        while self.depth > 2 and Path(self.gate).exists():
            time.sleep(0.01)
        return super().fit(X, y)
"""


def start(folder: Path, scripts: Path, n_jobs: int) -> subprocess.Popen:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(scripts), *sys.path])}
    return subprocess.Popen(
        [sys.executable, str(scripts / "run.py"), str(folder), str(n_jobs)],
        env=environment,
        start_new_session=True,
    )


def read(path: str) -> dict:
    with np.load(path) as arrays:
        return dict(arrays)


@pytest.mark.slow
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_killed_run_resumes_with_the_result_of_an_uninterrupted_one(tmp_path, n_jobs):
    (tmp_path / "run.py").write_text(SCRIPT)
    (tmp_path / "waiting_classifier.py").write_text(WAITING)
    folder = tmp_path / "cache"
    gate = Path(f"{folder}.closed")
    gate.touch()
    process = start(folder, tmp_path, n_jobs)
    deadline = time.monotonic() + 120
    while len(list(folder.glob("*.npz")) if folder.exists() else []) < 4:
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    kept = len(list(folder.glob("[!.]*.npz")))
    assert 4 <= kept < 20
    gate.unlink()
    assert start(folder, tmp_path, n_jobs).wait() == 0
    resumed = read(f"{folder}.result.npz")
    assert resumed["resumed"] >= 4
    for file in folder.iterdir():
        file.unlink()
    assert start(folder, tmp_path, n_jobs).wait() == 0
    whole = read(f"{folder}.result.npz")
    assert whole["resumed"] == 0
    np.testing.assert_array_equal(resumed["responses"], whole["responses"])
    np.testing.assert_array_equal(resumed["abilities"], whole["abilities"])


def test_a_folder_named_from_here_is_the_same_to_workers_started_elsewhere(
    moons, few, tmp_path, monkeypatch
):
    ic.evaluate_classifiers(few, *moons, n_jobs=2)
    monkeypatch.chdir(tmp_path)
    ic.evaluate_classifiers(few, *moons, n_jobs=2, cache="answers")
    assert len(list((tmp_path / "answers").glob("*.npz"))) == 4


def test_a_second_run_trains_nothing(moons, few, tmp_path):
    first = ic.evaluate_classifiers(few, *moons, cache=tmp_path)
    again = ic.evaluate_classifiers(few, *moons, cache=tmp_path)
    assert (first.settings["resumed"], again.settings["resumed"]) == (0, 4)
    assert first.settings["seconds"] == again.settings["seconds"]
    np.testing.assert_array_equal(first.responses.array(), again.responses.array())


@pytest.mark.parametrize("what", ["data", "parameter", "seed"])
def test_what_changes_the_answer_changes_the_key(moons, few, tmp_path, what):
    ic.evaluate_classifiers(few, *moons, cache=tmp_path, seed=0)
    parts, seed = list(moons), 0
    if what == "data":
        parts[0] = parts[0] + 1e-12
    elif what == "parameter":
        few = {name: e.set_params(**PARAMETERS[name]) for name, e in few.items()}
    else:
        seed = 1
    again = ic.evaluate_classifiers(few, *parts, cache=tmp_path, seed=seed)
    # Naive Bayes and nearest neighbours draw nothing.
    assert again.settings["resumed"] == (2 if what == "seed" else 0)


PARAMETERS = {
    "logistic": {"C": 2.0},
    "bayes": {"var_smoothing": 1e-3},
    "neighbours": {"n_neighbors": 6},
    "tree": {"max_depth": 4},
}


def test_a_damaged_file_costs_one_training_only(moons, few, tmp_path):
    first = ic.evaluate_classifiers(few, *moons, cache=tmp_path)
    files = sorted(tmp_path.glob("*.npz"))
    files[0].write_bytes(b"not an archive")
    files[1].write_bytes(files[1].read_bytes()[:100])
    again = ic.evaluate_classifiers(few, *moons, cache=tmp_path)
    assert again.settings["resumed"] == 2
    np.testing.assert_array_equal(first.responses.array(), again.responses.array())


def test_a_function_defined_on_the_spot_is_trained_every_time(moons, few, tmp_path):
    double = make_pipeline(FunctionTransformer(lambda X: 2 * X), LogisticRegression())
    assert answer_key(double, "data") is None
    pool = {**few, "double": double}
    for expected in (0, 4):
        evaluation = ic.evaluate_classifiers(pool, *moons, cache=tmp_path)
        assert evaluation.settings["resumed"] == expected
        assert not evaluation.failures


def test_keys_are_of_content_and_not_of_identity():
    table = pandas.DataFrame({"a": [1.0, 2.0], "b": ["x", None]})
    assert content_key(table) == content_key(table.copy())
    assert content_key(table) != content_key(table.rename(columns={"a": "c"}))
    assert content_key(table) != content_key(table.iloc[::-1])
    array = np.arange(6.0).reshape(2, 3)
    assert content_key(array) == content_key(array.copy(order="F"))
    assert content_key(array) != content_key(array.reshape(3, 2))
    assert content_key(array) != content_key(array.astype(np.float32))
    assert content_key(csr_array(array)) != content_key(csr_array(2 * array))
    words = np.array(["x", "y"], dtype=object)
    assert content_key(words) == content_key(np.array(["".join("x"), "y"], dtype=object))


def test_the_folder_beside_a_run_goes_when_the_run_is_complete(tmp_path):
    with temporary_cache(None, tmp_path / "run") as folder:
        folder.mkdir()
    assert not folder.exists()
    folder.mkdir()
    with pytest.raises(ZeroDivisionError), temporary_cache(None, tmp_path / "run"):
        1 / 0  # noqa: B018
    assert folder.exists()
    with temporary_cache(tmp_path / "kept", tmp_path / "run") as folder:
        folder.mkdir()
    assert folder.exists()
