"""Randomness of estimators, settled before they are trained."""

from typing import Any

from itemcurve.evaluation.collecting.estimator_training import fresh_copy
from itemcurve.evaluation.pools.pool import Pool


def settle_seeds(pool: Pool, seed: int | None) -> Pool:
    """Give every estimator that would draw at random this seed, also inside of pipelines.

    A `random_state` that is set already stays. None leaves all as they are; then two runs differ.
    """
    if seed is None:
        return pool
    members = tuple(_settled(estimator, seed) for estimator in pool.estimators)
    return Pool(pool.names, members, pool.references)


def _settled(estimator: Any, seed: int) -> Any:
    if not hasattr(estimator, "get_params"):
        return estimator
    open_seeds = {
        name: seed
        for name, value in estimator.get_params(deep=True).items()
        if value is None and name.rpartition("__")[2] == "random_state"
    }
    return fresh_copy(estimator).set_params(**open_seeds) if open_seeds else estimator
