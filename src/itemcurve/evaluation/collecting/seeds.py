"""Randomness of estimators, settled before they are trained."""

from numbers import Integral
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


def draw_anew(estimator: Any, repeat: int) -> Any:
    """Give an estimator that draws otherwise in this repetition: its seeds, so many higher.

    What it draws moves its answers as much as where folds fall.
    """
    if not repeat or not hasattr(estimator, "get_params"):
        return estimator
    seeds = {
        name: value + repeat
        for name, value in estimator.get_params(deep=True).items()
        if name.rpartition("__")[2] == "random_state" and isinstance(value, Integral)
    }
    return fresh_copy(estimator).set_params(**seeds) if seeds else estimator


def _settled(estimator: Any, seed: int) -> Any:
    if not hasattr(estimator, "get_params"):
        return estimator
    open_seeds = {
        name: seed
        for name, value in estimator.get_params(deep=True).items()
        if value is None and name.rpartition("__")[2] == "random_state"
    }
    return fresh_copy(estimator).set_params(**open_seeds) if open_seeds else estimator
