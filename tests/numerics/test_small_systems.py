"""Closed forms against LAPACK."""

import numpy as np
import pytest

from itemcurve.numerics.engine import get_engine
from itemcurve.numerics.small_systems import invert_small, solve_small, without_empty_rows


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


@pytest.mark.parametrize("engine", ["numpy", "jax"])
def test_what_is_known_of_nothing_leaves_the_rest_to_be_inverted(engine):
    engine = get_engine(engine)
    matrices = np.array([[[0.0, 0.0], [0.0, 4.0]], [[2.0, 1.0], [1.0, 2.0]], np.zeros((2, 2))])
    found = np.asarray(invert_small(without_empty_rows(engine.place(matrices), engine), engine))
    np.testing.assert_allclose(found[0], np.diag([1.0, 0.25]))
    np.testing.assert_allclose(found[1], np.linalg.inv(matrices[1]), rtol=1e-6)
    np.testing.assert_allclose(found[2], np.eye(2))
