"""Files of sealed lines that grow: what was acknowledged is on disk, one process at a time."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from itemcurve.errors import StorageError
from itemcurve.storage.chained_lines import last_seal, seal_lines, whole_size
from itemcurve.storage.disk import disk
from itemcurve.storage.file_locks import held_file

# Lines of a session are shorter, those of a large batch aside.
_TAIL = 4096


class ChangedFileError(StorageError):
    """Somebody else wrote to a file since it was read."""


def append_lines(path: Path, documents: Sequence[Mapping[str, Any]], seal: str) -> str:
    """Add lines to those that end with `seal`, and give the new last seal.

    When this returns, the lines survive the end of the process and of the machine. What a crash
    cut off at the end of the file makes room. Without documents, the end is only looked at.

    Parameters
    ----------
    path : a file of sealed lines.
    seal : of the last line as the caller knows it; if the file ends otherwise it is left alone.
    """
    lines, new_seal = seal_lines(documents, seal, str(path))
    with _writable(path) as descriptor:
        found, end = _look_at_end(descriptor)
        if found != seal:
            raise ChangedFileError(
                "A session may be changed by one test at a time;",
                f"{str(path)!r} is no longer as this one left it.",
                "Load it again and record there, or save to another path.",
            )
        _write_at(descriptor, end, lines)
    return new_seal


@contextmanager
def _writable(path: Path) -> Iterator[int]:
    """Open a file that others then leave alone; say what failed."""
    try:
        with held_file(path) as descriptor:
            yield descriptor
    except OSError as error:
        raise StorageError(
            "The file must be writable, with space left;",
            f"writing {str(path)!r} failed: {error.strerror or error}.",
            "Make room and save again, or choose another path.",
        ) from error


def _look_at_end(descriptor: int) -> tuple[str, int]:
    """Give the last seal, and where the last whole line ends."""
    size = os.fstat(descriptor).st_size
    for length in (_TAIL, size):
        start = max(size - length, 0)
        os.lseek(descriptor, start, os.SEEK_SET)
        tail = _read(descriptor, size - start)
        seal = last_seal(tail)
        if seal:
            return seal, start + whole_size(tail)
    return "", size


def _read(descriptor: int, length: int) -> bytes:
    parts = []
    while length and (part := os.read(descriptor, length)):
        parts.append(part)
        length -= len(part)
    return b"".join(parts)


def _write_at(descriptor: int, end: int, lines: bytes) -> None:
    """Write at the end of the whole lines; on failure leave none behind that is half written."""
    disk().truncate(descriptor, end)
    os.lseek(descriptor, end, os.SEEK_SET)
    written = 0
    try:
        while written < len(lines):
            written += disk().write(descriptor, lines[written:])
        disk().sync(descriptor)
    except BaseException:
        with suppress(OSError):
            disk().truncate(descriptor, end)
        raise
