"""Combinations of codes numbered in order of appearance."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from itemcurve.pairs.votes.vote_data import Codes

_LARGEST = np.iinfo(np.int64).max


def number_cells(
    codes: Sequence[Codes], sizes: Sequence[int]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Give the number of each row's combination, and the first row of each combination.

    Parameters
    ----------
    codes : one array per part, equally long.
    sizes : how many codes each part has.

    Examples
    --------
    >>> cells, firsts = number_cells([np.array([1, 0, 1]), np.array([0, 0, 0])], [2, 1])
    >>> cells.tolist(), firsts.tolist()
    ([0, 1, 0], [0, 1])
    """
    import pandas

    key = np.zeros(len(codes[0]), dtype=np.int64)
    room = 1
    for part, size in zip(codes, sizes, strict=True):
        if room * size > _LARGEST:
            # Numbered anew, the combinations so far need no more room than there are rows.
            key = pandas.factorize(key)[0].astype(np.int64)
            room = len(key)
        key = key * size + part
        room *= size
    cells = pandas.factorize(key)[0].astype(np.int64)
    firsts = np.full(int(cells.max(initial=-1)) + 1, len(cells), dtype=np.int64)
    # Written from the end, so that the first row of each stays.
    firsts[cells[::-1]] = np.arange(len(cells))[::-1]
    return cells, firsts
