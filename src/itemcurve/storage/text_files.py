"""Tables of text: opened within limits, and looked at row by row before they are parsed.

Parsers of tables fill short rows with missing values and take zero bytes for letters: a file that
was cut off, or lost a block, would be read as if it were whole.
"""

import csv
import gzip
import io
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ResponsesWarning

# A compressed file may be made to fill any memory; who trusts a larger one can unpack it.
LARGEST_UNPACKED = 2**30
LONGEST_LINE = 2**28
_CHUNK = 2**20


class UnsoundTextError(OSError):
    """A file of text holds what no table has; the message says what, for people."""


class _CheckedBytes(io.RawIOBase):
    """The bytes of a file, refused where they are zero or a line has no end."""

    def __init__(self, source: Any) -> None:
        self._source = source
        self._line = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, place: int, whence: int = io.SEEK_SET) -> int:
        self._line = 0
        return int(self._source.seek(place, whence))

    def tell(self) -> int:
        return int(self._source.tell())

    def readinto(self, buffer: Any) -> int:
        count = int(self._source.readinto(buffer))
        content = bytes(memoryview(buffer)[:count])
        if b"\0" in content:
            raise UnsoundTextError("it holds zero bytes, as files do that lost a part")
        last = max(content.rfind(b"\n"), content.rfind(b"\r"))
        self._line = count - last - 1 if last >= 0 else self._line + count
        if self._line > LONGEST_LINE:
            raise UnsoundTextError(f"a line has more than {LONGEST_LINE:,} bytes")
        return count

    def close(self) -> None:
        if not self.closed:
            self._source.close()
        super().close()


def open_text(file: Path, is_compressed: bool) -> IO[str]:
    """Open a text file in UTF-8; a byte order mark at its start is skipped.

    Reading raises OSError, EOFError, zlib.error or UnicodeDecodeError where it is not sound.
    """
    source: Any = gzip.GzipFile(file) if is_compressed else file.open("rb")
    if is_compressed:
        _refuse_bomb(source)
    checked = _CheckedBytes(source)
    return io.TextIOWrapper(io.BufferedReader(checked, _CHUNK), encoding="utf-8-sig", newline="")


def _refuse_bomb(source: Any) -> None:
    """Raise where a file unpacks to too much, before anything is made of it."""
    size = 0
    while chunk := source.read(_CHUNK):
        size += len(chunk)
        if size > LARGEST_UNPACKED:
            raise UnsoundTextError(
                f"it unpacks to more than {LARGEST_UNPACKED:,} bytes; unpack it yourself if you "
                "trust it"
            )
    source.seek(0)


@dataclass(frozen=True)
class RowCheck:
    """What the rows of a table look like.

    Attributes
    ----------
    uneven : which row has another number of cells than the first, in words; empty where none has.
    is_ended : whether the last row ends with a line break; without one it may have been cut.
    """

    uneven: str
    is_ended: bool


def check_rows(stream: IO[str], separator: str) -> RowCheck:
    """Compare the number of cells of every row with that of the first; go back to the start.

    Blank lines are no rows.

    Parameters
    ----------
    stream : an open file with line breaks as they are, at its start.
    separator : a single character.
    """
    try:
        return _check_plain(stream, separator) or _check_quoted(stream, separator)
    finally:
        stream.seek(0)


def look_over(stream: IO[str], separator: str, shown: str) -> None:
    """Raise where a row has more or fewer cells than the first, warn where the last may be cut.

    Parameters
    ----------
    stream, separator : as for `check_rows`.
    shown : how to name the file.
    """
    found = check_rows(stream, separator)
    if found.uneven:
        raise UnsoundTextError(found.uneven)
    if not found.is_ended:
        warn_of_a_cut(shown)


def warn_of_a_cut(shown: str) -> None:
    """Say that the last value of a file may be a part of what was written."""
    warnings.warn(
        f"{shown!r} does not end with a line break: if it was cut off, its last value is a part of "
        "what was written. Where it is whole, end its last line.",
        ResponsesWarning,
        stacklevel=3,
    )


def _check_plain(stream: IO[str], separator: str) -> RowCheck | None:
    """Count separators; None where quotation marks may make them part of a cell."""
    uneven, is_ended, line = "", True, 0
    expected: int | None = None
    for text in _whole_lines(stream):
        if '"' in text:
            return None
        is_ended = text.endswith("\n")
        counts, is_blank = _count_cells(text, separator)
        if expected is None and not is_blank.all():
            expected = int(counts[~is_blank][0])
        for place in np.flatnonzero((counts != expected) & ~is_blank) if not uneven else ():
            # Spaces alone are a blank line, too; looked at where they would be a fault.
            if text.split("\n", place + 1)[place].strip(" \t"):
                uneven = _say_uneven(line + int(place) + 1, int(counts[place]), expected)
                break
        line += counts.size
    return RowCheck(uneven, is_ended)


def _whole_lines(stream: IO[str]) -> Iterator[str]:
    """Give the text in pieces that end where lines end, with one kind of line break."""
    parts: list[str] = []
    while piece := stream.read(_CHUNK):
        if piece.endswith("\r"):
            piece += stream.read(1)
        if "\r" in piece:
            piece = piece.replace("\r\n", "\n").replace("\r", "\n")
        end = piece.rfind("\n") + 1
        if end:
            yield "".join([*parts, piece[:end]])
            parts = []
        if piece[end:]:
            parts.append(piece[end:])
    if parts:
        yield "".join(parts)


def _count_cells(text: str, separator: str) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Count the cells of each line; say which lines are empty."""
    letters = np.frombuffer(text.encode(), dtype=np.uint8)
    ends = np.flatnonzero(letters == ord("\n"))
    if not ends.size or ends[-1] != letters.size - 1:
        ends = np.append(ends, letters.size)
    before = np.searchsorted(np.flatnonzero(letters == ord(separator)), ends)
    return np.diff(before, prepend=0) + 1, np.diff(ends, prepend=-1) == 1


def _check_quoted(stream: IO[str], separator: str) -> RowCheck:
    """Count cells as a parser does."""
    stream.seek(0)
    last = "\n"

    def lines() -> Iterator[str]:
        nonlocal last
        for last in stream:
            yield str(last)

    uneven, expected = "", None
    reader = csv.reader(lines(), delimiter=separator)
    former = csv.field_size_limit(LONGEST_LINE)
    try:
        for row in reader:
            if not row or (len(row) == 1 and not row[0].strip()):
                continue
            expected = expected or len(row)
            if len(row) != expected and not uneven:
                uneven = _say_uneven(reader.line_num, len(row), expected)
    except csv.Error as error:
        uneven = uneven or f"line {reader.line_num}: {error}"
    finally:
        csv.field_size_limit(former)
    return RowCheck(uneven, last.endswith(("\n", "\r")))


def _say_uneven(line: int, count: int, expected: int | None) -> str:
    return f"line {line:,} has {count:,} cells, the row of names {expected:,}"
