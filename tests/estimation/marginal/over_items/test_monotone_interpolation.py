"""Monotone cubics against known functions and SciPy."""

import numpy as np
import pytest
from scipy.interpolate import PchipInterpolator

from itemcurve.estimation.marginal.over_items.monotone_interpolation import interpolate_rows

POINTS = np.linspace(-1.5, 2.2, 150)
SPACED = np.sinh(np.linspace(-1.8, 1.8, 25))


def test_a_smooth_function_is_met_better_than_by_straight_lines_and_as_by_scipy():
    own = np.array(
        [interpolate_rows(SPACED[None], np.arctan(SPACED)[None], at)[0] for at in POINTS]
    )
    straight = np.interp(POINTS, SPACED, np.arctan(SPACED))
    pchip = PchipInterpolator(SPACED, np.arctan(SPACED))(POINTS)
    errors = [np.abs(found - np.arctan(POINTS)).max() for found in (own, straight, pchip)]
    assert errors[0] < 0.2 * errors[1]
    assert errors[0] < 1.5 * errors[2]


def test_straight_lines_nodes_and_what_lies_beyond_the_ends_are_exact():
    x = np.array([[0.0, 1.0, 3.0, 3.5, 7.0]])
    assert interpolate_rows(x, 2 - 3 * x, 5.2)[0] == pytest.approx(2 - 3 * 5.2)
    assert interpolate_rows(x, x**3, 3.5)[0] == pytest.approx(3.5**3)
    assert interpolate_rows(x, x**3, -1.0)[0] == 0.0
    assert interpolate_rows(x, x**3, 9.0)[0] == 7.0**3


def test_steps_and_ties_are_never_overshot():
    rng = np.random.default_rng(3)
    x = np.sort(rng.integers(0, 6, size=(200, 9)).astype(float), axis=1)
    y = np.sort(rng.exponential(size=(200, 9)) ** 4, axis=1)
    for at in (0.5, 2.0, 3.7):
        found = interpolate_rows(x, y, at)
        first = np.clip((x <= at).sum(axis=1) - 1, 0, 7)
        rows = np.arange(200)
        assert np.isfinite(found).all()
        assert (found >= y[rows, first] - 1e-12).all()
        assert (found <= y[rows, first + 1] + 1e-12).all()
