"""What a command is to write: looked at before the work begins, in folders made when absent."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas

_PICTURES = (".pdf", ".png", ".svg")


def check_run(out: Path | None) -> None:
    """Refuse a run folder that cannot be written before the work, not after it."""
    from itemcurve.errors import StorageError
    from itemcurve.storage.run_manifest import MANIFEST

    if out is None:
        return
    is_new = not out.exists() or (out.is_dir() and not any(out.iterdir()))
    if not is_new and not (out / MANIFEST).is_file():
        raise StorageError(
            "--out must be a new or empty folder, or that of a former run;",
            f"{str(out)!r} holds something else.",
            "Choose another path.",
        )


def check_keep(source: Path, keep: bool) -> None:
    """Refuse to keep tables in what is no run folder."""
    from itemcurve.errors import StorageError
    from itemcurve.storage.folder_swap import is_folder

    if keep and not is_folder(source):
        raise StorageError(
            "--keep stores tables in a run folder;",
            f"{str(source)!r} is none.",
            "Give the run that `itemcurve fit` wrote, or use --out.",
        )


@contextmanager
def claimed_run(out: Path | None) -> Iterator[None]:
    """Refuse to work for a folder that another command is at work for: one would undo the other."""
    from itemcurve.storage.file_locks import claimed

    # Where there is no parent folder yet, nobody can have begun.
    if out is None or not out.resolve().parent.is_dir():
        yield
        return
    with claimed(out):
        yield


def check_picture(out: Path) -> None:
    """Refuse a file that is no picture, and draw without a window from here on."""
    from itemcurve.errors import StorageError

    if out.suffix.lower() not in _PICTURES:
        raise StorageError(
            f"A picture is written to a file ending in {', '.join(_PICTURES)};",
            f"{str(out)!r} is none.",
            "Use .png if unsure.",
        )
    try:
        import_module("matplotlib").use("Agg")
    except ImportError:
        # The picture itself says which extra is missing.
        return


def write_picture(axes: Any, out: Path) -> None:
    """Write the picture of these axes to a file."""
    from itemcurve.plots.drawing.picture_files import save_figure

    make_parent(out)
    save_figure(axes.figure, out, dpi=150)


def write_csv(
    table: "pandas.DataFrame", path: Path, *read: Path | None, is_own: bool = False
) -> None:
    """Write a table; a crash leaves the former file or the new one.

    Parameters
    ----------
    read : what the command was given to read, which is never written over.
    is_own : whether it is the user's own table, whose texts stay as they are even where a
        spreadsheet would compute them.
    """
    from itemcurve.errors import StorageError
    from itemcurve.storage.atomic_files import write_bytes
    from itemcurve.storage.spreadsheet_text import table_text

    if any(other is not None and other.exists() and _is_same(other, path) for other in read):
        raise StorageError(
            "The table that is written must not replace the file that was read;",
            f"{str(path)!r} is both.",
            "Choose another path for --out.",
        )
    make_parent(path)
    text = str(table.to_csv(index=False)) if is_own else table_text(table)
    write_bytes(path, text.encode())


def _is_same(one: Path, other: Path) -> bool:
    return other.exists() and one.samefile(other)


def make_parent(path: Path) -> None:
    """Make the folder that a file goes to."""
    from itemcurve.errors import StorageError
    from itemcurve.storage.disk import make_folders

    try:
        make_folders(path.parent)
    except OSError as error:
        raise StorageError(
            "The folder of a file to write must exist, or be possible to make;",
            f"{str(path.parent)!r} is not: {error.strerror or error}.",
            "Choose another path.",
        ) from error
