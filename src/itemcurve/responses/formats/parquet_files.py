"""Tables in Parquet files, through Arrow."""

from pathlib import Path
from typing import IO

from itemcurve.errors import MissingExtraError, ResponsesError
from itemcurve.responses.input.frame_input import parts_from_frame
from itemcurve.responses.input.parts import Parts
from itemcurve.responses.input.table_input import Layout


def read_parquet(file: Path, layout: Layout) -> Parts:
    """Read the responses of a Parquet file."""
    require_arrow()
    import pyarrow.lib
    import pyarrow.parquet

    try:
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


def write_parquet(frame: object, stream: IO[bytes]) -> None:
    """Write a pandas table, without its index."""
    require_arrow()
    import pyarrow
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.Table.from_pandas(frame, preserve_index=False), stream)


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
