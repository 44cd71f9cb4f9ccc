"""Which layout suits observations: a full matrix, or one entry each."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.responses.layouts.cells import ResponseCells
from itemcurve.responses.layouts.compaction import compact_values
from itemcurve.responses.layouts.dense_cells import dense_cells
from itemcurve.responses.layouts.long_cells import long_cells

# Below this share of observed cells one entry per observation takes less room than a matrix.
LEAST_DENSITY = 0.2


def arrange_cells(
    rows: NDArray[np.integer],
    columns: NDArray[np.integer],
    values: NDArray[Any],
    weights: NDArray[Any] | None,
    shape: tuple[int, int],
) -> ResponseCells:
    """Store observations as a matrix, unless they repeat or are few."""
    is_sparse = values.size < LEAST_DENSITY * shape[0] * shape[1]
    if is_sparse or has_repeats(rows.astype(np.int64) * shape[1] + columns, shape[0] * shape[1]):
        return long_cells(rows, columns, values, weights, shape)
    compact = compact_values(values, None)
    matrix = np.zeros(shape, dtype=compact.dtype)
    matrix[rows, columns] = compact
    weight: NDArray[Any] = np.zeros(shape, dtype=np.bool_ if weights is None else np.float64)
    weight[rows, columns] = True if weights is None else weights
    return dense_cells(matrix, weight)


def has_repeats(places: NDArray[np.int64], size: int) -> bool:
    """Say whether a place below `size` occurs twice."""
    if size > 8 * places.size:
        return np.unique(places).size < places.size
    # Marking each place takes a tenth of the time of sorting them.
    is_taken = np.zeros(size, dtype=np.bool_)
    is_taken[places] = True
    return int(np.count_nonzero(is_taken)) < places.size
