"""Responses from NumPy arrays, nested lists and SciPy sparse matrices."""

import numbers
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol, TypeGuard

import numpy as np
from numpy.typing import ArrayLike, NDArray

from itemcurve.errors import ResponsesError
from itemcurve.responses.ids import check_ids
from itemcurve.responses.input.parts import Parts, check_shape
from itemcurve.responses.input.value_checks import (
    Locate,
    check_weights,
    refuse_infinite,
    refuse_other_numbers,
)
from itemcurve.responses.layouts.dense_cells import dense_cells
from itemcurve.responses.layouts.long_cells import long_cells
from itemcurve.responses.layouts.placed_cells import placed_cells

if TYPE_CHECKING:
    from scipy.sparse import coo_array


class SparseMatrix(Protocol):
    """What is asked of a SciPy sparse matrix or array of any format."""

    def tocoo(self) -> "coo_array[Any, tuple[int, int]]":
        """Give rows, columns and data of the stored entries."""


def parts_from_array(
    matrix: object,
    respondents: Iterable[object] | None,
    items: Iterable[object] | None,
    weights: ArrayLike | None,
) -> Parts:
    """Check a matrix, its ids and weights, and store it compactly."""
    if hasattr(matrix, "columns") and not isinstance(matrix, np.ndarray):
        raise ResponsesError(
            "`from_array` takes a matrix without names;",
            f"given is a table, a {type(matrix).__name__}.",
            "Use `Responses.from_frame`, which keeps its ids.",
        )
    if _is_sparse(matrix):
        return _parts_from_sparse(matrix.tocoo(), respondents, items, weights)
    placed = placed_cells(matrix) if weights is None else None
    if placed is not None:
        rows = check_ids(respondents, placed.shape[0], "respondent")
        return Parts(rows, check_ids(items, placed.shape[1], "item"), placed)
    values, observed = _split_missing(_numbers(matrix))
    shape = check_shape(values.shape)
    rows = check_ids(respondents, shape[0], "respondent")
    columns = check_ids(items, shape[1], "item")
    locate = _locator(rows, columns)
    refuse_infinite(values, locate)
    weight = observed if weights is None else _weigh(weights, observed, shape, locate)
    return Parts(rows, columns, dense_cells(values, weight))


def _parts_from_sparse(
    matrix: "coo_array[Any, tuple[int, int]]",
    respondents: Iterable[object] | None,
    items: Iterable[object] | None,
    weights: ArrayLike | None,
) -> Parts:
    """Take the stored entries, explicit zeros included, as the observations."""
    if weights is not None:
        raise ResponsesError(
            "Weights are given by a matrix of the same kind only for full arrays;",
            "given are weights beside a sparse matrix.",
            "Use `Responses.from_frame` with a column `weight`.",
        )
    refuse_other_numbers(matrix.dtype, "Responses")
    shape = check_shape(matrix.shape)
    rows = check_ids(respondents, shape[0], "respondent")
    columns = check_ids(items, shape[1], "item")
    refuse_infinite(matrix.data, lambda k: f"{rows[matrix.row[k]]!r}, {columns[matrix.col[k]]!r}")
    kept = ~np.isnan(matrix.data)
    cells = long_cells(matrix.row[kept], matrix.col[kept], matrix.data[kept], None, shape)
    return Parts(rows, columns, cells)


def _is_sparse(matrix: object) -> TypeGuard[SparseMatrix]:
    """Recognise a SciPy sparse matrix without importing SciPy for those who have none."""
    return hasattr(matrix, "tocoo") and hasattr(matrix, "nnz")


def _numbers(matrix: object) -> NDArray[Any]:
    """Give a numeric array, or say which cell is not a number."""
    if isinstance(matrix, np.ma.MaskedArray):
        return np.ma.filled(matrix.astype(np.float64), np.nan)
    try:
        values = np.asarray(matrix)
    except ValueError as error:
        raise ResponsesError(
            "Responses must be a matrix: as many responses for each respondent;",
            f"the rows given differ in length ({error}).",
            "Fill what was not observed with NaN, or use a long table with `from_frame`.",
        ) from None
    if values.dtype.kind in "OSU":
        _refuse_objects(np.asarray(matrix, dtype=object), values.dtype)
    refuse_other_numbers(values.dtype, "Responses")
    return values


def _refuse_objects(values: NDArray[np.object_], dtype: np.dtype[Any]) -> None:
    """Raise, naming the first cell that is not a number if there is one."""
    if values.ndim == 2:
        for (row, column), value in np.ndenumerate(values):
            if not isinstance(value, (numbers.Real, np.bool_)):
                raise ResponsesError(
                    "Responses must be numbers, or NaN where not observed;",
                    f"row {row + 1}, column {column + 1} holds {value!r} "
                    f"of type {type(value).__name__}.",
                    "Score the answers as numbers, and write NaN for what was not observed.",
                )
    raise ResponsesError(
        "Responses must be an array of numbers;",
        f"given is an array of type {dtype} and shape {values.shape}.",
        "Convert it with `Y.astype(float)`.",
    )


def _split_missing(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.bool_] | None]:
    """Give the values and which of them were observed; None when all were."""
    if values.dtype.kind != "f":
        return values, None
    observed = ~np.isnan(values)
    return values, None if observed.all() else observed


def _weigh(
    weights: ArrayLike,
    observed: NDArray[np.bool_] | None,
    shape: tuple[int, int],
    locate: Locate,
) -> NDArray[Any]:
    """Check the weights and set those of missing responses to 0."""
    array = np.asarray(weights)
    if array.shape != shape:
        raise ResponsesError(
            "Weights must have the shape of the responses;",
            f"given are weights of shape {array.shape} for responses of shape {shape}.",
            "Give one weight per cell, 0 where not observed.",
        )
    check_weights(array, locate)
    return array if observed is None else array * observed


def _locator(respondents: tuple[str, ...], items: tuple[str, ...]) -> Locate:
    """Name the cell at a flat position."""

    def locate(position: int) -> str:
        row, column = divmod(position, len(items))
        return f"respondent {respondents[row]!r}, item {items[column]!r}"

    return locate
