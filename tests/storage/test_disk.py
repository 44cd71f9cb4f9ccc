"""The disk as the library asks for it: folders, copies, names that somebody reads at the moment."""

import threading
import time

import pytest

from itemcurve.storage import disk as disk_module
from itemcurve.storage.disk import Disk, copy_file, disk, make_folders, standing_in


def test_another_disk_stands_in_while_a_block_runs():
    other = Disk()
    with standing_in(other):
        assert disk() is other
    assert disk() is not other


def test_folders_are_made_with_those_above_and_kept_when_there(tmp_path):
    make_folders(tmp_path / "a" / "b" / "c")
    make_folders(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b" / "c").is_dir()
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OSError, match=r"exists|directory"):
        make_folders(tmp_path / "file" / "below")


def test_a_copy_has_content_and_times(tmp_path):
    (tmp_path / "a").write_bytes(b"content" * 1000)
    copy_file(tmp_path / "a", tmp_path / "b")
    assert (tmp_path / "b").read_bytes() == b"content" * 1000
    assert (tmp_path / "b").stat().st_mtime == (tmp_path / "a").stat().st_mtime


@pytest.mark.parametrize(("is_windows", "is_patient"), [(True, True), (False, False)])
def test_on_windows_a_file_that_is_read_is_replaced_when_the_reader_has_done(
    tmp_path, monkeypatch, is_windows, is_patient
):
    (tmp_path / "a").write_bytes(b"new")
    (tmp_path / "b").write_bytes(b"old")
    readers, replace = [True], type(tmp_path).replace

    def busy(path, target):
        if readers:
            raise PermissionError(13, "The process cannot access the file")
        return replace(path, target)

    monkeypatch.setattr(type(tmp_path), "replace", busy)
    monkeypatch.setattr(disk_module, "_IS_WINDOWS", is_windows)
    ending = threading.Timer(0.1, readers.clear)
    ending.start()
    began = time.monotonic()
    if is_patient:
        disk().rename(tmp_path / "a", tmp_path / "b")
        assert (tmp_path / "b").read_bytes() == b"new"
        assert time.monotonic() - began > 0.05
    else:
        with pytest.raises(PermissionError):
            disk().rename(tmp_path / "a", tmp_path / "b")
    ending.join()
