"""Folders of blocks from strangers: sizes are checked, names are not taken from the header."""

import json

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ResponsesError
from itemcurve.responses.blocks.block_folder import HEADER, block_file, read_folder


@pytest.fixture
def folder(tmp_path):
    responses = ic.Responses.from_array(np.random.default_rng(1).integers(0, 2, (40, 21)))
    responses.write_blocks(tmp_path / "blocks")
    return tmp_path / "blocks"


def changed(folder, **changes):
    header = json.loads((folder / HEADER).read_text())
    (folder / HEADER).write_text(json.dumps(header | changes))


@pytest.mark.parametrize(
    "changes",
    [
        {"format": "itemcurve-blocks-2"},
        {"rows": []},
        {"rows": [-1]},
        {"rows": [1e9]},
        {"rows": 4},
        {"n_items": True},
        {"n_items": 0},
        {"kind": "pickle"},
    ],
)
def test_a_header_that_cannot_be_is_refused(folder, changes):
    changed(folder, **changes)
    with pytest.raises(ResponsesError, match=r"itemcurve-blocks-1.*write_blocks"):
        ic.Responses.scan(folder)


@pytest.mark.parametrize("changes", [{"rows": [2**39]}, {"n_items": 400}, {"has_gaps": True}])
def test_a_file_of_another_size_is_not_read(folder, changes):
    changed(folder, **changes)
    with pytest.raises(ResponsesError, match="bytes that the header says"):
        read_folder(folder).load(0)


def test_bits_beyond_the_last_item_are_refused(folder):
    file = block_file(folder, 0, "bits")
    file.write_bytes(b"\xff" * file.stat().st_size)
    with pytest.raises(ResponsesError, match="beyond the last item"):
        read_folder(folder).load(0)


def test_a_missing_block_is_said(folder):
    block_file(folder, 0, "bits").unlink()
    with pytest.raises(ResponsesError, match=r"block_000000\.bin cannot be read"):
        read_folder(folder).load(0)


def test_a_folder_that_is_in_use_is_not_written_over(folder):
    with pytest.raises(ResponsesError, match="new or empty folder"):
        ic.Responses.from_array(np.ones((3, 3))).write_blocks(folder)


def test_a_bit_takes_a_bit(folder):
    assert block_file(folder, 0, "bits").stat().st_size == 40 * 3
