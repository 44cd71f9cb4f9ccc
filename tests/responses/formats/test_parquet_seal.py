"""Our Parquet files have a checksum of their own; those of others need none."""

import numpy as np
import pyarrow.parquet as parquet
import pytest

from itemcurve.errors import ResponsesError
from itemcurve.responses.formats import parquet_seal
from itemcurve.responses.formats.parquet_seal import is_broken
from itemcurve.responses.matrix import Responses


@pytest.fixture
def path(tmp_path):
    Responses.from_array(np.eye(3)).save(tmp_path / "r.parquet")
    return tmp_path / "r.parquet"


def test_every_flipped_bit_is_noticed(path):
    whole = path.read_bytes()
    assert not is_broken(path)
    for place in range(0, len(whole), 3):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 16]) + whole[place + 1 :])
        # Of the marker itself, a flip is not: then nothing else is changed.
        if not is_broken(path):
            try:
                assert Responses.read(path).array().tolist() == np.eye(3).tolist()
            except ResponsesError:
                continue


def test_names_in_the_footer_are_protected(path):
    whole = path.read_bytes()
    assert whole.count(b"item_2") > 1
    path.write_bytes(whole.replace(b"item_2", b"item_9"))
    with pytest.raises(ResponsesError, match="not those that were written"):
        Responses.read(path)


def test_a_damaged_checksum_is_no_missing_one(path):
    whole = path.read_bytes()
    for key in (b"itemcurve.sha256", b"itemcurve.sealed"):
        path.write_bytes(whole.replace(key, b"x" * len(key)))
        assert is_broken(path)


def test_files_that_others_made_of_ours_are_read(path, tmp_path):
    table = parquet.read_table(path)
    changed = table.set_column(1, table.column_names[1], [table.column(2)])
    parquet.write_table(changed, tmp_path / "other.parquet")
    assert Responses.read(tmp_path / "other.parquet").array()[:, 0].tolist() == [0, 1, 0]


def test_a_footer_too_long_to_be_sealed_leaves_the_file_without(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet_seal, "_LARGEST_REST", 64)
    Responses.from_array(np.eye(3)).save(tmp_path / "r.parquet")
    monkeypatch.undo()
    assert not is_broken(tmp_path / "r.parquet")
    assert Responses.read(tmp_path / "r.parquet").shape == (3, 3)
