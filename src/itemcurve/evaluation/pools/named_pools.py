"""Pools by name, as the command line and tables take them."""

from itemcurve.errors import EvaluationError
from itemcurve.evaluation.pools.classifier_families import classifier_families
from itemcurve.evaluation.pools.pool import Pool, Task
from itemcurve.evaluation.pools.random_pools import random_pool
from itemcurve.evaluation.pools.standard_pools import standard_classifiers, standard_regressors


def choose_pool(pool: str | Pool, task: Task, seed: int) -> Pool:
    """Give a pool by name: `"standard"`, `"families"` or `"random:N"`; a pool as it is.

    Examples
    --------
    >>> choose_pool("random:3", "classification", seed=0).names
    ('Random forest 0', 'Gradient boosting 0', 'Bagging 0')
    """
    if not isinstance(pool, str):
        return pool
    kind, _, count = pool.partition(":")
    if kind == "standard" and not count:
        return standard_classifiers(seed) if task == "classification" else standard_regressors(seed)
    if kind == "families" and not count and task == "classification":
        return classifier_families(seed)
    if kind == "random" and task == "classification" and (count or "200").isdigit():
        return random_pool(int(count or 200), seed)
    raise EvaluationError(
        "The pool must be 'standard', 'families', or 'random:N' for N random classifiers;",
        f"given is {pool!r} for {task}.",
        "Use 'standard' if unsure; regressors have no other.",
    )
