"""One file that may be a log: its kind and its content, within limits."""

import gzip
import json
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, Any, Literal

from itemcurve.logs.reading.log_errors import (
    HEAD,
    LARGEST_DOCUMENT,
    LARGEST_FILE,
    LARGEST_LINE,
    LARGEST_UNPACKED,
    DamagedLogError,
)

Kind = Literal["zip", "lines", "json", "text", "binary"]
_GZIP = b"\x1f\x8b"
_ZIP = b"PK\x03\x04"
# A first line that was damaged must not make a file of lines look like one document.
_LINES_TRIED = 3


@dataclass(frozen=True)
class SourceFile:
    """A file below the folder that is read; nothing is opened before it is asked for.

    Parameters
    ----------
    path : the file itself.
    root : the folder that the user named; companions outside it are never opened.
    """

    path: Path
    root: Path

    @cached_property
    def head(self) -> bytes:
        """The first bytes, unpacked where the file is compressed with gzip."""
        if not stat.S_ISREG(self.path.stat().st_mode):
            raise DamagedLogError("not a regular file")
        with self._open() as stream:
            return stream.read(HEAD)

    @cached_property
    def kind(self) -> Kind:
        """What the content looks like."""
        if self.head.startswith(_ZIP):
            return "zip"
        start = self.head.removeprefix(b"\xef\xbb\xbf").lstrip()
        if b"\0" in self.head:
            return "binary"
        if start[:1] not in (b"{", b"["):
            return "text"
        return "lines" if start[:1] == b"{" and self._has_lines() else "json"

    @cached_property
    def document(self) -> Any:
        """The whole file as one JSON document."""
        with self._open() as stream:
            content = stream.read(LARGEST_DOCUMENT + 1)
        if len(content) > LARGEST_DOCUMENT:
            raise DamagedLogError(f"larger than {LARGEST_DOCUMENT} bytes")
        return parse_json(content)

    @cached_property
    def first(self) -> dict[str, Any]:
        """The first record, or the document itself; empty where it is no JSON object."""
        if self.kind == "lines":
            for _, line in self.lines():
                record = parse_line(line)
                if isinstance(record, dict):
                    return record
        if self.kind == "json":
            found = self.document
            found = found[0] if isinstance(found, list) and found else found
            return found if isinstance(found, dict) else {}
        return {}

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Go through the lines that are not empty, with their numbers."""
        read = number = 0
        limit = LARGEST_UNPACKED if self._is_packed else LARGEST_FILE
        with self._open() as stream:
            while line := stream.readline(LARGEST_LINE + 1):
                number += 1
                read += len(line)
                if len(line) > LARGEST_LINE or read > limit:
                    raise DamagedLogError(f"line {number} or the file is too long")
                if not line.isspace():
                    yield number, line

    def records(self) -> Iterator[tuple[int, Any]]:
        """Go through the records, of lines or of a list; None where a line is no JSON."""
        if self.kind == "lines":
            for number, line in self.lines():
                yield number, parse_line(line)
            return
        found = self.document
        yield from enumerate(found if isinstance(found, list) else [found], 1)

    def text(self) -> str:
        """The whole file as text."""
        with self._open() as stream:
            content = stream.read(LARGEST_DOCUMENT + 1)
        if len(content) > LARGEST_DOCUMENT:
            raise DamagedLogError(f"larger than {LARGEST_DOCUMENT} bytes")
        return content.decode("utf-8-sig")

    @cached_property
    def _is_packed(self) -> bool:
        with self.path.open("rb") as file:
            return file.read(2) == _GZIP

    @contextmanager
    def _open(self) -> Iterator[IO[bytes]]:
        # A link beside a log could otherwise make any file of the machine part of a name.
        if self.path.is_symlink() and not self.path.resolve().is_relative_to(self.root):
            raise DamagedLogError("a link that leads out of the folder")
        with self.path.open("rb") as file:
            if self._is_packed:
                with gzip.open(file) as unpacked:
                    # A GzipFile is a binary stream in all that is used here.
                    yield unpacked  # type: ignore[misc]
            else:
                yield file

    def _has_lines(self) -> bool:
        """Whether some early line is a JSON object by itself, with more to come after it."""
        with self._open() as stream:
            line = stream.readline(LARGEST_LINE)
            for _ in range(_LINES_TRIED):
                following = stream.readline(LARGEST_LINE)
                if not following:
                    return False
                if isinstance(parse_line(line), dict):
                    return True
                line = following
        return False


def parse_json(content: bytes) -> Any:
    """Parse a JSON document, or say why it is none."""
    try:
        return json.loads(content.decode("utf-8-sig"))
    except RecursionError:
        raise DamagedLogError("nested too deeply") from None
    except ValueError as error:
        raise DamagedLogError(f"not valid JSON ({str(error)[:100]})") from None


def parse_line(line: bytes) -> Any:
    """Parse one line; None where it is not valid JSON."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
