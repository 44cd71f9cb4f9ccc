"""The folder a command is to write, looked at before the work begins."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def check_target(out: Path) -> None:
    """Refuse a folder that cannot be written before the work, not after it."""
    from itemcurve.errors import StorageError
    from itemcurve.storage.run_manifest import MANIFEST

    is_new = not out.exists() or (out.is_dir() and not any(out.iterdir()))
    if not is_new and not (out / MANIFEST).is_file():
        raise StorageError(
            "--out must be a new or empty folder, or that of a former run;",
            f"{str(out)!r} holds something else.",
            "Choose another path.",
        )


@contextmanager
def claimed_target(out: Path | None) -> Iterator[None]:
    """Refuse to work for a folder that another command is at work for: one would undo the other."""
    from itemcurve.storage.file_locks import claimed

    # Where there is no parent folder yet, nobody can have begun.
    if out is None or not out.resolve().parent.is_dir():
        yield
        return
    with claimed(out):
        yield
