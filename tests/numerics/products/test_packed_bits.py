"""Bits: products are those of the matrix of zeros and ones, on either engine."""

import numpy as np
import pytest

from itemcurve.numerics.engine import get_engine
from itemcurve.numerics.products.packed_bits import PackedBlock, packed

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
