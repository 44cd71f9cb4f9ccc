"""Large matrices arrive as they were, whatever the pieces they were sent in."""

import numpy as np
import pytest

pytest.importorskip("jax")
from itemcurve.numerics.devices import quick_transfer


@pytest.mark.parametrize("rows", [1, 31, 64, 101])
def test_a_matrix_sent_in_pieces_is_the_same(monkeypatch, rows):
    values = np.random.default_rng(rows).integers(0, 128, (rows, 13)).astype(np.int8)
    monkeypatch.setattr(quick_transfer, "_MANY_BYTES", 0)
    monkeypatch.setattr(quick_transfer.jax, "default_backend", lambda: "gpu")
    found = quick_transfer.move_matrix(values)
    assert found.dtype == np.int8
    np.testing.assert_array_equal(found, values)
