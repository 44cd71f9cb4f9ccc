"""A file is either wholly written or as it was."""

import errno
import os
import stat

import pytest

from itemcurve.errors import StorageError
from itemcurve.storage.atomic_files import atomic_file, forget_folders, write_bytes
from itemcurve.storage.disk import Disk


def test_a_file_appears_whole_and_leaves_nothing_else(tmp_path):
    write_bytes(tmp_path / "a.txt", b"one")
    write_bytes(tmp_path / "a.txt", b"two")
    assert (tmp_path / "a.txt").read_bytes() == b"two"
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]


def test_an_error_while_writing_leaves_the_former_file(tmp_path):
    def write_half():
        with atomic_file(tmp_path / "a.txt") as file:
            file.write(b"half of the n")
            raise KeyError("crash")

    write_bytes(tmp_path / "a.txt", b"old")
    with pytest.raises(KeyError):
        write_half()
    assert (tmp_path / "a.txt").read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]


def test_the_new_file_is_invisible_until_it_is_whole(tmp_path):
    with atomic_file(tmp_path / "a.txt") as file:
        file.write(b"x")
        assert not (tmp_path / "a.txt").exists()
    assert (tmp_path / "a.txt").exists()


@pytest.mark.skipif(os.name != "posix", reason="file modes are a POSIX matter")
def test_the_file_has_the_rights_the_user_asked_for(tmp_path):
    former = os.umask(0o027)
    try:
        write_bytes(tmp_path / "a.txt", b"")
    finally:
        os.umask(former)
    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == 0o640


def test_a_missing_folder_is_a_storage_error(tmp_path):
    with pytest.raises(StorageError, match=r"must exist.*absent.*Choose another path"):
        write_bytes(tmp_path / "absent" / "a.txt", b"")


def test_a_full_disk_is_a_storage_error(tmp_path, monkeypatch):
    def fail(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(StorageError, match="No space left"):
        write_bytes(tmp_path / "a.txt", b"x")
    assert list(tmp_path.iterdir()) == []


def test_links_are_followed_and_stay(tmp_path):
    (tmp_path / "real.txt").write_bytes(b"former")
    link = tmp_path / "link.txt"
    link.symlink_to(tmp_path / "real.txt")
    write_bytes(link, b"new")
    assert link.is_symlink()
    assert (tmp_path / "real.txt").read_bytes() == b"new"


def test_devices_and_pipes_are_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(StorageError, match="device or a pipe"):
        write_bytes(pipe, b"x")
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    link = tmp_path / "link"
    link.symlink_to(pipe)
    with pytest.raises(StorageError, match="device or a pipe"):
        write_bytes(link, b"x")
    assert link.is_symlink()


def test_what_dead_writers_left_is_removed_and_living_ones_are_left_alone(tmp_path):
    stale = tmp_path / ".a.txt.0123456789ab.tmp"
    stale.write_bytes(b"half")
    young = tmp_path / ".b.txt.0123456789ab.tmp"
    young.write_bytes(b"half")
    os.utime(stale, (0, 0))
    with atomic_file(tmp_path / "c.txt") as file:
        file.write(b"c")
        file.flush()
        living = next(path for path in tmp_path.iterdir() if path.name.startswith(".c.txt"))
        os.utime(living, (0, 0))
        forget_folders()
        write_bytes(tmp_path / "d.txt", b"d")
    assert sorted(path.name for path in tmp_path.iterdir()) == [young.name, "c.txt", "d.txt"]


def test_that_nothing_can_be_tidied_up_does_not_hide_what_failed(tmp_path, monkeypatch):
    def fail(disk, *paths):
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(Disk, "rename", fail)
    monkeypatch.setattr(Disk, "remove", fail)
    with pytest.raises(StorageError, match=r"a\.txt' failed: Read-only"):
        write_bytes(tmp_path / "a.txt", b"x")
