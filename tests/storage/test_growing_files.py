"""Files that grow line by line: all or nothing, by one process at a time."""

import errno
import os
import subprocess
import sys

import pytest

from itemcurve.errors import StorageError
from itemcurve.storage import growing_files
from itemcurve.storage.chained_lines import NO_SEAL, seal_lines, unseal_lines
from itemcurve.storage.growing_files import ChangedFileError, append_lines


@pytest.fixture
def grown(tmp_path):
    """A file of one line, and its seal."""
    content, seal = seal_lines([{"n": 0}], NO_SEAL, "x")
    path = tmp_path / "lines"
    path.write_bytes(content)
    return path, seal


def numbers(path):
    return [document["n"] for document in unseal_lines(path.read_bytes(), "x").documents]


def test_lines_are_added_and_synced_before_they_are_acknowledged(grown, monkeypatch):
    path, seal = grown
    synced = []
    real = os.fsync

    def fsync(descriptor):
        synced.append(os.fstat(descriptor).st_size)
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    for number in range(1, 4):
        seal = append_lines(path, [{"n": number}], seal)
        assert synced[-1] == path.stat().st_size
    assert numbers(path) == [0, 1, 2, 3]
    assert len(synced) == 3


def test_a_line_longer_than_a_block_is_found_again(grown):
    path, seal = grown
    seal = append_lines(path, [{"n": 1, "long": "x" * 20_000}], seal)
    append_lines(path, [{"n": 2}], seal)
    assert numbers(path) == [0, 1, 2]


def test_what_a_crash_cut_off_makes_room(grown):
    path, seal = grown
    for rest in (b'{"n": 1, "chec', b"\0" * 9000, b'{"n": 7' + b"x" * 9000):
        with path.open("ab") as file:
            file.write(rest)
        seal = append_lines(path, [{"n": 1}], seal)
    assert numbers(path) == [0, 1, 1, 1]


def test_a_file_that_somebody_else_wrote_to_is_left_alone(grown):
    path, seal = grown
    append_lines(path, [{"n": 1}], seal)
    before = path.read_bytes()
    for documents in ([{"n": 2}], []):
        with pytest.raises(ChangedFileError, match=r"no longer as .* Load it again"):
            append_lines(path, documents, seal)
    assert path.read_bytes() == before


def test_a_full_disk_leaves_no_half_line(grown, monkeypatch):
    path, seal = grown
    before = path.read_bytes()
    real = os.write
    sizes = []

    def write(descriptor, data):
        if sizes:
            raise OSError(errno.ENOSPC, "No space left on device")
        sizes.append(len(data))
        return real(descriptor, data[:10])

    monkeypatch.setattr(growing_files.os, "write", write)
    with pytest.raises(StorageError, match="No space left"):
        append_lines(path, [{"n": 1}], seal)
    assert path.read_bytes() == before
    monkeypatch.undo()
    append_lines(path, [{"n": 1}], seal)
    assert numbers(path) == [0, 1]


def test_of_processes_that_add_at_the_same_time_none_breaks_the_chain(grown):
    path, _ = grown
    program = f"""
from pathlib import Path
from itemcurve.storage.chained_lines import unseal_lines
from itemcurve.storage.growing_files import ChangedFileError, append_lines
path, done = Path({str(path)!r}), 0
while done < 20:
    try:
        append_lines(path, [{{"n": 1}}], unseal_lines(path.read_bytes(), "x").seal)
        done += 1
    except ChangedFileError:
        continue
"""
    running = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(2)]
    assert [process.wait() for process in running] == [0, 0]
    assert numbers(path) == [0] + [1] * 40
