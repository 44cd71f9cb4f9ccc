"""`| head`: whoever stops reading loses nothing that a command was to write."""

import subprocess
import sys

import numpy as np
import pytest

from itemcurve.estimation.saving.saved_fit import load
from itemcurve.responses.matrix import Responses


def run_unread(*arguments):
    """Run a command whose output nobody reads."""
    with subprocess.Popen(
        [sys.executable, "-m", "itemcurve", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        running.stdout.close()
        said = running.stderr.read()
        running.wait(timeout=120)
        running.stderr.close()
    return running.returncode, said


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_a_fit_is_saved(files, tmp_path, options):
    out = tmp_path / "run"
    assert run_unread("fit", files / "responses.csv", "--out", out, *options) == (0, b"")
    assert load(out).responses.shape == (120, 15)


def test_an_evaluation_is_saved(tmp_path):
    random = np.random.default_rng(0)
    x = random.normal(size=90)
    label = np.where(x + random.normal(size=90) > 0, "yes", "no")
    rows = "".join(f"{a},{b}\n" for a, b in zip(x.tolist(), label.tolist(), strict=True))
    (tmp_path / "data.csv").write_text(f"x,label\n{rows}")
    settings = ("--target", "label", "--pool", "random:4", "--jobs", 1, "--out", tmp_path / "run")
    # Members of a random pool may warn; that is not what is asked here.
    code, _ = run_unread("evaluate", tmp_path / "data.csv", *settings)
    assert code == 0
    assert load(tmp_path / "run").responses.shape == (4, 27)


def test_tables_reports_and_responses_are_written(files, tmp_path):
    out = tmp_path
    simulated = ("--respondents", 40, "--items", 10, "--seed", 1, "--out", out / "r.csv")
    assert run_unread("simulate", "--model", "2pl", *simulated) == (0, b"")
    assert Responses.read(out / "r.csv").shape == (40, 10)
    scored = ("score", files / "run", files / "responses.csv", "--out", out / "scores.csv")
    assert run_unread(*scored) == (0, b"")
    assert len((out / "scores.csv").read_text().splitlines()) == 121
    assert run_unread("health", out / "r.csv", "--out", out / "items.csv") == (0, b"")
    assert len((out / "items.csv").read_text().splitlines()) == 11
