"""Products of bytes in compiled code: by rows as on a processor, by limbs as on an accelerator."""

import numpy as np
import pytest

from itemcurve.numerics.engine import get_engine

pytest.importorskip("jax")
from itemcurve.numerics.devices import jax_products

ENGINE = get_engine("jax")
RNG = np.random.default_rng(0)


@pytest.mark.parametrize("shape", [(7, 5), (301, 4000)])
@pytest.mark.parametrize("columns", [1, 2, 9])
def test_products_by_rows_are_those_of_floats(shape, columns):
    matrix = RNG.integers(0, 2, shape).astype(np.int8)
    right, left = RNG.normal(size=(shape[1], columns)), RNG.normal(size=(shape[0], columns))
    with ENGINE.double_precision():
        found = ENGINE.compile(type(ENGINE).product, static=("self",))(ENGINE, matrix, right)
        other = ENGINE.compile(type(ENGINE).transposed_product, static=("self",))(
            ENGINE, matrix, left
        )
    np.testing.assert_allclose(found, matrix.astype(float) @ right, atol=1e-10)
    np.testing.assert_allclose(other, matrix.T.astype(float) @ left, atol=1e-10)


@pytest.mark.parametrize("dtype", [np.int8, np.bool_])
@pytest.mark.parametrize("contracted", [0, 1])
def test_limbs_carry_ten_digits_of_columns_of_any_size(dtype, contracted):
    matrix = RNG.integers(0, 2 if dtype == np.bool_ else 128, (3000, 2000)).astype(dtype)
    scales = np.array([1e-6, 1.0, 300.0, 1e8, 0.0, 1.0])
    right = RNG.normal(size=(matrix.shape[contracted], 6)) * scales
    with ENGINE.double_precision():
        run = ENGINE.compile(jax_products.by_limbs, static=("contracted",))
        found = np.asarray(run(matrix, right, contracted=contracted))
    floats = matrix.astype(float)
    exact = (floats if contracted else floats.T) @ right
    # Relative to what a sum of so many terms can be.
    size = floats.max() * np.abs(right).sum(axis=0)
    assert (np.abs(found - exact).max(axis=0) <= 1e-12 * size + 1e-300).all()


@pytest.mark.parametrize("length", [70_000, 2 * 35_023])
def test_long_sums_are_put_together_from_exact_pieces(length):
    matrix, right = np.full((2, length), 127, dtype=np.int8), RNG.normal(size=(length, 5))
    with ENGINE.double_precision():
        found = np.asarray(jax_products.by_limbs(matrix, ENGINE.place(right), contracted=1))
    np.testing.assert_allclose(found, matrix.astype(float) @ right, atol=1e-6)


def test_pieces_leave_no_rest_and_are_aligned_where_that_is_possible():
    assert [jax_products._piece(terms) for terms in (1_000_000, 5, 35_023, 3 * 5003)] == [
        10_000,
        5,
        35_023,
        15_009,
    ]


def test_multiplied_while_reading_as_accelerators_do(monkeypatch):
    matrix, right = RNG.integers(0, 2, (40, 30)).astype(np.int8), RNG.normal(size=(30, 2))
    monkeypatch.setattr(jax_products.jax, "default_backend", lambda: "gpu")
    with ENGINE.double_precision():
        found = jax_products.product(ENGINE.place(matrix), ENGINE.place(right))
        other = jax_products.transposed_product(ENGINE.place(matrix), found)
        wide = jax_products.product(ENGINE.place(matrix), ENGINE.place(np.tile(right, (1, 4))))
    np.testing.assert_allclose(found, matrix @ right, atol=1e-12)
    np.testing.assert_allclose(other, matrix.T @ (matrix @ right), atol=1e-11)
    np.testing.assert_allclose(wide, matrix @ np.tile(right, (1, 4)), atol=1e-11)
