"""The smallest exact storage for response values and weights."""

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

LARGEST_SMALL_INTEGER = 127
# From here on, reading bytes takes longer than starting threads.
_MANY_BYTES = 2**28
# What one thread has looked for the smallest in is still in its cache for the largest.
_BYTES_AT_ONCE = 2**20


def compact_values(values: NDArray[Any], observed: NDArray[np.bool_] | None) -> NDArray[Any]:
    """Copy values into int8 where every observed one is an integer in 0..127, else float64.

    Parameters
    ----------
    values
        Numbers of any real type; those not observed may be anything, NaN included.
    observed
        Which values count, of the same shape; None when all do.

    Returns
    -------
    A read-only array, 0 where not observed.
    """
    small = _small_integers(values, observed)
    compact = values.astype(np.float64, order="C") if small is None else small
    if observed is not None:
        compact = compact if compact.flags.writeable else compact.copy()
        compact[~observed] = 0
    compact.setflags(write=False)
    return compact


def compact_weights(weights: NDArray[Any] | None) -> NDArray[Any] | None:
    """Reduce weights to None when all are 1, to booleans when all are 0 or 1, else float64."""
    if weights is None:
        return None
    if weights.dtype != np.bool_:
        present = weights != 0
        if not np.array_equal(weights, present):
            compact = weights.astype(np.float64, order="C")
            compact.setflags(write=False)
            return compact
        weights = present
    if weights.all():
        return None
    compact = np.array(weights, order="C")
    compact.setflags(write=False)
    return compact


def _small_integers(
    values: NDArray[Any], observed: NDArray[np.bool_] | None
) -> NDArray[np.int8] | None:
    """Copy the values as int8, or give None when that would change an observed one."""
    is_integer = values.dtype.kind in "biu" and values.size > 0
    if is_integer and _is_small(values):
        return values if _is_final(values) else values.astype(np.int8, order="C")
    # The cast is checked by comparing back, which needs no 64-bit copy of a large matrix.
    with np.errstate(invalid="ignore", over="ignore"):
        small = values.astype(np.int8, order="C")
    unchanged = (small == values) & (small >= 0)
    if observed is not None:
        unchanged |= ~observed
    return small if unchanged.all() else None


def _is_small(values: NDArray[Any]) -> bool:
    """Whether all integers are in 0..127; of bytes, one look suffices: negative ones are large."""
    if values.dtype == np.int8 and values.flags.c_contiguous:
        return integer_extremes(values.view(np.uint8))[1] <= LARGEST_SMALL_INTEGER
    lowest, highest = integer_extremes(values)
    return lowest >= 0 and highest <= LARGEST_SMALL_INTEGER


def integer_extremes(values: NDArray[Any]) -> tuple[int, int]:
    """The smallest and the largest of integers; of many by several threads, in one reading."""
    if values.nbytes < _MANY_BYTES or not isinstance(values, np.ndarray):
        return int(values.min()), int(values.max())
    parts = np.array_split(values, min(len(values), 1 + values.nbytes // _BYTES_AT_ONCE))
    with ThreadPoolExecutor(os.cpu_count() or 1) as readers:
        found = list(readers.map(lambda part: (int(part.min()), int(part.max())), parts))
    return min(low for low, _ in found), max(high for _, high in found)


def _is_final(values: NDArray[Any]) -> bool:
    """Whether bytes can stay where they are: nobody may write to them, nor to what they are of."""
    if values.dtype != np.int8 or not values.flags.c_contiguous or values.flags.writeable:
        return False
    base = values.base
    return base is None or (isinstance(base, np.ndarray) and not base.flags.writeable)
