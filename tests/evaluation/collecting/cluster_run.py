"""A program that evaluates on a cluster of its own and writes down what came of it.

A program, because Ray changes joblib for the rest of the process, and because Ctrl-C is for one.

    python cluster_run.py alone|dask|ray CACHE OUT
"""

import contextlib
import os
import sys
from pathlib import Path

import joblib
import numpy as np
from sklearn.datasets import make_classification, make_regression
from sklearn.ensemble import ExtraTreesRegressor, RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from waiting_estimators import TellingLine, WaitingTree

import itemcurve as ic


@contextlib.contextmanager
def on_cluster(backend):
    """Start two workers, and name the backend: nothing else is configured."""
    if backend == "dask":
        from dask.distributed import Client, LocalCluster

        workers = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
        with workers, Client(workers), joblib.parallel_config(backend="dask"):
            yield
    elif backend == "ray":
        import ray
        from ray.util.joblib import register_ray

        register_ray()
        memory = 100 * 2**20
        workers = ray.init(num_cpus=2, include_dashboard=False, object_store_memory=memory)
        with workers, joblib.parallel_config(backend="ray"):
            yield
    else:
        yield


def evaluate(cache):
    """Evaluate classifiers and regressors; forests leave their own n_jobs open."""
    X, y = make_classification(300, 12, random_state=0)
    pool = {f"tree {k}": WaitingTree(depth=k, cache=cache) for k in range(1, 9)}
    pool |= {"forest": RandomForestClassifier(40), "logistic": LogisticRegression()}
    told = []
    classes = ic.evaluate_classifiers(
        pool, X, y, cv=2, response="correct", cache=cache, progress=lambda *said: told.append(said)
    )
    X, y = make_regression(200, 12, noise=20.0, random_state=0)
    line = {"line": TellingLine(), "ridge": Ridge(), "trees": ExtraTreesRegressor(40)}
    numbers = ic.evaluate_regressors(line, X, y, cv=3, cache=cache)
    said = [caution.text for study in (classes, numbers) for caution in study.cautions]
    return {
        "probabilities": classes.predictions.probabilities,
        "abilities": classes.fit.estimates.abilities,
        "difficulties": classes.fit.items.select_dtypes("number").to_numpy(),
        "numbers": numbers.predictions.values,
        "regressors": numbers.fit.estimates.abilities,
        "resumed": classes.settings["resumed"],
        "told": [done for done, _, _ in told],
        "processes": sorted({int(text.rpartition(" ")[2]) for text in said}),
        "own": os.getpid(),
    }


if __name__ == "__main__":
    backend, cache, out = sys.argv[1:]
    with on_cluster(backend):
        np.savez(Path(out), **evaluate(cache))
