"""Data sets as the paper draws them."""

import numpy as np
import pandas as pd
import pytest

from itemcurve_studies.beta3 import data as beta3_data
from itemcurve_studies.beta3.data import draw_clusters, draw_digits, draw_moons


def test_distances_are_those_from_the_boundary():
    clusters, moons = draw_clusters(0), draw_moons(0)
    on_line = np.abs(clusters.X_test.sum(axis=1) - 4) / np.sqrt(2)
    np.testing.assert_allclose(clusters.distance, on_line)
    # The end (1, 0) of the outer moon lies 0.5 above the lowest point of the inner one.
    assert moons.distance.min() == pytest.approx(0.25, abs=0.01)


def test_digits_are_balanced_and_scaled(tmp_path):
    folder = tmp_path / "data" / "core"
    folder.mkdir(parents=True)
    pixels = {f"p{i}": np.arange(60) for i in range(4)}
    table = pd.DataFrame({**pixels, "target": np.tile([3, 5, 7], 20)})
    for name in beta3_data.MNIST_FILES:
        table.to_csv(folder / name, index=False)
    case = draw_digits(tmp_path, 0, (3, 5), (20, 10))
    assert (case.X_train.shape, case.X_test.shape) == ((20, 4), (10, 4))
    assert (case.y_test.mean(), case.y_train.mean()) == (0.5, 0.5)
    assert case.X_test.max() <= 1
