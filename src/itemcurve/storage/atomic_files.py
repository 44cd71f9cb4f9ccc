"""Files that are either wholly written or not there at all."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from itemcurve.errors import StorageError


@contextmanager
def atomic_file(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a temporary neighbour for writing; it takes the name when the block succeeds.

    A crash or an error inside the block leaves the former file as it was.

    Parameters
    ----------
    path
        The file to create or replace; its folder must exist.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from itemcurve.storage.atomic_files import atomic_file
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with atomic_file(f"{folder}/note.txt") as file:
    ...         count = file.write(b"kept")
    ...     Path(folder, "note.txt").read_text()
    'kept'
    """
    target = _plain_target(Path(path))
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(6)}.tmp")
    try:
        # Mode "x" creates the file with the user's own umask; tempfile would make it private.
        with temporary.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
        sync_folder(target.parent)
    except OSError as error:
        raise StorageError(
            "The folder must exist and be writable, with space left;",
            f"writing {str(target)!r} failed: {error.strerror or error}.",
            "Choose another path, or make room.",
        ) from error
    finally:
        temporary.unlink(missing_ok=True)


def _plain_target(path: Path) -> Path:
    """Follow links, and refuse what is no file: taking its name would replace a device."""
    target = path.resolve() if path.is_symlink() else path
    if target.exists() and not target.is_file() and not target.is_dir():
        raise StorageError(
            "What is written replaces a plain file, or makes a new one;",
            f"{str(path)!r} is a device or a pipe.",
            "Choose another path.",
        )
    return target


def write_bytes(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a whole file atomically."""
    with atomic_file(path) as file:
        file.write(content)


def sync_folder(folder: Path) -> None:
    """Make a rename in this folder survive a power cut, where the system allows it."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
