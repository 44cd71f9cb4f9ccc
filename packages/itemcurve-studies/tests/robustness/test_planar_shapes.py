"""Moons, circles and a line."""

import numpy as np
import pytest

from itemcurve_studies.robustness.planar_shapes import build_shapes, distance_to_other_class


def test_distances_to_the_other_class_are_those_by_hand():
    X = np.array([[0.0], [1.0], [4.0], [6.0], [7.0], [9.0]])
    found = distance_to_other_class(np.vstack([X, X + 100]), np.repeat([0, 1], 6))
    assert found[0] == pytest.approx(np.mean([100, 101, 104, 106, 107]))
    assert set(build_shapes(20)) == {"moons", "circles", "linear"}
