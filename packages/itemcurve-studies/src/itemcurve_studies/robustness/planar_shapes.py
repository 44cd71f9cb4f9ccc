"""Moons, circles and a line: do the hardest instances lie where the classes meet?"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.evaluation.difficulty.instance_difficulty import estimate_difficulty
from itemcurve.evaluation.pools.pool import Pool

if TYPE_CHECKING:
    import pandas

_NEAREST = 5


def measure_shapes(pool: Pool, cache: Path, rows: int) -> "pandas.DataFrame":
    """Give one row per shape and model of difficulty (appendix A of Fabra-Boluda et al.).

    `hardest` and `easiest` are mean distances of the deciles to the 5 nearest instances of the
    other class, which stand for the distance to the boundary; `constant` is the share of instances
    that 99 % of the answers agree on.

    Parameters
    ----------
    rows : instances of each shape.
    """
    import pandas

    found = []
    for name, (X, y) in build_shapes(rows).items():
        gap = distance_to_other_class(X, y)
        for model in ("1pl", "beta3"):
            difficulty = estimate_difficulty(
                X, y, pool, model=model, cache=cache, n_jobs=-1, on_failure="ignore"
            )
            order = np.argsort(difficulty.values)
            tenth = rows // 10
            summary = difficulty.summary()
            found.append(
                {
                    "shape": name,
                    "model": model,
                    "hardest": float(gap[order[-tenth:]].mean()),
                    "easiest": float(gap[order[:tenth]].mean()),
                    "constant": float(_constant_share(difficulty.fit.responses.means(axis=0))),
                    "skewness": summary["skewness"],
                    "excess_kurtosis": summary["excess_kurtosis"],
                }
            )
    return pandas.DataFrame(found)


def _constant_share(means: Any) -> Any:
    """Share of instances that nearly all classifiers answer right, or nearly all wrong."""
    return ((means > 0.99) | (means < 0.01)).mean()


def build_shapes(rows: int) -> dict[str, tuple[NDArray[Any], NDArray[Any]]]:
    """Give the three shapes, with as much noise as makes the classes touch."""
    from sklearn import datasets

    return {
        "moons": datasets.make_moons(rows, noise=0.2, random_state=1),
        "circles": datasets.make_circles(rows, noise=0.1, factor=0.5, random_state=1),
        "linear": datasets.make_classification(
            rows, 2, n_informative=2, n_redundant=0, n_clusters_per_class=1, random_state=1
        ),
    }


def distance_to_other_class(X: NDArray[Any], y: NDArray[Any]) -> NDArray[np.float64]:
    """Give the mean distance of each instance to the nearest 5 of the other class."""
    distances = np.linalg.norm(X[:, np.newaxis] - X, axis=2)
    other = np.where(y[:, np.newaxis] != y, distances, np.inf)
    return np.asarray(np.sort(other, axis=1)[:, :_NEAREST].mean(axis=1))
