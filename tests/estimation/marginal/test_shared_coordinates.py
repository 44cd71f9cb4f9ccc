"""Coordinates that are the same for all entities."""

import numpy as np

from itemcurve.estimation.marginal.shared_coordinates import SharedCoordinates, joint_direction
from itemcurve.numerics.engine import NUMPY


def spread(columns, free, n_state):
    """The matrix that copies parameters to all their places."""
    common = SharedCoordinates(columns, free, n_state)
    size = free.size + n_state
    kept = len(common.chosen(np.zeros(size)))
    return common, np.stack([common.copied(row) for row in np.eye(kept)], axis=1)


def test_sums_and_copies_are_products_with_one_matrix():
    rng = np.random.default_rng(0)
    free = np.ones((4, 3), dtype=bool)
    free[2, 1] = False
    common, copying = spread((1, 2), free, 2)
    # Of the second column three are copies of one, of the third all four.
    assert common.n_copies == 2 + 3
    vector, matrix = rng.normal(size=14), rng.normal(size=(14, 14))
    np.testing.assert_allclose(common.added(vector), copying.T @ vector)
    np.testing.assert_allclose(common.added_matrix(matrix), copying.T @ matrix @ copying)
    small = rng.normal(size=(copying.shape[1], copying.shape[1]))
    np.testing.assert_allclose(common.copied_matrix(small), copying @ small @ copying.T)


def test_a_step_of_all_solves_the_one_system_of_all():
    rng = np.random.default_rng(1)
    items, width, columns = 5, 3, (2,)
    roots = rng.normal(size=(items, width, width))
    information = roots @ roots.swapaxes(1, 2) + np.eye(width)
    gradient = rng.normal(size=(items, width))
    _, copying = spread(columns, np.ones((items, width), dtype=bool), 0)
    whole = np.zeros((items * width, items * width))
    for item in range(items):
        rows = slice(item * width, (item + 1) * width)
        whole[rows, rows] = information[item]
    step = np.linalg.solve(copying.T @ whole @ copying, copying.T @ gradient.ravel())
    found = joint_direction(NUMPY, gradient, information, columns)
    np.testing.assert_allclose(found, (copying @ step).reshape(items, width), atol=1e-6)
