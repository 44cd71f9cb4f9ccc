"""The respondents that difficulty comes from in the study on robustness."""

import math
from typing import Any

from itemcurve.evaluation.pools.pool import Pool
from itemcurve.evaluation.pools.random_pools import random_pool

_BOOSTING, _LINEAR = "Gradient boosting", "Linear support vectors"


def calibration_pool(seeds: int, attributes: int, *, is_quick: bool = False) -> Pool:
    """Give a random pool whose slowest members are replaced by quicker ones of the same kind.

    Gradient boosting works on histograms: rounds, depth and the share of attributes tried per
    split are those drawn, leaves hold 5 instances. It is several times faster where rows,
    attributes and classes are many; quick pools leave it out. Linear support vectors make a tenth
    of the passes drawn (80 to 100), because on wide tables none of them converges in 1,000.

    Parameters
    ----------
    seeds : classifiers of each of ten algorithms.
    attributes : of the data set.
    """
    drawn = random_pool(10 * seeds)
    kept = [(name, member) for name, member in drawn if not (is_quick and _boosts(name))]
    return Pool(
        tuple(name for name, _ in kept),
        tuple(_hasten(name, member, attributes) for name, member in kept),
    )


def find_twins(pool: Pool) -> dict[str, str]:
    """Give for each classifier the first one of the pool that has its settings, often itself.

    A seed is a setting only where something is drawn: of 20 support vector machines at most five
    differ, and of 20 linear discriminants three. What one of them answers all its twins answer.
    """
    first: dict[str, str] = {}
    return {name: first.setdefault(_list_settings(member), name) for name, member in pool}


def _list_settings(member: Any) -> str:
    from sklearn.svm import SVC

    if not hasattr(member, "get_params"):
        return str(id(member))
    settings = member.get_params(deep=False)
    if isinstance(member, SVC):
        # It draws only for probabilities, and a linear kernel has no width.
        unused = {"random_state", "gamma"} if member.kernel == "linear" else {"random_state"}
        settings = {name: value for name, value in settings.items() if name not in unused}
    return f"{type(member).__name__} {sorted(settings.items())}"


def _hasten(name: str, drawn: Any, attributes: int) -> Any:
    if _boosts(name):
        return _with_histograms(drawn, attributes)
    if name.startswith(_LINEAR):
        drawn.set_params(max_iter=drawn.max_iter // 10)
    return drawn


def _boosts(name: str) -> bool:
    return name.startswith(_BOOSTING)


def _with_histograms(drawn: Any, attributes: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    tried = {"sqrt": math.sqrt(attributes), "log2": math.log2(max(attributes, 2))}
    return HistGradientBoostingClassifier(
        max_iter=drawn.n_estimators,
        max_depth=drawn.max_depth,
        max_features=min(1.0, max(tried.get(drawn.max_features, attributes), 1) / attributes),
        min_samples_leaf=5,
        early_stopping=False,
        random_state=drawn.random_state,
    )
