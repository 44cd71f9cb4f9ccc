"""Bytes are kept as bytes, and not copied when nobody can change them."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.responses.layouts import compaction


def test_bytes_that_are_final_are_not_copied():
    values = np.random.default_rng(0).integers(0, 2, (20, 10)).astype(np.int8)
    assert not np.shares_memory(ic.Responses.from_array(values).cells.values, values)
    values.setflags(write=False)
    assert np.shares_memory(ic.Responses.from_array(values).cells.values, values)


def test_a_view_of_what_can_be_written_is_copied():
    values = np.zeros((20, 10), dtype=np.int8)
    view = values[:]
    view.setflags(write=False)
    responses = ic.Responses.from_array(view)
    values[0, 0] = 1
    assert responses.array()[0, 0] == 0


def test_missing_cells_of_final_bytes_leave_them_as_they_are():
    values = np.ones((3, 2), dtype=np.int8)
    values.setflags(write=False)
    responses = ic.Responses.from_array(values, weights=[[1, 1], [0, 1], [1, 1]])
    assert np.isnan(responses.array()[1, 0])
    assert values.all()


@pytest.mark.parametrize("value", [-1, 127])
def test_threads_find_what_one_look_finds(monkeypatch, value):
    monkeypatch.setattr(compaction, "_MANY_BYTES", 1)
    values = np.zeros((50, 40), dtype=np.int8)
    values[31, 7] = value
    assert ic.Responses.from_array(values).array()[31, 7] == value
