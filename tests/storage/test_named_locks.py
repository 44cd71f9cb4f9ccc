"""Locks by name hold where the file system has none, and those of dead processes are taken over."""

import errno
import fcntl
import os
import socket
import subprocess
import sys
import threading

import pytest

from itemcurve.errors import StorageError
from itemcurve.storage.chained_lines import NO_SEAL, seal_lines, unseal_lines
from itemcurve.storage.file_locks import BusyError, locked
from itemcurve.storage.growing_files import append_lines
from itemcurve.storage.named_locks import leave_name, try_name


def dead_process():
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


@pytest.fixture
def without_locks(monkeypatch):
    def refuse(descriptor, operation):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)


def test_one_has_it_until_it_is_left(tmp_path):
    path = tmp_path / "lock"
    assert try_name(path)
    assert not try_name(path)
    leave_name(path)
    assert try_name(path)


def test_what_a_dead_process_left_is_taken_over(tmp_path):
    path = tmp_path / "lock"
    path.write_text(f"{socket.gethostname()} {dead_process()}\n")
    assert try_name(path)
    assert path.read_text().split()[1] == str(os.getpid())
    assert [file.name for file in tmp_path.iterdir()] == ["lock"]


@pytest.mark.parametrize("content", ["elsewhere 1\n", "", "no sense at all\n"])
def test_what_nobody_can_tell_about_is_left_alone(tmp_path, content):
    path = tmp_path / "lock"
    path.write_text(content)
    assert not try_name(path)
    assert path.read_text() == content


def test_a_run_is_locked_where_the_disk_has_no_locks(tmp_path, without_locks):
    with locked(tmp_path / "run"):
        assert [file.name for file in tmp_path.iterdir()] == [".run.lock.held"]
        with pytest.raises(BusyError, match="at work on"), locked(tmp_path / "run", patience=0.1):
            pass
    assert list(tmp_path.iterdir()) == []


def test_a_holder_on_another_machine_is_named_with_the_file_to_remove(tmp_path, without_locks):
    (tmp_path / ".run.lock.held").write_text("elsewhere 17\n")
    with (
        pytest.raises(StorageError, match=r"process 17 of the machine elsewhere .*\.held.* remove"),
        locked(tmp_path / "run", patience=0.1),
    ):
        pass


def test_threads_that_append_there_wait_for_each_other(tmp_path, without_locks):
    content, seal = seal_lines([{"n": 0}], NO_SEAL, "x")
    path = tmp_path / "lines"
    path.write_bytes(content)
    seals = []

    def add(number):
        seals.append(append_lines(path, [], seal) if number else seal)

    threads = [threading.Thread(target=add, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seals == [seal] * 6
    append_lines(path, [{"n": 1}], seal)
    assert [line["n"] for line in unseal_lines(path.read_bytes(), "x").documents] == [0, 1]
    assert [file.name for file in tmp_path.iterdir()] == ["lines"]
