"""Tables to CSV files, atomically, in folders that are made when absent."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas


def write_csv(table: "pandas.DataFrame", path: Path) -> None:
    """Write a table; a crash leaves the former file or the new one."""
    from itemcurve.storage.atomic_files import write_bytes

    make_parent(path)
    write_bytes(path, table.to_csv(index=False).encode())


def make_parent(path: Path) -> None:
    """Make the folder that a file goes to."""
    from itemcurve.errors import StorageError

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(
            "The folder of a file to write must exist, or be possible to make;",
            f"{str(path.parent)!r} is not: {error.strerror or error}.",
            "Choose another path.",
        ) from error
