"""Responses from pandas, polars and Arrow tables, through narwhals."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ResponsesError
from itemcurve.responses.input.column_numbers import CodedColumn, Column, factorize
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
    columns = [_column(series) for series in table.iter_columns()]
    return parts_from_table(Table(names, columns, _row_names(frame)), layout)


def columns_of(frame: Any) -> list[Column]:
    """The columns of a table of any library narwhals knows."""
    import narwhals

    return [_column(series) for series in narwhals.from_native(frame).iter_columns()]


def _column(series: Any) -> Column:
    """The values of a column; text by its distinct values, without an object for every row."""
    import narwhals

    native = series.to_native()
    values: Column
    if series.dtype not in (narwhals.String, narwhals.Categorical):
        values = series.to_numpy()
        return values
    if hasattr(native, "dictionary_encode"):
        return coded_column(native)
    if hasattr(native, "factorize"):
        # pandas
        return CodedColumn(*factorize(native))
    try:
        return coded_column(native.to_arrow())
    except ImportError:
        # polars without Arrow
        values = series.to_numpy()
        return values


def coded_column(column: Any) -> CodedColumn:
    """A column of text of Arrow, plain or with a dictionary."""
    import pyarrow as pa

    chunked = column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])
    if not pa.types.is_dictionary(chunked.type):
        chunked = chunked.dictionary_encode()
    chunked = chunked.unify_dictionaries()
    parts = [chunk.indices.cast(pa.int32()).fill_null(-1).to_numpy() for chunk in chunked.chunks]
    codes = np.concatenate(parts) if parts else np.empty(0, dtype=np.int32)
    texts = np.array(chunked.chunk(0).dictionary.to_pylist() if parts else [], dtype=object)
    # A dictionary may be in any order, and hold what no row has, or nothing at all.
    order, used = factorize(codes)
    places = np.array(used, dtype=np.int64)
    is_text = places >= 0
    is_text[is_text] = texts[places[is_text]] != None  # noqa: E711 - of every element
    ranks = np.where(is_text, np.cumsum(is_text) - 1, -1).astype(np.int32)
    return CodedColumn(ranks[order], texts[places[is_text]].tolist())


def _row_names(frame: object) -> NDArray[Any] | None:
    """Give the index of a pandas table when it names respondents."""
    index = getattr(frame, "index", None)
    if index is None or getattr(index, "nlevels", 0) != 1:
        return None
    names = np.asarray(index)
    is_text = names.dtype.kind in "OSU" and all(isinstance(name, str) for name in names)
    return names if is_text or getattr(index, "name", None) == "respondent" else None
