"""Sparse blocks: products are those of the full matrix, on either engine."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from itemcurve.numerics.engine import NUMPY, as_dense, get_engine
from itemcurve.numerics.products.sparse_blocks import entrywise, split_sparse, suits
from itemcurve.numerics.row_blocks import product, split_rows, transposed_product

ROWS, COLUMNS = 60, 40
RNG = np.random.default_rng(1)
OBSERVED = RNG.random((ROWS, COLUMNS)) < 0.02
OBSERVED[0, 0] = True
FULL = np.where(OBSERVED, RNG.integers(0, 2, (ROWS, COLUMNS)), 0.0)


@pytest.fixture(params=["numpy", "jax"])
def engine(request):
    machine = get_engine(request.param)
    with machine.double_precision():
        yield machine


def stored(values):
    """All observed cells, explicit zeros too."""
    rows, columns = np.nonzero(OBSERVED)
    return csr_array((values[rows, columns], (rows, columns)), shape=values.shape)


def test_products_are_those_of_the_full_matrix(engine):
    blocks = split_sparse(engine, [stored(FULL), stored(OBSERVED * 1.0), None], ROWS, 7)
    right, left = RNG.normal(size=(COLUMNS, 3)), RNG.normal(size=(ROWS, 3))
    assert len(blocks) > 4
    for channel, matrix in enumerate((FULL, OBSERVED * 1.0)):
        own = [block[channel] for block in blocks]
        found = np.concatenate([product(engine, part, engine.place(right)) for part in own])
        np.testing.assert_allclose(found, matrix @ right, rtol=1e-12)
        edges = np.cumsum([0, *(part.shape[0] for part in own)])
        total = sum(
            np.asarray(transposed_product(engine, part, engine.place(left[a:b]), COLUMNS))
            for part, a, b in zip(own, edges, edges[1:], strict=False)
        )
        np.testing.assert_allclose(total, matrix.T @ left, rtol=1e-12, atol=1e-14)
        np.testing.assert_array_equal(np.concatenate([as_dense(part) for part in own]), matrix)
    both = np.concatenate([as_dense(entrywise(block[0], block[1])) for block in blocks])
    np.testing.assert_array_equal(both, FULL * OBSERVED)
    assert all(entrywise(block[2], block[0]) is block[0] for block in blocks)


def test_ones_are_kept_once_for_all_blocks():
    blocks = split_sparse(NUMPY, [stored(OBSERVED * 1.0)], ROWS, 7)
    places = {block[0].data.__array_interface__["data"][0] for block in blocks if block[0].nnz > 2}
    assert len(places) <= 3
    weighted = split_sparse(NUMPY, [stored(OBSERVED * 2.5)], ROWS, 7)
    assert weighted[0][0].data.tolist() == [2.5] * weighted[0][0].nnz


def test_blocks_hold_about_as_many_entries_each():
    counts = np.where(np.arange(400) < 20, 2000, 3)
    columns = np.concatenate([np.arange(count) for count in counts])
    starts = np.concatenate([[0], np.cumsum(counts)])
    matrix = csr_array((np.ones(columns.size), columns, starts), shape=(400, 2000))
    sizes = [block[0].nnz for block in split_sparse(NUMPY, [matrix], 400, 50)]
    assert sum(sizes) == matrix.nnz
    assert max(sizes) < matrix.nnz / 3


def test_compiled_code_takes_fuller_matrices_as_full_ones():
    jax, full = get_engine("jax"), csr_array(np.ones((10, 10)))
    assert suits(NUMPY, [full, None])
    assert not suits(jax, [full, None])
    assert not suits(NUMPY, [np.ones((10, 10))])
    assert suits(jax, [stored(FULL)])
    assert isinstance(split_rows(jax, [full], 10, 10, 5)[0][0], type(jax.place(np.ones(1))))
