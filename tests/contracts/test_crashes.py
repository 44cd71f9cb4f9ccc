"""Whatever stops a command that writes, at any step: what was there is there, or what was to come.

`make faults` does this for every command and every step, with processes that are killed for good;
here it is some steps of the quick ones, in this process.
"""

import contextlib
import os
import sys
from pathlib import Path

import numpy as np
import pytest
from benchmarks.faults.crashes import (
    ENDED,
    Trial,
    cut_power_everywhere,
    kill_everywhere,
    refuse_everywhere,
)
from benchmarks.faults.faulty_disk import FaultyDisk, StoppedError
from benchmarks.faults.tally import Tally
from benchmarks.faults.writing_commands import COMMANDS, make_base, run_command

from itemcurve.storage.disk import standing_in

BY_NAME = {command.name: command for command in COMMANDS}
QUICK = ("fit over a run", "import over a file", "health", "simulate", "adapt record")
THROUGH = ("fit", "export", "plot", "dif", "gate", "simulate parquet", "report")
# Part of a second for each kind of fault.
AMOUNT = 0.05


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    folder = tmp_path_factory.mktemp("crashes").resolve() / "base"
    make_base(folder)
    return folder


@pytest.fixture
def rows(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    names = ("killed at a step", ENDED, "power cut", "disk full", "disk fails", "run again")
    return {name: Tally(name) for name in names}


def stop(trial, step):
    """Stop the command at a step: nothing reaches the disk from there on."""
    disk = FaultyDisk(trial.folder, step)
    with standing_in(disk), contextlib.suppress(StoppedError):
        run_command(trial.command.line, trial.folder)
    assert disk.is_stopped


@pytest.mark.parametrize("name", QUICK)
def test_a_command_leaves_the_old_or_the_new_and_gives_the_same_when_run_again(
    base, tmp_path, rows, name
):
    trial = Trial(BY_NAME[name], base, tmp_path.resolve() / "work")
    trial.begin()
    kill_everywhere(trial, rows, AMOUNT, stop)
    cut_power_everywhere(trial, rows, 4 * AMOUNT, np.random.default_rng(1))
    refuse_everywhere(trial, rows, AMOUNT)
    assert [row.examples for row in rows.values() if row.faults] == []
    assert all(row.tried for row in rows.values())
    assert rows["disk full"].counts["clean error"] > 0


@pytest.mark.parametrize(
    "line",
    [
        "show run",
        "score run b.csv --out scores.csv",
        "health run --keep",
        "dif run --groups groups.csv",
        "choose run 3",
        "predict run b.csv",
        "diff run run --a respondent_01 --b respondent_02",
        "adapt start s.json --bank run",
    ],
)
def test_a_run_whose_writer_died_between_two_renames_is_found_by_its_name(base, tmp_path, line):
    folder = tmp_path.resolve() / "work"
    BY_NAME["report"].prepare(base, folder)
    (folder / "run").rename(folder / ".run.previous")
    code, said = run_command(line, folder)
    assert code in (0, 10, 11), said


_WRITTEN: list[str] = []
_WATCHED: list[str] = []


def _note_writing(event, arguments):
    if event != "open" or not _WATCHED:
        return
    path, _, flags = arguments
    is_written = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR)
    if is_written and isinstance(path, str) and str(Path(path).absolute()).startswith(_WATCHED[0]):
        _WRITTEN.append(Path(path).name)


@pytest.mark.parametrize(
    "name", ["fit", "export", "plot", "dif", "gate", "simulate parquet", "report"]
)
def test_nothing_is_written_but_through_the_disk_that_tests_replace(base, tmp_path, name):
    folder = tmp_path.resolve() / "work"
    BY_NAME[name].prepare(base, folder)
    if not _WRITTEN:
        # There is no way to take such a hook away: it stays, and watches nothing.
        sys.addaudithook(_note_writing)
        _WRITTEN.append("")
    del _WRITTEN[1:]
    disk = FaultyDisk(folder)
    _WATCHED.append(str(folder))
    try:
        with standing_in(disk):
            code, said = run_command(BY_NAME[name].line, folder)
    finally:
        _WATCHED.clear()
    assert code in (0, 11), said
    made = {step.details[0].name for step in disk.steps if step.kind == "create"}
    assert made
    around = {written for written in _WRITTEN[1:] if written not in made}
    # Locks hold nothing that could be lost.
    assert {written for written in around if not written.endswith((".lock", ".claim"))} == set()
