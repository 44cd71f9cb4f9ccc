"""Files that are either wholly written or not there at all."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from itemcurve.errors import StorageError
from itemcurve.storage.disk import disk


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
        with disk().create(temporary) as file:
            yield file
            file.flush()
            disk().sync(file.fileno())
        disk().rename(temporary, target)
        disk().sync_folder(target.parent)
    except OSError as error:
        raise StorageError(
            "The folder must exist and be writable, with space left;",
            f"writing {str(target)!r} failed: {error.strerror or error}.",
            "Choose another path, or make room.",
        ) from error
    finally:
        # What failed is more worth saying than that nothing could be tidied up after it.
        with suppress(OSError):
            disk().remove(temporary)


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
