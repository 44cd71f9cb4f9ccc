"""Ctrl-C: exit code 130, one line that says how to go on, and going on gives the same result."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import StorageError
from itemcurve.estimation.checkpoint import MemoryCheckpoint
from itemcurve.estimation.saving import saved_checkpoint


@pytest.fixture
def interrupt_after(monkeypatch):
    """Press Ctrl-C after so many iterations of a fit."""
    ordinary = MemoryCheckpoint.save

    def arm(iterations, how=KeyboardInterrupt):
        def save(checkpoint, reached):
            ordinary(checkpoint, reached)
            if checkpoint.iterations == iterations:
                raise how

        monkeypatch.setattr(MemoryCheckpoint, "save", save)

    return arm


@pytest.mark.parametrize(
    "settings",
    [
        ("--over", "respondents"),
        ("--over", "items"),
        ("--method", "joint"),
        ("--method", "variational"),
        ("--model", "3pl", "--prior", "none"),
    ],
)
def test_an_interrupted_fit_goes_on(settings, command, files, tmp_path, interrupt_after):
    given = ("fit", files / "responses.csv", *settings)
    assert command(*given, "--out", tmp_path / "whole").code == 0
    whole = ic.load(tmp_path / "whole")
    out = tmp_path / "run"
    interrupt_after(5)
    done = command(*given, "--out", out)
    assert (done.code, done.out) == (130, "")
    assert done.err == (
        f"Interrupted; 5 iterations are kept beside {out}: the same command goes on from there.\n"
    )
    assert not out.exists()
    interrupt_after(0)
    done = command(*given, "--out", out)
    assert done.code == 0
    assert "Going on from where this fit was interrupted." in done.err
    assert not (tmp_path / "run.partial").exists()
    resumed = ic.load(out)
    # Within the tolerance of the search: 1e-7 squared standard errors, averaged.
    gap = np.abs(resumed.estimates.abilities - whole.estimates.abilities)
    assert (gap < 3e-3 * whole.estimates.ability_errors).all()
    assert resumed.log_likelihood == pytest.approx(whole.log_likelihood, abs=1e-3)
    assert resumed.status == whole.status


def test_another_fit_does_not_go_on_from_there(command, files, tmp_path, interrupt_after):
    out = tmp_path / "run"
    interrupt_after(3)
    command("fit", files / "responses.csv", "--out", out)
    assert (tmp_path / "run.partial").exists()
    interrupt_after(0)
    done = command("fit", files / "responses.csv", "--model", "rasch", "--out", out)
    assert (done.code, done.err) == (0, "")
    fresh = ic.fit(ic.Responses.read(files / "responses.csv"), "rasch")
    assert ic.load(out).log_likelihood == fresh.log_likelihood
    assert not (tmp_path / "run.partial").exists()


@pytest.mark.parametrize("content", [b"", b"no zip", b"PK\x03\x04 torn"])
def test_a_damaged_file_begins_anew(content, command, files, tmp_path):
    (tmp_path / "run.partial").mkdir()
    (tmp_path / "run.partial" / "fit.npz").write_bytes(content)
    done = command("fit", files / "responses.csv", "--out", tmp_path / "run")
    assert (done.code, done.err) == (0, "")


def test_without_a_folder_the_option_is_named(command, files, interrupt_after):
    interrupt_after(2)
    done = command("fit", files / "responses.csv")
    assert (done.code, done.err.count("\n")) == (130, 1)
    assert "--out" in done.err


def test_a_fit_that_is_killed_goes_on_from_what_was_kept_seconds_before(
    command, files, tmp_path, interrupt_after, monkeypatch
):
    monkeypatch.setattr(saved_checkpoint, "_PAUSE", 0.0)
    monkeypatch.setattr(saved_checkpoint, "_LEAST_PAUSES", 0)
    out = tmp_path / "run"
    given = ("fit", files / "responses.csv", "--model", "3pl", "--prior", "none", "--out", out)
    interrupt_after(5, SystemError)
    assert command(*given).code == 1
    assert len(saved_checkpoint.read_npz(tmp_path / "run.partial" / "fit.npz")) > 2
    interrupt_after(0)
    done = command(*given)
    assert done.code == 0
    assert "Going on from where this fit was interrupted." in done.err
    assert not (tmp_path / "run.partial").exists()


def test_what_cannot_be_kept_does_not_end_a_fit(files, tmp_path, monkeypatch, command):
    monkeypatch.setattr(saved_checkpoint, "_PAUSE", 0.0)

    def fail(*given):
        raise StorageError("The disk must have room;", "it is full.")

    monkeypatch.setattr(saved_checkpoint, "write_npz", fail)
    assert command("fit", files / "responses.csv", "--out", tmp_path / "run").code == 0


def test_a_fit_that_is_asked_to_end_keeps_its_work(command, files, tmp_path, monkeypatch):
    ordinary = MemoryCheckpoint.save

    def save(checkpoint, reached):
        ordinary(checkpoint, reached)
        if checkpoint.iterations == 3:
            signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(MemoryCheckpoint, "save", save)
    done = command("fit", files / "responses.csv", "--out", tmp_path / "run")
    assert done.code == 143
    assert "3 iterations are kept beside" in done.err
    assert (tmp_path / "run.partial" / "fit.npz").is_file()
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def stop(arguments, is_time, sent=signal.SIGINT, to_all=True):
    """Start a command, send a signal when it is time; give exit code, stderr, who is left."""
    process = subprocess.Popen(
        [sys.executable, "-m", "itemcurve", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )
    deadline = time.monotonic() + 120
    while not is_time() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    # A terminal sends it to every process of the foreground, workers too.
    (os.killpg if to_all else os.kill)(process.pid, sent)
    # Workers that stay would hold the pipe, and this would not end.
    errors = process.communicate(timeout=60)[1]
    return process.returncode, errors


@pytest.mark.slow
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGTERM, 143), (signal.SIGKILL, -9)])
def test_workers_end_with_the_process_that_started_them(sent, code, tmp_path):
    out, partial = tmp_path / "run", tmp_path / "run.partial"
    arguments = ("evaluate", "digits", "--pool", "random:40", "--jobs", 2, "--out", out)
    found, errors = stop(arguments, lambda: len(list(partial.glob("*.npz"))) >= 2, sent, False)
    assert found == code
    assert "Traceback" not in errors
    if sent == signal.SIGTERM:
        assert f"Interrupted; predictions are kept in {partial}" in errors


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ("evaluate", "wine", "--pool", "random:12", "--jobs", 2),
        ("robustness", "iris", "--pool", "random:8", "--models", "families", "--jobs", 2),
    ],
)
def test_an_interrupted_evaluation_goes_on_with_the_same_result(arguments, command, tmp_path):
    out, partial = tmp_path / "run", tmp_path / "run.partial"
    code, errors = stop((*arguments, "--out", out), lambda: len(list(partial.glob("*.npz"))) >= 5)
    assert code == 130, errors
    assert errors.splitlines()[-1] == (
        f"Interrupted; predictions are kept in {partial}: the same command goes on from there."
    )
    assert "Traceback" not in errors
    kept = {path: path.stat().st_mtime_ns for path in partial.glob("*.npz")}
    assert kept
    assert not out.exists()
    assert command(*arguments, "--out", out, "--cache", partial).code == 0
    assert all(path.stat().st_mtime_ns == mark for path, mark in kept.items())
    assert command(*arguments, "--out", tmp_path / "whole").code == 0
    resumed, whole = ic.load(out), ic.load(tmp_path / "whole")
    assert resumed.respondents.equals(whole.respondents)
    assert resumed.items.equals(whole.items)
