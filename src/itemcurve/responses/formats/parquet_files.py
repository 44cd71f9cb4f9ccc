"""Tables in Parquet files, through Arrow."""

from pathlib import Path
from typing import IO

from itemcurve.errors import MissingExtraError, ResponsesError
from itemcurve.responses.formats.parquet_seal import ENTRIES, SealedStream, is_broken
from itemcurve.responses.input.column_numbers import CodedColumn, Column, factorize
from itemcurve.responses.input.frame_input import columns_of, parts_from_frame
from itemcurve.responses.input.parts import Parts
from itemcurve.responses.input.table_input import (
    LONG_COLUMNS,
    Layout,
    Table,
    is_long,
    parts_from_table,
)


def read_parquet(file: Path, layout: Layout) -> Parts:
    """Read the responses of a Parquet file."""
    require_arrow()
    import pyarrow.lib
    import pyarrow.parquet

    try:
        if is_broken(file):
            raise ValueError("its bytes are not those that were written")
        names = pyarrow.parquet.read_schema(file).names
        if len(set(names)) == len(names) and is_long(names, layout):
            return parts_from_table(_long_table(file, names), layout)
        with file.open("rb") as stream:
            table = pyarrow.parquet.read_table(stream)
        table.validate(full=True)
        # Arrow decodes text only here, so damaged text shows only here.
        return parts_from_frame(table, layout)
    except ResponsesError:
        raise
    except (pyarrow.lib.ArrowException, OSError, ValueError) as error:
        raise ResponsesError(
            "A Parquet file must be whole and readable;",
            f"{str(file)!r} is not: {error}.",
            "Write or download it again.",
        ) from None


def _long_table(file: Path, names: list[str]) -> Table:
    """The columns of a long table, read one after the other: ids take room, and then little."""
    import pyarrow.parquet

    def column(name: str) -> Column:
        with file.open("rb") as stream:
            table = pyarrow.parquet.read_table(stream, columns=[name])
        table.validate(full=True)
        (values,) = columns_of(table)
        is_id = name in ("respondent", "item")
        return CodedColumn(*factorize(values)) if is_id else values

    wanted = [name for name in names if name in (*LONG_COLUMNS, "weight")]
    return Table(wanted, [column(name) for name in wanted])


def write_parquet(frame: object, stream: IO[bytes]) -> None:
    """Write a pandas table, without its index."""
    require_arrow()
    import pyarrow
    import pyarrow.parquet

    table = pyarrow.Table.from_pandas(frame, preserve_index=False)
    sealed = SealedStream(stream)
    with pyarrow.parquet.ParquetWriter(sealed, table.schema) as writer:
        writer.write_table(table)
        writer.add_key_value_metadata(ENTRIES)
    sealed.seal()


def require_arrow() -> None:
    """Raise when pyarrow is not installed, naming the extra that brings it."""
    try:
        import pyarrow.parquet  # noqa: F401 - only to see whether it is there
    except ImportError:
        raise MissingExtraError(
            "Parquet files need the package pyarrow;",
            "it is not installed.",
            "Install it with `pip install 'itemcurve[io]'`, or use .npz or .csv.",
        ) from None
