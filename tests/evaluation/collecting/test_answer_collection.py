"""Collecting answers on other people's machines."""

import joblib
import numpy as np
import pytest

import itemcurve as ic


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_dask_cluster_gives_what_one_process_gives(moons):
    distributed = pytest.importorskip("dask.distributed", reason="dask is not installed")
    pool = ic.pools.random_pool(8)
    alone = ic.evaluate_classifiers(pool, *moons, response="correct")
    told = []
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster),
        joblib.parallel_config(backend="dask"),
    ):
        evaluation = ic.evaluate_classifiers(
            pool, *moons, response="correct", report=lambda *said: told.append(said)
        )
    assert len(told) == 8
    np.testing.assert_array_equal(evaluation.responses.array(), alone.responses.array())
