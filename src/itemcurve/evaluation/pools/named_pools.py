"""Pools by name, as the command line and tables take them."""

from difflib import get_close_matches

from itemcurve.errors import EvaluationError
from itemcurve.evaluation.pools.classifier_families import classifier_families
from itemcurve.evaluation.pools.code_pools import is_code, load_pool
from itemcurve.evaluation.pools.pool import Pool, Task
from itemcurve.evaluation.pools.random_pools import random_pool
from itemcurve.evaluation.pools.standard_pools import standard_classifiers, standard_regressors


def choose_pool(pool: str | Pool, task: Task, seed: int) -> Pool:
    """Give a pool by name; a pool as it is.

    Parameters
    ----------
    pool : `"standard"`, `"families"`, `"random:N"` for N random classifiers, names of their members
        with semicolons between (`"Random forest; Naive Bayes"`), or estimators in code of one's
        own (`"models.py:pool"`).

    Examples
    --------
    >>> choose_pool("random:3", "classification", seed=0).names
    ('Random forest 0', 'Gradient boosting 0', 'Bagging 0')
    >>> choose_pool("naive bayes; decision tree", "classification", seed=0).names
    ('Naive Bayes', 'Decision tree')
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
    if kind not in ("standard", "families", "random") and is_code(pool):
        return load_pool(pool)
    return _by_member(pool, task, seed)


def _by_member(pool: str, task: Task, seed: int) -> Pool:
    """Give members of the pools above by their names."""
    if task == "classification":
        known = {**dict(classifier_families(seed)), **dict(standard_classifiers(seed))}
    else:
        known = dict(standard_regressors(seed))
    folded = {name.lower(): name for name in known}
    chosen = [part.strip() for part in pool.split(";") if part.strip()]
    strange = [name for name in chosen if name.lower() not in folded]
    if strange or not chosen:
        near = get_close_matches((strange or [""])[0].lower(), folded, 1)
        meant = f" Did you mean {folded[near[0]]!r}?" if near else ""
        raise EvaluationError(
            "The pool must be 'standard', 'families', or 'random:N' for N random classifiers, "
            "names of their members, or code as models.py:pool;",
            f"given is {pool!r} for {task}.",
            f"Use 'standard' if unsure.{meant} Members are {', '.join(known)}.",
        )
    names = tuple(folded[name.lower()] for name in chosen)
    return Pool(names, tuple(known[name] for name in names))
