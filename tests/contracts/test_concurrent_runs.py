"""Several processes at one run folder: what is read is of one writing, whole."""

import subprocess
import sys
import textwrap

import numpy as np
import pytest

from itemcurve.storage.run_folder import write_run

_START = """
import sys, time
from pathlib import Path
import numpy as np
from itemcurve.storage.run_folder import read_run, read_whole, update_run, write_run
path, own, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])

# Processes take their time to start: who writes for readers does so until these have ended.
def numbers():
    number = 0
    while not rounds and not Path(path).parent.with_suffix(".stop").exists():
        yield number
        number += 1
    yield from range(rounds)
"""

# The document and the array of one writing bear the same mark.
WRITER = """
for number in numbers():
    mark = f"{own}-{number}"
    write_run(path, {"fit": {"mark": mark}}, {"fit": {"mark": np.array([mark] * 50)}})
"""

UPDATER = """
for number in numbers():
    mark = f"{own}-{number}"
    update_run(path, {"fit": {"mark": mark}}, {"fit": {"mark": np.array([mark] * 50)}})
"""

READER = """
def look(run):
    return run.document("fit")["mark"], set(run.arrays("fit")["mark"].tolist())

seen, number, limit = set(), 0, time.monotonic() + 60
while number < rounds or (len(seen) < 2 and time.monotonic() < limit):
    mark, marks = read_whole(path, look)
    assert marks == {mark}, (mark, marks)
    seen.add(mark)
    number += 1
print(len(seen))
"""


def start(code, path, own, rounds):
    words = [sys.executable, "-c", _START + textwrap.dedent(code), str(path), own, str(rounds)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def outcomes(processes):
    ended = [process.communicate() for process in processes]
    errors = [error for _, error in ended if error]
    assert errors == []
    assert [process.returncode for process in processes] == [0] * len(processes)
    return [text for text, _ in ended]


@pytest.fixture
def run(tmp_path):
    write_run(tmp_path / "run", {"fit": {"mark": "0"}}, {"fit": {"mark": np.array(["0"] * 50)}})
    return tmp_path / "run"


def test_readers_see_one_writing_while_others_replace_and_update(run):
    writers = [start(WRITER, run, "a", 0), start(UPDATER, run, "b", 0)]
    readers = [start(READER, run, str(k), 400) for k in range(2)]
    try:
        seen = [int(text) for text in outcomes(readers)]
    finally:
        run.parent.with_suffix(".stop").touch()
    outcomes(writers)
    assert max(seen) > 1
    assert [path.name for path in run.parent.iterdir()] == ["run"]
