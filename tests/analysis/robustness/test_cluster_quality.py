"""How well clusters are apart."""

import numpy as np
import pytest
from sklearn.metrics import silhouette_samples

from itemcurve.analysis.robustness import cluster_quality as quality


def test_silhouettes_equal_the_value_by_hand_and_scikit_learn():
    # First point: a = 1, b = mean(10, 11) = 10.5, width 9.5/10.5.
    points = np.array([0.0, 1.0, 10.0, 11.0])
    distances = np.abs(points[:, None] - points)
    widths = quality.silhouette_widths(distances, np.array([0, 0, 1, 1]))
    assert widths[0] == pytest.approx(9.5 / 10.5)
    rng = np.random.default_rng(0)
    points = rng.normal(size=(20, 3))
    distances = np.linalg.norm(points[:, None] - points, axis=2)
    groups = np.r_[rng.integers(4, size=19), 4]
    expected = silhouette_samples(distances, groups, metric="precomputed")
    np.testing.assert_allclose(quality.silhouette_widths(distances, groups), expected, atol=1e-12)
