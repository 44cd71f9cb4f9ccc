"""Files and folders that take their places together."""

import pytest

from itemcurve.errors import StorageError
from itemcurve.storage.atomic_files import write_bytes
from itemcurve.storage.disk import Disk
from itemcurve.storage.folder_swap import files_together


def test_files_that_belong_together_are_written_together(tmp_path):
    main = tmp_path / "y.csv"
    for content in (b"old", b"new"):
        with files_together(main) as folder:
            write_bytes(folder / "y.csv", content)
            write_bytes(folder / "y.items.csv", content)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        "y.csv": b"new",
        "y.items.csv": b"new",
    }


def test_where_one_cannot_be_written_none_is_replaced(tmp_path):
    main = tmp_path / "y.csv"
    main.write_bytes(b"old")

    def write():
        with files_together(main) as folder:
            write_bytes(folder / "y.csv", b"new")
            raise OSError(28, "No space left on device")

    with pytest.raises(StorageError, match="space left"):
        write()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"y.csv": b"old"}


def test_the_main_file_comes_last_and_what_a_crash_left_goes(tmp_path, monkeypatch):
    (tmp_path / ".y.csv.new-0123456789ab").mkdir()
    order = []
    ordinary = Disk.rename
    monkeypatch.setattr(
        Disk, "rename", lambda disk, a, b: (order.append(b.name), ordinary(disk, a, b))[1]
    )
    with files_together(tmp_path / "y.csv") as folder:
        for name in ("z.csv", "y.csv", "a.csv"):
            (folder / name).write_bytes(b"")
    assert order == ["a.csv", "z.csv", "y.csv"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csv", "y.csv", "z.csv"]
