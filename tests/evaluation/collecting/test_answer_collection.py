"""Collecting answers on other people's machines."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import joblib
import numpy as np
import pytest
from tests.evaluation.collecting.waiting_estimators import kept_answers

import itemcurve as ic

HERE = Path(__file__).parent


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
            pool, *moons, response="correct", progress=lambda *said: told.append(said)
        )
    assert len(told) == 8
    np.testing.assert_array_equal(evaluation.responses.array(), alone.responses.array())


def start(backend: str, cache: Path, out: Path) -> subprocess.Popen:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), *sys.path])}
    # Workers have one thread for products of matrices; so must whoever is compared with them.
    environment |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    line = [sys.executable, HERE / "cluster_run.py", backend, cache, out]
    return subprocess.Popen([str(word) for word in line], env=environment)


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    folder = tmp_path_factory.mktemp("alone")
    assert start("alone", folder / "cache", folder / "out.npz").wait() == 0
    with np.load(folder / "out.npz") as found:
        return dict(found)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is a POSIX signal here")
@pytest.mark.parametrize("backend", ["dask", "ray"])
def test_a_cluster_interrupted_and_resumed_gives_what_one_process_gives_to_the_last_bit(
    backend, alone, tmp_path
):
    module = "dask.distributed" if backend == "dask" else "ray"
    pytest.importorskip(module, reason=f"{backend} is not installed")
    cache, out = tmp_path / "cache", tmp_path / "out.npz"
    gate = Path(f"{cache}.closed")
    gate.touch()
    with start(backend, cache, out) as running:
        try:
            deadline = time.monotonic() + 300
            # Workers keep each answer as soon as it is there.
            while len(kept_answers(cache)) < 4:
                assert time.monotonic() < deadline
                assert running.poll() is None
                time.sleep(0.05)
            running.send_signal(signal.SIGINT)
            assert running.wait(timeout=120) != 0
        finally:
            running.kill()
    gate.unlink()
    assert not out.exists()
    kept = len(kept_answers(cache))
    assert start(backend, cache, out).wait() == 0
    with np.load(out) as found:
        assert 4 <= found["resumed"] <= kept
        assert found["told"].tolist() == list(range(1, 21))
        for name in ("probabilities", "abilities", "difficulties", "numbers", "regressors"):
            np.testing.assert_array_equal(found[name], alone[name])
        # Several processes, none of them the caller, were at work; alone, it was the caller.
        assert len(found["processes"]) >= 2
        assert found["own"] not in found["processes"]
    assert alone["processes"].tolist() == [alone["own"]]
