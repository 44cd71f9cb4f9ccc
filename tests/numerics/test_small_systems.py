"""Closed forms against LAPACK."""

import numpy as np
import pytest

from itemcurve.numerics.small_systems import invert_small, solve_small


@pytest.mark.parametrize("size", [1, 2, 3])
def test_small_systems_are_solved(size):
    rng = np.random.default_rng(size)
    roots = rng.normal(size=(50, size, size))
    matrices = roots @ roots.transpose(0, 2, 1) + 0.1 * np.eye(size)
    right = rng.normal(size=(50, size))
    expected = np.linalg.solve(matrices, right[:, :, None])[:, :, 0]
    np.testing.assert_allclose(solve_small(matrices, right), expected, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_small_matrices_are_inverted(size):
    roots = np.random.default_rng(size).normal(size=(50, size, size))
    matrices = roots @ roots.transpose(0, 2, 1) + 0.1 * np.eye(size)
    np.testing.assert_allclose(invert_small(matrices), np.linalg.inv(matrices), rtol=1e-8)
