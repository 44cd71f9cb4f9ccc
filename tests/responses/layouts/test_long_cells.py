"""Entries of rows and columns that are taken, and their sums, are those of the full matrix."""

import numpy as np
import pytest

from itemcurve.responses.layouts.long_cells import LongCells, long_cells

RNG = np.random.default_rng(5)
VALUES = RNG.integers(0, 2, (9, 7)).astype(float)


def drawn(weighted: bool) -> tuple[LongCells, np.ndarray]:
    """Entries with empty rows and columns, and their weights as a full matrix."""
    weights = np.where(RNG.random((9, 7)) < 0.4, RNG.integers(1, 4, (9, 7)), 0).astype(float)
    weights[[0, 4, 8]] = 0
    weights[:, 3] = 0
    if not weighted:
        weights = np.minimum(weights, 1)
    rows, columns = np.nonzero(weights)
    own = weights[rows, columns] if weighted else None
    return long_cells(rows, columns, VALUES[rows, columns], own, VALUES.shape), weights


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("axis", [0, 1])
def test_sums_along_an_axis_are_those_of_the_full_matrix(weighted, axis):
    whole, weights = drawn(weighted)
    for rows in ([*range(9)], [2, 0, 3]):
        sums, totals = whole.take(rows, None).totals(axis)
        np.testing.assert_allclose(sums, (VALUES * weights)[rows].sum(axis=axis))
        np.testing.assert_allclose(totals, weights[rows].sum(axis=axis))


@pytest.mark.parametrize("rows", [None, [1, 0], [0, 2, 3], []])
@pytest.mark.parametrize("columns", [None, [0, 2, 4], [3, 1], []])
def test_rows_and_columns_are_taken_in_the_order_asked_for(rows, columns):
    whole, weights = drawn(weighted=True)
    found = whole.take(rows, columns)
    own = VALUES[slice(None) if rows is None else rows]
    known = weights[slice(None) if rows is None else rows]
    if columns is not None:
        own, known = own[:, columns], known[:, columns]
    assert found.shape == own.shape
    np.testing.assert_array_equal(np.nan_to_num(found.array()), np.where(known > 0, own, 0))
    assert all(not part.flags.writeable for part in (found.starts, found.columns, found.values))


def test_rows_without_entries_add_up_to_nothing():
    cells = long_cells(np.array([1, 1, 3]), np.array([0, 2, 1]), np.array([1, 1, 0]), None, (5, 3))
    sums, totals = cells.totals(1)
    assert sums.tolist() == [0, 2, 0, 0, 0]
    assert totals.tolist() == [0, 2, 0, 1, 0]
