"""Correlation matrices by unbounded numbers."""

import numpy as np

from itemcurve.estimation.dimensions.correlations.correlation_angles import (
    angles_of,
    correlation_at,
    correlation_slopes,
    pulled_back,
)

ANGLES = np.array([0.5, -1.2, 0.3])


def test_any_numbers_give_a_correlation_matrix_and_are_found_again():
    matrix = correlation_at(ANGLES, 3)
    assert np.allclose(np.diag(matrix), 1.0)
    assert np.linalg.eigvalsh(matrix).min() > 0
    assert np.allclose(angles_of(matrix), ANGLES)


def test_slopes_are_those_of_differences():
    step = 1e-6
    for place, slope in enumerate(correlation_slopes(ANGLES, 3)):
        move = step * np.eye(3)[place]
        found = (correlation_at(ANGLES + move, 3) - correlation_at(ANGLES - move, 3)) / (2 * step)
        assert np.allclose(slope, found, atol=1e-9)


def test_a_gradient_is_pulled_back():
    weights = np.arange(9.0).reshape(3, 3)
    found = pulled_back(ANGLES, weights)
    step = 1e-6
    for place in range(3):
        move = step * np.eye(3)[place]
        gap = correlation_at(ANGLES + move, 3) - correlation_at(ANGLES - move, 3)
        assert np.isclose(found[place], (gap * weights).sum() / (2 * step), atol=1e-7)
