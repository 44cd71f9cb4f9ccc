"""Products with bytes and truth values against those with 64-bit floats."""

import numpy as np
import pytest

from itemcurve.numerics.devices import narrow_products
from itemcurve.numerics.engine import NUMPY

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("shape", [(7, 5), (300, 4000), (1, 600_000)])
@pytest.mark.parametrize("columns", [1, 2, 5])
@pytest.mark.parametrize("dtype", [np.int8, np.bool_])
def test_products_are_those_of_floats(shape, columns, dtype):
    matrix = RNG.integers(0, 2 if dtype == np.bool_ else 128, shape).astype(dtype)
    right, left = RNG.normal(size=(shape[1], columns)), RNG.normal(size=(shape[0], columns))
    floats = matrix.astype(float)
    np.testing.assert_allclose(NUMPY.product(matrix, right), floats @ right, atol=1e-8)
    found = NUMPY.transposed_product(matrix, left)
    np.testing.assert_allclose(found, floats.T @ left, atol=1e-8)


def test_few_rows_are_floats_at_one_time():
    assert narrow_products.rows_at_once(np.zeros((10_000, 10_000), dtype=np.int8)) == 13
    assert narrow_products.rows_at_once(np.zeros((3, 10), dtype=np.int8)) == 3
