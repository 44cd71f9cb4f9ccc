"""Items of a benchmark counted: those that tell nothing, and the groups they belong to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ResponsesError

Floats = NDArray[np.float64]

# From this mean an item tells hardly anybody apart.
SATURATED = 0.95
# Groups with fewer items borrow from all others that are as small.
_LEAST_ITEMS = 30
_BEST = 5


@dataclass(frozen=True, eq=False)
class ItemCounts:
    """Items that tell nothing or little; arrays in the order of the items.

    Attributes
    ----------
    means, best_means : mean response of all, and of the five best respondents.
    all_right, all_wrong : items that everybody, or nobody, has right.
    saturated : items with a mean of 0.95 at least that somebody fails.
    by_chance : how many of each there are when every respondent's answers are dealt to items anew,
        as if all items were equally hard.
    """

    means: Floats
    best_means: Floats
    all_right: NDArray[np.bool_]
    all_wrong: NDArray[np.bool_]
    saturated: NDArray[np.bool_]
    by_chance: dict[str, float]


def count_items(values: Floats, permutations: int, seed: int) -> ItemCounts:
    """Count items that tell nothing.

    Parameters
    ----------
    values : responses from 0 to 1 (respondents × items), NaN where not observed.
    """
    means = _means(values)
    order = np.argsort(-np.nan_to_num(_means(values.T), nan=-1.0), kind="stable")
    random = np.random.default_rng([seed, 3])
    drawn = [_classify(_means(_deal(values, random))) for _ in range(permutations)]
    names = ("all_right", "all_wrong", "saturated")
    by_chance = {
        name: float(np.mean([parts[place].sum() for parts in drawn])) if drawn else np.nan
        for place, name in enumerate(names)
    }
    return ItemCounts(means, _means(values[order[:_BEST]]), *_classify(means), by_chance)


def item_rest(values: Floats) -> Floats:
    """Correlation of each item with the mean of the others; NaN where one of them is constant."""
    seen = ~np.isnan(values)
    filled = np.where(seen, values, 0.0)
    total, count = filled.sum(axis=1, keepdims=True), seen.sum(axis=1, keepdims=True)
    rest = (total - filled) / np.maximum(count - seen, 1)
    number = np.maximum(seen.sum(axis=0), 1)
    own = np.where(seen, filled - filled.sum(axis=0) / number, 0.0)
    other = np.where(seen, rest - np.where(seen, rest, 0.0).sum(axis=0) / number, 0.0)
    size = np.sqrt((own**2).sum(axis=0) * (other**2).sum(axis=0))
    return np.where(size > 1e-12, (own * other).sum(axis=0) / np.maximum(size, 1e-12), np.nan)


def group_items(
    items: tuple[str, ...], groups: Mapping[str, str] | Sequence[str] | None
) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Give the name of each item's group, and codes of groups that are large enough."""
    if groups is None:
        names = tuple(item.rpartition("/")[0] for item in items)
    elif isinstance(groups, Mapping):
        names = tuple(str(groups.get(item, "")) for item in items)
    else:
        names = tuple(map(str, groups))
    if len(names) != len(items):
        raise ResponsesError(
            "Every item needs a group;",
            f"there are {len(items)} items and {len(names)} groups.",
            "Give groups in the order of the items, or by id.",
        )
    found, codes = np.unique(np.array(names), return_inverse=True)
    sizes = np.bincount(codes, minlength=found.size)
    is_large = sizes >= _LEAST_ITEMS
    places = np.where(is_large, np.cumsum(is_large) - 1, is_large.sum())
    return names, np.unique(places[codes], return_inverse=True)[1].astype(np.int64)


def _classify(means: Floats) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]:
    # NaN, where nobody answered, is none of these.
    with np.errstate(invalid="ignore"):
        return means == 1, means == 0, (means >= SATURATED) & (means < 1)


def _deal(values: Floats, random: np.random.Generator) -> Floats:
    """Deal each respondent's answers to the items it answered anew."""
    drawn = values.copy()
    for row in drawn:
        seen = np.flatnonzero(~np.isnan(row))
        row[seen] = row[random.permutation(seen)]
    return drawn


def _means(values: Floats) -> Floats:
    """Mean of each column; NaN, without a warning, where nothing is."""
    seen = ~np.isnan(values)
    count = seen.sum(axis=0)
    total = np.where(seen, values, 0.0).sum(axis=0)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)
