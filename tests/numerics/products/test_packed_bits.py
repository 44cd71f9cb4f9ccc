"""Bits: products are those of the matrix of zeros and ones, on either engine."""

import numpy as np
import pytest

from itemcurve.numerics.engine import get_engine
from itemcurve.numerics.products import packed_bits
from itemcurve.numerics.products.packed_bits import PackedBlock, packed
from itemcurve.numerics.row_blocks import there_and_back

RNG = np.random.default_rng(1)


@pytest.mark.parametrize("engine", ["numpy", "jax"])
@pytest.mark.parametrize(
    ("shape", "width"), [((7, 5), 2), ((1100, 1030), 2), ((90, 20_000), 1), ((600, 520), 9)]
)
def test_products_are_those_of_the_numbers(engine, shape, width):
    values = RNG.integers(0, 2, shape)
    right, left = RNG.normal(size=(shape[1], width)), RNG.normal(size=(shape[0], width))
    machine = get_engine(engine)
    with machine.double_precision():
        block = PackedBlock(*map(machine.place, packed(values)))
        # Long sums of few columns are multiplied in 32 bits.
        digits = 1e-4 if engine == "numpy" and shape[1] > 2000 else 1e-11
        np.testing.assert_allclose(block.times(machine, right), values @ right, atol=digits)
        found = block.transposed_times(machine, left)
        np.testing.assert_allclose(found, values.T @ left, atol=digits)
    np.testing.assert_array_equal(block.toarray(), values)
    np.testing.assert_array_equal(block.rows(2, 6).toarray(), values[2:6])


@pytest.mark.parametrize("engine", ["numpy", "jax"])
@pytest.mark.parametrize("shape", [(7, 5), (1100, 1030), (90, 20_000), (40, 300_000)])
def test_there_and_back_are_two_products(engine, shape, monkeypatch):
    monkeypatch.setattr(packed_bits, "_TILE_OF_ROWS", 2**12)
    values, right = RNG.integers(0, 2, shape), RNG.normal(size=shape[1]) / np.sqrt(shape[1])
    machine = get_engine(engine)

    def answer(sums):
        return machine.xp.tanh(sums), 2 * sums

    with machine.double_precision():
        block = PackedBlock(*map(machine.place, packed(values)))
        found, (own, more) = there_and_back(machine, block, machine.place(right), answer)
    digits = 1e-4 if engine == "numpy" and shape[1] > 2000 else 1e-11
    sums = values @ right
    np.testing.assert_allclose(own, np.tanh(sums), atol=digits)
    np.testing.assert_allclose(more, 2 * sums, atol=digits)
    np.testing.assert_allclose(found, values.T @ np.tanh(sums), atol=10 * digits)
