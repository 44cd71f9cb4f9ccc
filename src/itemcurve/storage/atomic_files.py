"""Files that are either wholly written or not there at all."""

import os
import re
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from itemcurve.errors import StorageError
from itemcurve.storage.disk import disk
from itemcurve.storage.system_locks import try_lock

_TEMPORARY = re.compile(r"\..+\.[0-9a-f]{12}\.tmp")
_SETTLED = 5.0
# Folders are looked through once in a process: those of caches hold many files.
_LOOKED_AT: set[str] = set()


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
    remove_stale(target.parent)
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(6)}.tmp")
    try:
        # A new file has the user's own umask; tempfile would make it private.
        with disk().create(temporary) as file:
            # While it is locked, it is known to be a living writer's.
            try_lock(file.fileno())
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


def remove_stale(folder: Path) -> None:
    """Remove what writers left who died, the first time that a process writes to a folder."""
    place = str(folder.absolute())
    if place in _LOOKED_AT:
        return
    _LOOKED_AT.add(place)
    with suppress(OSError):
        for path in folder.iterdir():
            if _TEMPORARY.fullmatch(path.name) and path.is_file() and not path.is_symlink():
                _remove_unlocked(path)


def forget_folders() -> None:
    """Look through folders again, as a new process does."""
    _LOOKED_AT.clear()


def _remove_unlocked(path: Path) -> None:
    # A file is locked a moment after it is made.
    if time.time() - path.stat().st_mtime < _SETTLED:
        return
    descriptor = os.open(path, os.O_RDWR)
    try:
        is_stale = bool(try_lock(descriptor))
    finally:
        os.close(descriptor)
    if is_stale:
        disk().remove(path)


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
