"""Tails of Gamma distributions of large shape against SciPy's."""

import numpy as np
import pytest
from scipy.special import gammainc, gammaincc, log_ndtr

from itemcurve.numerics.engine import NUMPY
from itemcurve.numerics.lower_tails import log_gamma_tail

SHAPES = np.array([51.0, 80.0, 300.0, 1e4, 1e6])
PLACES = np.array([-8.0, -3.0, -1.0, -0.01, 0.0, 0.01, 1.0, 3.0, 9.0, 30.0])


def shapes_and_places():
    shapes = np.repeat(SHAPES, len(PLACES))
    places = shapes + np.tile(PLACES, len(SHAPES)) * np.sqrt(shapes)
    seen = places > 0
    return shapes[seen], places[seen]


def scipy_log(shape, x):
    below, above = gammainc(shape, x), gammaincc(shape, x)
    return np.where(
        below < 0.5, np.log(np.maximum(below, 1e-300)), np.log1p(-np.minimum(above, 0.5))
    )


def test_values_match_scipy():
    shape, x = shapes_and_places()
    ours = log_gamma_tail(NUMPY, shape, x, 0).value
    np.testing.assert_allclose(ours, scipy_log(shape, x), atol=1e-4)


def test_the_largest_shapes_are_normal():
    # Where SciPy's own function is 2 off at -8 standard deviations.
    shape = np.full(len(PLACES), 1e12)
    ours = log_gamma_tail(NUMPY, shape, shape + PLACES * 1e6, 0).value
    np.testing.assert_allclose(ours, log_ndtr(PLACES), atol=1e-3)


def test_derivatives_match_differences():
    shape, x = shapes_and_places()
    given = log_gamma_tail(NUMPY, shape, x, 2)
    step = 0.01 * np.sqrt(shape)
    for index, (first, second) in enumerate(((1, 0), (0, 1))):
        above = log_gamma_tail(NUMPY, shape + first * step, x + second * step, 1)
        below = log_gamma_tail(NUMPY, shape - first * step, x - second * step, 1)
        slope = (above.value - below.value) / (2 * step)
        scale = np.maximum(np.abs(slope), 1 / np.sqrt(shape))
        np.testing.assert_allclose(given.slope[index] / scale, slope / scale, atol=2e-3)
        for other in (0, 1):
            bend = (above.slope[other] - below.slope[other]) / (2 * step) * shape
            found = given.curvature[index + other] * shape
            np.testing.assert_allclose(found, bend, atol=0.01 * np.maximum(abs(bend).max(), 1))


@pytest.mark.parametrize("share", [0.3, 0.49, 0.51])
def test_both_formulas_meet(share):
    shape = np.array([49.99, 50.01, 200.0])
    ours = log_gamma_tail(NUMPY, shape, share * shape, 0).value
    np.testing.assert_allclose(ours, scipy_log(shape, share * shape), atol=2e-4)
