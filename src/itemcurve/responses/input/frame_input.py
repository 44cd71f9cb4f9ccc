"""Responses from pandas, polars and Arrow tables, through narwhals."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ResponsesError
from itemcurve.responses.input.parts import Parts
from itemcurve.responses.input.table_input import Layout, Table, parts_from_table


def parts_from_frame(frame: object, layout: Layout) -> Parts:
    """Take the responses of a table of any library narwhals knows."""
    # Imported here because arrays and npz files need no table library.
    import narwhals

    names = [str(name) for name in getattr(frame, "columns", ())]
    if hasattr(frame, "column_names"):
        # In an Arrow table `columns` are the data themselves.
        names = [str(name) for name in frame.column_names]
    if len(set(names)) < len(names):
        # Some libraries refuse repeated names in words of their own; ours come first.
        return parts_from_table(Table(names, []), layout)
    native: Any = frame
    try:
        table = narwhals.from_native(native, eager_only=True)
    except TypeError:
        raise ResponsesError(
            "`from_frame` takes a pandas, polars or Arrow table that is already in memory;",
            f"given is a {type(frame).__name__}.",
            "Use `.collect()` on a lazy table, or `Responses.from_array` for a matrix.",
        ) from None
    columns = [series.to_numpy() for series in table.iter_columns()]
    return parts_from_table(Table(names, columns, _row_names(frame)), layout)


def _row_names(frame: object) -> NDArray[Any] | None:
    """Give the index of a pandas table when it names respondents."""
    index = getattr(frame, "index", None)
    if index is None or getattr(index, "nlevels", 0) != 1:
        return None
    names = np.asarray(index)
    is_text = names.dtype.kind in "OSU" and all(isinstance(name, str) for name in names)
    return names if is_text or getattr(index, "name", None) == "respondent" else None
