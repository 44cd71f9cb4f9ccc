"""Cohen's κ between two sets of predictions, with bootstrap intervals."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from itemcurve.errors import EvaluationError


def cohen_kappa(first: ArrayLike, second: ArrayLike) -> float:
    """Give Cohen's κ: agreement beyond what the two distributions of classes give by chance.

    κ = 1 − (1 − p_0) / (1 − p_e). Where both name one and the same class throughout, p_e is 1 and
    the quotient 0/0: they agree in every instance, so κ is 1. Where only one of them is constant, κ
    is 0. Of no instances at all it is NaN.

    Parameters
    ----------
    first, second : labels of the same instances.

    Examples
    --------
    >>> cohen_kappa(["a", "a", "b", "b"], ["a", "b", "b", "b"])
    0.5
    """
    return float(kappa_of_tables(cross_table(first, second)))


def cross_table(first: ArrayLike, second: ArrayLike) -> NDArray[np.float64]:
    """Count how often each class of the first meets each of the second (classes × classes)."""
    one, two = np.asarray(first), np.asarray(second)
    if one.ndim != 1 or one.shape != two.shape:
        raise EvaluationError(
            "κ compares two lists of labels of the same instances;",
            f"given are shapes {one.shape} and {two.shape}.",
            "Give one label per instance in both.",
        )
    classes, codes = np.unique(np.concatenate([one, two]), return_inverse=True)
    count = len(classes)
    pairs = codes[: len(one)] * count + codes[len(one) :]
    return np.bincount(pairs, minlength=count * count).reshape(count, count).astype(np.float64)


def kappa_of_tables(tables: NDArray[Any]) -> NDArray[np.float64]:
    """Give κ of cross tables (… × classes × classes); the rules are those of `cohen_kappa`."""
    counts = np.asarray(tables, dtype=np.float64)
    total = counts.sum(axis=(-2, -1))
    agreed = np.trace(counts, axis1=-2, axis2=-1)
    by_chance = (counts.sum(axis=-1) * counts.sum(axis=-2)).sum(axis=-1)
    # In counts rather than shares: whole numbers, so that total agreement is exactly 1.
    missed, expected = (total - agreed) * total, total**2 - by_chance
    with np.errstate(invalid="ignore", divide="ignore"):
        found = 1.0 - missed / expected
    found = np.where(agreed == total, 1.0, found)
    return np.asarray(np.where(total > 0, found, np.nan))


def kappa_interval(
    table: NDArray[np.float64],
    rng: np.random.Generator,
    *,
    level: float = 0.9,
    resamples: int = 200,
) -> tuple[float, float]:
    """Give a bootstrap interval of κ: instances are drawn anew, percentiles of the κ found.

    It tells what another draw of instances would give, with the same trained model and the same
    noise in each instance.

    Parameters
    ----------
    table : from `cross_table`.
    level : share of the resamples inside.
    """
    total = int(table.sum())
    if not total:
        return np.nan, np.nan
    count = table.shape[0]
    seen = np.flatnonzero(table)
    # Drawing instances with replacement is drawing the counts of the cells they lie in.
    drawn = rng.multinomial(total, table.ravel()[seen] / total, size=resamples)
    tables = np.zeros((resamples, count * count))
    tables[:, seen] = drawn
    found = kappa_of_tables(tables.reshape(resamples, count, count))
    lower, upper = np.quantile(found, [(1 - level) / 2, (1 + level) / 2])
    return float(lower), float(upper)
