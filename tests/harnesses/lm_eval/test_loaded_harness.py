"""The real lm-evaluation-harness with its dummy model, where it is installed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.harnesses.lm_eval.examples import (
    ANSWERS,
    make_calibration,
    make_index,
    write_task,
)

import itemcurve as ic
from itemcurve.errors import MissingExtraError
from itemcurve.harnesses.lm_eval.loaded_harness import HarnessSettings, load_harness

SCRIPT = Path(__file__).with_name("killed_run.py")


def test_without_the_harness_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "lm_eval", None)
    with pytest.raises(MissingExtraError, match=r"itemcurve\[lm-eval\]"):
        load_harness(HarnessSettings("dummy"), ["sums"])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    pytest.importorskip("lm_eval", reason="lm_eval is not installed")
    for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    write_task(tmp_path / "tasks")
    make_calibration().save(tmp_path / "responses.npz")
    make_index().save(tmp_path / "responses.items.csv")
    return tmp_path


def run(folder, ends_at, *options):
    words = ["run", "lm-eval", folder / "session.json", "--bank", folder / "responses.npz"]
    words += ["--model", "dummy", "--include-path", folder / "tasks", "--logs", folder / "logs"]
    given = [sys.executable, SCRIPT, folder / "asked.txt", ends_at, *words, *options]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(
        list(map(str, given)), check=False, capture_output=True, text=True, env=environment
    )


@pytest.mark.slow
def test_a_run_that_is_killed_twice_asks_every_document_once(folder):
    options = ("--max-items", 40, "--batch", 8, "--tasks", "sums")
    for ends_at, code in ((2, 9), (1, 9), (-1, 0)):
        done = run(folder, ends_at, *options)
        assert done.returncode == code, done.stderr
    asked = [int(word) for word in (folder / "asked.txt").read_text().split()]
    assert len(asked) == len(set(asked)) == 40
    test = ic.ScoreTest.load(folder / "session.json")
    assert test.is_finished
    expected = {f"sums/{k}": float(ANSWERS[k] == "lol") for k in asked}
    assert {answer.item: answer.response for answer in test.answers} == expected
    assert "40 items answered" in done.stderr
    # Its own logs, read back, say the same.
    found = make_index().find_answers(ic.read_logs(folder / "logs", cache=False))
    assert found.responses == expected


@pytest.mark.slow
def test_the_result_is_an_object_for_machines(folder):
    done = run(folder, -1, "--max-items", 10, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["answered"] == 10
