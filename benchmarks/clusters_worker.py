"""Time trainings on one kind of workers, in a process of its own: Ray changes joblib for good.

python clusters_worker.py BACKEND SMALL
"""

import contextlib
import json
import sys
from collections.abc import Iterator
from time import perf_counter
from typing import Any

import joblib
import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB

from itemcurve.evaluation.collecting.answer_collection import collect
from itemcurve.evaluation.collecting.splits import hold_out
from itemcurve.evaluation.collecting.targets import find_classes
from itemcurve.evaluation.pools.pool import Pool


@contextlib.contextmanager
def started(backend: str) -> Iterator[None]:
    """Start two workers of this kind."""
    if backend == "dask":
        from dask.distributed import Client, LocalCluster

        workers = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
        with workers, Client(workers), joblib.parallel_config(backend="dask"):
            yield
    elif backend == "ray":
        import ray
        from ray.util.joblib import register_ray

        register_ray()
        workers = ray.init(
            num_cpus=2,
            include_dashboard=False,
            log_to_driver=False,
            object_store_memory=500 * 2**20,
        )
        with workers, joblib.parallel_config(backend="ray"):
            yield
    elif backend == "processes":
        with joblib.parallel_config(n_jobs=2):
            yield
    else:
        yield


def train(kind: Any, count: int, rows: int, columns: int) -> tuple[float, str]:
    """Train `count` estimators on one table; give the best seconds of three and what came out."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(rows, columns)), rng.integers(0, 2, rows)
    X[:, 0] += y
    split = hold_out(X, y, X[:100], y[:100])
    pool = Pool(tuple(map(str, range(count))), tuple(kind(k) for k in range(count)))
    times = []
    for _ in range(3):
        begun = perf_counter()
        found = collect(pool, split, find_classes(y))
        times.append(perf_counter() - begun)
    return min(times), joblib.hash(found.values)


def main(backend: str, is_small: bool) -> None:
    """Print one JSON object."""
    scale = 10 if is_small else 1
    begun = perf_counter()
    with started(backend):
        collect_nothing = train(lambda k: GaussianNB(var_smoothing=1e-9), 2, 50, 2)
        found: dict[str, Any] = {"start": perf_counter() - begun, "check": [collect_nothing[1]]}
        for name, kind, count, rows, columns in (
            ("tiny", lambda k: GaussianNB(var_smoothing=1e-9 * (1 + k)), 400 // scale, 200, 20),
            ("large", lambda k: DummyClassifier(random_state=k), 40 // scale, 200_000 // scale, 25),
            ("forests", lambda k: RandomForestClassifier(5, random_state=k), 40 // scale, 300, 20),
        ):
            seconds, check = train(kind, count, rows, columns)
            found[name] = seconds
            found[f"{name}_each"] = 1e3 * seconds / count
            found["check"].append(check)
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] == "small")
