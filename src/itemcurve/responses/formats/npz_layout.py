"""How responses lie in an npz file: our own layout, and those of others where they are clear."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ResponsesError
from itemcurve.responses.formats.foreign_npz import parts_from_foreign
from itemcurve.responses.ids import check_ids
from itemcurve.responses.input.array_input import parts_from_array
from itemcurve.responses.input.parts import Parts, check_shape
from itemcurve.responses.input.value_checks import (
    check_weights,
    refuse_infinite,
    refuse_other_numbers,
)
from itemcurve.responses.layouts.cell_layout import arrange_cells
from itemcurve.responses.layouts.dense_cells import DenseCells
from itemcurve.responses.layouts.long_cells import LongCells, long_cells

FORMAT = "itemcurve-responses-1"


def pack_parts(parts: Parts) -> dict[str, NDArray[Any]]:
    """Give responses as plain arrays that `unpack_parts` turns back exactly."""
    arrays: dict[str, NDArray[Any]] = {
        "format": np.array(FORMAT),
        "respondents": pack_ids(parts.respondents),
        "items": pack_ids(parts.items),
    }
    cells = parts.cells
    if not isinstance(cells, LongCells | DenseCells):
        # Who has them otherwise gives them as entries, or says why not.
        own = cells.entries()
        cells = arrange_cells(own.rows, own.columns, own.values, own.weights, cells.shape)
    if isinstance(cells, LongCells):
        arrays |= {"rows": cells.rows, "columns": cells.columns}
    if isinstance(cells, LongCells | DenseCells):
        arrays["values"] = cells.values
        if cells.weights is not None:
            arrays["weights"] = cells.weights
    return arrays


def unpack_parts(arrays: Mapping[str, NDArray[Any]], shown: str) -> Parts:
    """Turn the arrays of an npz file into responses, checking everything anew.

    Parameters
    ----------
    arrays
        As `pack_parts` gives them, or the arrays of somebody else's file.
    shown
        How to name the file in an error.
    """
    format_ = str(arrays.get("format", ""))
    if not format_.startswith("itemcurve-responses"):
        return parts_from_foreign(arrays, shown)
    if format_ != FORMAT:
        raise _refusal(shown, f"its format is {format_!r}")
    try:
        respondents = unpack_ids(arrays["respondents"])
        items = unpack_ids(arrays["items"])
        if "rows" in arrays:
            return _unpack_long(arrays, respondents, items, shown)
    except (KeyError, ValueError, RecursionError) as error:
        if isinstance(error, ResponsesError):
            raise
        raise _refusal(shown, f"its ids or places cannot be read ({error})") from None
    if "values" not in arrays:
        raise _refusal(shown, "it has no values")
    return parts_from_array(arrays["values"], respondents, items, arrays.get("weights"))


def _unpack_long(
    arrays: Mapping[str, NDArray[Any]], respondents: list[str], items: list[str], shown: str
) -> Parts:
    """Check that every entry lies inside the matrix."""
    rows, columns, values = arrays["rows"], arrays["columns"], arrays["values"]
    weights = arrays.get("weights")
    shape = check_shape((len(respondents), len(items)))
    for place, size in ((rows, shape[0]), (columns, shape[1])):
        is_index = place.ndim == 1 and place.dtype.kind in "iu" and place.shape == values.shape
        if not is_index or (place.size and not 0 <= place.min() <= place.max() < size):
            raise _refusal(shown, "its rows or columns do not fit the matrix")
    refuse_other_numbers(values.dtype, "Responses")
    refuse_infinite(values, lambda k: f"entry {k + 1}")
    if np.isnan(values).any():
        raise _refusal(shown, "its values hold NaN")
    if weights is not None:
        if weights.shape != values.shape:
            raise _refusal(shown, "its weights do not fit its values")
        check_weights(weights, lambda k: f"entry {k + 1}")
    return Parts(
        check_ids(respondents, shape[0], "respondent"),
        check_ids(items, shape[1], "item"),
        long_cells(rows, columns, values, weights, shape),
    )


def pack_ids(ids: tuple[str, ...]) -> NDArray[np.uint8]:
    """Write ids as JSON text: NumPy's own text drops final NULs and pads all to the longest."""
    return np.frombuffer(json.dumps(ids).encode(), dtype=np.uint8)


def unpack_ids(array: NDArray[Any]) -> list[str]:
    """Read ids written by `pack_ids`."""
    if array.dtype != np.uint8:
        raise ValueError(f"ids are of type {array.dtype}")
    ids = json.loads(array.tobytes())
    if not isinstance(ids, list) or not all(isinstance(name, str) for name in ids):
        raise ValueError("ids are not a list of text")
    return ids


def _refusal(shown: str, reason: str) -> ResponsesError:
    return ResponsesError(
        f"A file of responses must follow the layout {FORMAT};",
        f"{shown!r} does not: {reason}.",
        "Upgrade itemcurve if the file is newer, or write it again with `responses.save`.",
    )
