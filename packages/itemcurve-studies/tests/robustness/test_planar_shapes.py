"""Moons, circles and a line."""

import joblib
import numpy as np
import pandas as pd
import pytest

from itemcurve.evaluation.pools.random_pools import random_pool
from itemcurve_studies.robustness.planar_curves import map_regions
from itemcurve_studies.robustness.planar_shapes import (
    build_shapes,
    distance_to_other_class,
    measure_shapes,
)


def test_distances_to_the_other_class_are_those_by_hand():
    X = np.array([[0.0], [1.0], [4.0], [6.0], [7.0], [9.0]])
    found = distance_to_other_class(np.vstack([X, X + 100]), np.repeat([0, 1], 6))
    assert found[0] == pytest.approx(np.mean([100, 101, 104, 106, 107]))
    assert set(build_shapes(20)) == {"moons", "circles", "linear"}


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_cluster_gives_the_table_that_one_process_gives(tmp_path):
    distributed = pytest.importorskip("dask.distributed", reason="dask is not installed")
    pool = random_pool(6, seed=1)
    with joblib.parallel_config("sequential"):
        alone = measure_shapes(pool, tmp_path / "alone", 60)
    workers = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with workers, distributed.Client(workers), joblib.parallel_config(backend="dask"):
        spread = measure_shapes(pool, tmp_path / "spread", 60)
    pd.testing.assert_frame_equal(spread, alone, check_exact=True)
    assert len(list((tmp_path / "spread").glob("*.npz"))) > 0


def test_the_map_says_what_families_name_around_the_data():
    X, y = build_shapes(60)["moons"]
    found = map_regions(random_pool(7), X, y)
    assert found.is_second.shape == (7, len(found.y), len(found.x))
    assert found.x[0] < X[:, 0].min()
    assert found.y[-1] > X[:, 1].max()
    assert 0.2 < found.is_second.mean() < 0.8
