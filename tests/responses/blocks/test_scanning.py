"""Responses in blocks on disk: what is written is found, whatever kind of responses it is."""

import contextlib

import numpy as np
import pytest
from benchmarks.faults.faulty_disk import FaultyDisk, StoppedError

import itemcurve as ic
from itemcurve.errors import ResponsesError
from itemcurve.responses.blocks import scanning
from itemcurve.storage.disk import standing_in

RNG = np.random.default_rng(1)
RIGHT = RNG.integers(0, 2, (50, 21)).astype(float)
GAPS = np.where(RNG.random(RIGHT.shape) < 0.2, np.nan, RIGHT)
TABLES = {
    "bits": RIGHT,
    "bits with gaps": GAPS,
    "bytes": 3 * RIGHT,
    "bytes with gaps": 3 * GAPS,
    "numbers": RNG.random(RIGHT.shape),
}


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(scanning, "_BLOCK_BYTES", 40)


def in_memory(responses):
    return responses.take(list(range(responses.shape[0])))


@pytest.mark.parametrize("name", TABLES)
def test_what_is_written_is_found(name, tmp_path):
    responses = ic.Responses.from_array(TABLES[name])
    responses.write_blocks(tmp_path / "blocks")
    found = ic.Responses.scan(tmp_path / "blocks")
    assert found.is_streamed
    assert found.shape == responses.shape
    assert (found.respondents, found.items) == (responses.respondents, responses.items)
    assert len(list(found.blocks())) > 1
    np.testing.assert_array_equal(in_memory(found).array(), responses.array())
    for axis in (0, 1):
        np.testing.assert_array_equal(found.counts(axis), responses.counts(axis))
        np.testing.assert_allclose(found.means(axis), responses.means(axis))
    values = np.concatenate(list(found.values_by_block()))
    assert set(values) >= set(responses.observed_values())


def test_ids_are_kept(tmp_path):
    ids = [f"model {n}" for n in range(50)], [f"q{n}" for n in range(21)]
    ic.Responses.from_array(GAPS, *ids).write_blocks(tmp_path / "blocks")
    found = ic.Responses.scan(tmp_path / "blocks")
    assert (list(found.respondents), list(found.items)) == ids


def test_files_that_others_wrote_are_blocks(tmp_path):
    responses = ic.Responses.from_array(GAPS)
    for first in range(0, 50, 20):
        part = responses.take(list(range(first, min(first + 20, 50))))
        part.save(tmp_path / f"part{first:02d}.parquet")
    found = ic.Responses.scan(f"{tmp_path}/*.parquet")
    np.testing.assert_array_equal(in_memory(found).array(), responses.array())
    found.write_blocks(tmp_path / "blocks")
    again = ic.Responses.scan(tmp_path / "blocks")
    np.testing.assert_array_equal(in_memory(again).array(), responses.array())
    assert again.respondents == responses.respondents


def test_items_that_a_file_lacks_were_not_observed_there(tmp_path):
    responses = ic.Responses.from_array(RIGHT)
    responses.take(list(range(20)), list(range(15))).save(tmp_path / "a.npz")
    responses.take(list(range(20, 50)), list(range(10, 21))).save(tmp_path / "b.npz")
    found = in_memory(ic.Responses.scan(tmp_path)).array()
    expected = RIGHT.copy()
    expected[:20, 15:], expected[20:, :10] = np.nan, np.nan
    np.testing.assert_array_equal(found, expected)


def test_a_respondent_is_in_one_file(tmp_path):
    for name in "ab":
        ic.Responses.from_array(RIGHT).save(tmp_path / f"{name}.npz")
    with pytest.raises(ResponsesError, match="in one file"):
        ic.Responses.scan(tmp_path)


def test_nothing_to_scan_is_said(tmp_path):
    with pytest.raises(ResponsesError, match=r"none is at .*\*\.parquet"):
        ic.Responses.scan(tmp_path / "*.parquet")


@pytest.mark.parametrize("call", ["array", "weight", "observed_values", "pack", "frame"])
def test_what_needs_all_responses_at_once_is_refused(call, tmp_path):
    ic.Responses.from_array(GAPS).write_blocks(tmp_path / "blocks")
    found = ic.Responses.scan(tmp_path / "blocks")
    with pytest.raises(ResponsesError, match=r"in memory at once.*50 × 21.*responses\.take"):
        getattr(found, call)()
    assert "blocks on disk" in repr(found)


def test_blocks_whose_writing_was_stopped_are_not_there_and_never_have_other_names(tmp_path):
    drawn = ic.simulate("2pl", respondents=9, items=5, seed=1).responses
    named = ic.Responses.from_array(
        drawn.array(), respondents=[f"model {k}" for k in range(9)], items=list("abcde")
    )
    for step in range(100):
        disk, folder = FaultyDisk(tmp_path.resolve(), step), tmp_path / f"blocks{step}"
        with standing_in(disk), contextlib.suppress(StoppedError):
            named.write_blocks(folder)
        if not disk.is_stopped:
            break
        if not folder.exists():
            named.write_blocks(folder)
        assert ic.Responses.scan(folder).respondents == named.respondents
    assert step > 10
