"""Items that are answered alike: pairs that agree beyond what respondents and items explain."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.model_fit.margin_permutation import fit_margins
from itemcurve.storage.tables import tabulate

if TYPE_CHECKING:
    import pandas

Floats = NDArray[np.float64]

# Pairs below this correlation are not near copies, however sure the correlation is.
LEAST_CORRELATION = 0.9
_BINS = 21
_BLOCK = 1_000
# Of the pairs listed, at most this share may be chance.
_RATE = 0.1
_MOST_PAIRS = 1_000
_LEAST_RESPONDENTS = 10
_FEW = 2


@dataclass(frozen=True, eq=False)
class RedundantItems:
    """Pairs of items that are nearly copies, the closest first.

    Attributes
    ----------
    first, second : ids.
    correlation : of what respondent and item leave over of the two items' responses.
    threshold : correlation from which pairs count; NaN where no pair is beyond chance.
    pairs, pairs_by_chance : how many there are, more than listed where they are many; and above
        the same threshold where answers are permuted within margins.
    items, items_by_chance : ids of the items that have a partner, and how many have one there.
    """

    first: tuple[str, ...]
    second: tuple[str, ...]
    correlation: Floats
    threshold: float
    pairs: int
    pairs_by_chance: float
    items: tuple[str, ...]
    items_by_chance: float

    def frame(self) -> "pandas.DataFrame":
        """One row per pair."""
        return tabulate(self, "first", "second", "correlation")


def find_redundant(
    values: Floats, items: tuple[str, ...], permuted: list[Floats]
) -> RedundantItems:
    """Find pairs above the lowest correlation at which chance gives a tenth of them at most.

    Parameters
    ----------
    values : responses from 0 to 1 (respondents × items), NaN where not observed.
    permuted : the same, drawn anew within margins.
    """
    nothing = RedundantItems((), (), np.zeros(0), np.nan, 0, 0.0, (), 0.0)
    if len(values) < _LEAST_RESPONDENTS or not permuted:
        return nothing
    edges = np.linspace(LEAST_CORRELATION, 1.0, _BINS)
    residuals, chance = _standardise(values), [_standardise(drawn) for drawn in permuted]
    observed = _count_above(residuals, edges)
    expected = np.mean([_count_above(drawn, edges) for drawn in chance], axis=0)
    allowed = np.flatnonzero((observed > 0) & (expected <= _RATE * observed))
    if not allowed.size:
        return nothing
    place = int(allowed[0])
    pairs = _list_pairs(residuals, float(edges[place]))
    alone = [_partners(_list_pairs(drawn, float(edges[place]))).size for drawn in chance]
    closest = pairs[:, np.argsort(-pairs[2], kind="stable")[:_MOST_PAIRS]]
    return RedundantItems(
        tuple(items[int(one)] for one in closest[0]),
        tuple(items[int(other)] for other in closest[1]),
        closest[2],
        float(edges[place]),
        int(observed[place]),
        float(expected[place]),
        tuple(items[one] for one in _partners(pairs).tolist()),
        float(np.mean(alone)),
    )


def _partners(pairs: Floats) -> NDArray[np.int64]:
    """Places of the items that occur in pairs."""
    return np.union1d(pairs[0], pairs[1]).astype(np.int64)


def _standardise(values: Floats) -> NDArray[np.float32]:
    """Give what margins leave over, each item of length 1; items that tell nothing are 0."""
    rest = np.nan_to_num(values - fit_margins(values), nan=0.0)
    rest -= rest.mean(axis=0)
    # An item that all but one answer alike agrees with many by chance alone.
    seen = ~np.isnan(values)
    right = np.where(seen, values, 0.0).sum(axis=0)
    is_telling = (right > _FEW) & (seen.sum(axis=0) - right > _FEW)
    length = np.sqrt((rest**2).sum(axis=0))
    scaled = np.where(is_telling, rest / np.maximum(length, 1e-9), 0.0)
    return np.ascontiguousarray(scaled.T, dtype=np.float32)


def _blocks(
    residuals: NDArray[np.float32],
) -> Iterator[tuple[int, int, NDArray[np.float32]]]:
    """Correlations of blocks of items with all later ones; earlier and own pairs are 0."""
    for start in range(0, len(residuals), _BLOCK):
        own = residuals[start : start + _BLOCK]
        found = own @ residuals[start:].T
        width = len(own)
        found[:, :width] = np.triu(found[:, :width], 1)
        yield start, width, found


def _count_above(residuals: NDArray[np.float32], edges: Floats) -> NDArray[np.int64]:
    counts = np.zeros(len(edges), dtype=np.int64)
    for _, _, found in _blocks(residuals):
        # Rounding of 32-bit products must not part equal pairs.
        close = found[found >= edges[0] - 1e-5] + 1e-5
        places = np.searchsorted(edges, close, side="right")
        counts += np.bincount(places, minlength=len(edges) + 1)[::-1].cumsum()[::-1][1:]
    return counts


def _list_pairs(residuals: NDArray[np.float32], threshold: float) -> Floats:
    """First, second and correlation of all pairs from the threshold (3 × pairs)."""
    parts = []
    for start, _, found in _blocks(residuals):
        one, other = np.nonzero(found >= threshold - 1e-5)
        parts.append(np.array([one + start, other + start, found[one, other]]))
    return np.concatenate(parts, axis=1) if parts else np.zeros((3, 0))
