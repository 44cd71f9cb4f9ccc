"""LD-X² of Chen and Thissen (1997): the table of two items' answers against the model's.

X² = Σ (O − E)² / E over the cells of a pair's table, E = n ∫ P P' φ dθ with n those who answered
both. Cramér's V is its root beside the largest it could be, here with the sign of the dependence:
above 0 where the two go together more than ability makes them.
"""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from itemcurve.analysis.model_fit.item_margins import ItemMargins, margins_of, observed_grades
from itemcurve.estimation.result import FitResult
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes

PerPair = Annotated[Array, axes("pairs")]


@dataclass(frozen=True, eq=False)
class PairTables:
    """LD-X² of pairs of items.

    Attributes
    ----------
    statistic, degrees_of_freedom, p_value : of each pair.
    cramers_v : size of the dependence with its sign.
    """

    statistic: PerPair
    degrees_of_freedom: PerPair
    p_value: PerPair
    cramers_v: PerPair


def pair_tables(fit: FitResult, first: Array, second: Array) -> PairTables:
    """Test pairs of items, given by their columns."""
    from scipy.stats import chi2

    columns, places = np.unique(np.concatenate([first, second]), return_inverse=True)
    bank = fit.bank.take(columns)
    own = margins_of(bank)
    grades = observed_grades(fit, bank, columns.tolist())
    chances = [_all_chances(own, item) for item in range(len(columns))]
    found = [
        _tested(own, grades[:, [one, other]], chances[one], chances[other])
        for one, other in zip(places[: len(first)], places[len(first) :], strict=True)
    ]
    statistic, degrees, v = (
        np.array(column) for column in (zip(*found, strict=True) if found else ((), (), ()))
    )
    return PairTables(statistic, degrees.astype(int), np.asarray(chi2.sf(statistic, degrees)), v)


def _all_chances(own: ItemMargins, item: int) -> Annotated[Array, axes("categories nodes")]:
    chances = own.chances[own.owner == item]
    return np.concatenate([1.0 - chances.sum(axis=0, keepdims=True), chances])


def _tested(own: ItemMargins, grades: Array, one: Array, other: Array) -> tuple[float, int, float]:
    both = grades[np.isfinite(grades).all(axis=1)].astype(int)
    seen = np.zeros((len(one), len(other)))
    np.add.at(seen, (both[:, 0], both[:, 1]), 1.0)
    degrees = (len(one) - 1) * (len(other) - 1)
    if not len(both):
        return np.nan, degrees, np.nan
    expected = len(both) * (one * own.weights) @ other.T
    statistic = float(((seen - expected) ** 2 / np.maximum(expected, 1e-12)).sum())
    size = np.sqrt(statistic / len(both) / (min(seen.shape) - 1))
    return statistic, degrees, float(np.copysign(size, _excess(seen, expected)))


def _excess(seen: Array, expected: Array) -> float:
    """By how much scores go together beyond what is expected."""
    return _correlation(seen) - _correlation(expected)


def _correlation(table: Array) -> float:
    share = table / table.sum()
    rows, columns = np.arange(len(share)), np.arange(share.shape[1])
    left, right = share.sum(axis=1), share.sum(axis=0)
    mean, other = float(left @ rows), float(right @ columns)
    spread = float(left @ rows**2 - mean**2) * float(right @ columns**2 - other**2)
    product = float(rows @ share @ columns) - mean * other
    return product / np.sqrt(spread) if spread > 0 else 0.0
