"""A checksum of a whole Parquet file, in its own footer.

Parquet can protect pages, but neither their headers nor the footer, where names, types and places
stand: there, one flipped bit renames an item. The checksum is taken of all bytes, with zeros where
it stands itself. Other programs read the file as ever; files of others have none.
"""

import hashlib
import re
from pathlib import Path
from typing import IO

KEY = "itemcurve.sha256"
EMPTY = "0" * 64
# Damage that hits the checksum itself must not make the file look like one that never had any.
ENTRIES = {KEY: EMPTY, "itemcurve.sealed": "true"}
# Footers are at the end; after our entry they have a few bytes for every column.
_LARGEST_REST = 2**21
_ENTRY = re.compile(rb"itemcurve\.sha256.{1,8}?([0-9a-f]{64})", re.DOTALL)
_CHUNK = 2**24


class SealedStream:
    """A file that is written from its start to its end, and then takes its checksum.

    Parameters
    ----------
    stream : where to write; it can go back.
    """

    closed = False

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream, self._digest = stream, hashlib.sha256()
        self._size, self._rest = 0, b""

    def write(self, content: bytes) -> int:
        """Write the next bytes."""
        self._digest.update(content)
        self._rest = (self._rest + bytes(content))[-_LARGEST_REST:]
        self._size += len(content)
        self._stream.write(content)
        return len(content)

    def tell(self) -> int:
        """Give how much was written."""
        return self._size

    def flush(self) -> None:
        """Hand on what waits."""
        self._stream.flush()

    def close(self) -> None:
        """Leave closing to who opened the file."""

    def seal(self) -> None:
        """Write the checksum where the footer has room for it."""
        found = list(_ENTRY.finditer(self._rest))
        if found:
            self._stream.seek(self._size - len(self._rest) + found[-1].start(1))
            self._stream.write(self._digest.hexdigest().encode())
            self._stream.seek(self._size)


def is_broken(path: Path) -> bool:
    """Say whether a file has a checksum, and another content than when it was written."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        start = file.seek(max(0, size - _LARGEST_REST))
        rest = file.read()
        found = list(_ENTRY.finditer(rest))
        if not found:
            return any(key.encode() in rest for key in ENTRIES)
        if found[-1][1] == EMPTY.encode():
            return False
        place = start + found[-1].start(1)
        digest = hashlib.sha256()
        file.seek(0)
        left = place
        while left:
            chunk = file.read(min(left, _CHUNK))
            digest.update(chunk)
            left -= len(chunk)
        digest.update(EMPTY.encode())
        file.seek(place + len(EMPTY))
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest().encode() != found[-1][1]
