"""What the lock of a file does, on this system and, by a stand-in for its calls, on Windows."""

import errno
import fcntl
import importlib
import os
import sys
import types

import pytest

from itemcurve.storage import system_locks
from itemcurve.storage.system_locks import try_lock, unlock


@pytest.fixture
def opened(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"content")
    descriptors = [os.open(path, os.O_RDWR) for _ in range(2)]
    yield descriptors
    for descriptor in descriptors:
        os.close(descriptor)


def test_only_one_holds_it_at_a_time(opened):
    first, second = opened
    assert try_lock(first) is True
    assert try_lock(second) is False
    unlock(first)
    assert try_lock(second) is True


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS])
def test_a_file_system_without_locks_is_said_to_have_none(opened, monkeypatch, number):
    def refuse(descriptor, operation):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", refuse)
    assert try_lock(opened[0]) is None


def test_other_errors_are_not_taken_for_missing_locks(opened, monkeypatch):
    def refuse(descriptor, operation):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(OSError, match="Input/output"):
        try_lock(opened[0])


@pytest.fixture
def windows(monkeypatch):
    """Load the module as Windows would, with record locks in the place of its own."""
    held = {}

    def locking(descriptor, mode, count):
        place = os.lseek(descriptor, 0, os.SEEK_CUR)
        key = (os.fstat(descriptor).st_ino, place, count)
        if mode == 2 and held.get(key, descriptor) != descriptor:
            raise OSError(errno.EACCES, "Permission denied")
        if mode == 0 and held.pop(key, None) != descriptor:
            raise OSError(errno.EACCES, "Permission denied")
        if mode == 2:
            held[key] = descriptor

    fake = types.SimpleNamespace(locking=locking, LK_NBLCK=2, LK_UNLCK=0)
    monkeypatch.setitem(sys.modules, "msvcrt", fake)
    monkeypatch.setattr(sys, "platform", "win32")
    importlib.reload(system_locks)
    monkeypatch.setattr(sys, "platform", "linux")
    yield system_locks, held
    importlib.reload(system_locks)


def test_on_windows_a_byte_beyond_all_content_is_locked_and_freed(windows, opened):
    module, held = windows
    first, second = opened
    assert module.try_lock(first) is True
    assert module.try_lock(second) is False
    # Others may read what is there meanwhile: only that byte is locked.
    assert [place for _, place, _ in held] == [2**30]
    os.lseek(second, 0, os.SEEK_SET)
    assert os.read(second, 100) == b"content"
    assert os.fstat(first).st_size == len(b"content")
    module.unlock(first)
    assert module.try_lock(second) is True
