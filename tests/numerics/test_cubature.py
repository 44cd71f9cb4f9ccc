"""Moments of normal variables by cubature."""

from itertools import product

import numpy as np
import pytest

from itemcurve.numerics.cubature import normal_cubature

MOMENTS = {0: 1.0, 1: 0.0, 2: 1.0, 3: 0.0, 4: 3.0, 5: 0.0}


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 7])
def test_all_moments_to_degree_five_are_exact(size):
    points, weights = normal_cubature(size)
    for powers in product(range(6), repeat=size):
        if sum(powers) <= 5:
            expected = np.prod([MOMENTS[p] for p in powers])
            given = weights @ np.prod(points ** np.array(powers), axis=1)
            assert given == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 7])
def test_no_weight_is_negative(size):
    assert (normal_cubature(size)[1] > 0).all()
