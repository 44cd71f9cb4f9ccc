"""Entries of a ZIP archive, zstd-compressed ones too, unpacked in memory within limits."""

import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from itemcurve.errors import MissingExtraError
from itemcurve.logs.reading.log_errors import LARGEST_UNPACKED, MOST_ENTRIES, DamagedLogError
from itemcurve.logs.reading.source_file import parse_json

# ZIP method 93; zipfile itself knows it from Python 3.14 on.
_ZSTANDARD = 93
_LOCAL_HEADER = 30
_LOCAL_MAGIC = b"PK\x03\x04"


@dataclass
class Archive:
    """An open archive; what has been unpacked so far counts against one limit."""

    file: IO[bytes]
    entries: dict[str, zipfile.ZipInfo]
    room: int

    def read_json(self, name: str) -> Any:
        """Give one entry as JSON."""
        entry = self.entries[name]
        if entry.flag_bits & 0x1:
            raise DamagedLogError(f"entry {name!r} is encrypted")
        if entry.file_size > self.room:
            raise DamagedLogError(f"entry {name!r} and others unpack to more than the limit")
        content = _unpack(self._packed(entry), entry)
        self.room -= len(content)
        if len(content) != entry.file_size or zlib.crc32(content) != entry.CRC:
            raise DamagedLogError(f"entry {name!r} is damaged: its checksum does not agree")
        return parse_json(content)

    def _packed(self, entry: zipfile.ZipInfo) -> bytes:
        """Read the compressed bytes from behind the local header."""
        self.file.seek(entry.header_offset)
        header = self.file.read(_LOCAL_HEADER)
        if len(header) < _LOCAL_HEADER or not header.startswith(_LOCAL_MAGIC):
            raise DamagedLogError(f"entry {entry.filename!r} has no header")
        name_length, extra_length = struct.unpack("<HH", header[26:30])
        self.file.seek(name_length + extra_length, 1)
        return self.file.read(entry.compress_size)


@contextmanager
def open_archive(path: Path) -> Iterator[Archive]:
    """Open an archive and check the names of all entries before any is read."""
    with path.open("rb") as file, zipfile.ZipFile(file) as archive:
        infos = archive.infolist()
        if len(infos) > MOST_ENTRIES:
            raise DamagedLogError(f"it has {len(infos)} entries")
        # Live logs repeat entries; the last one is the current one, as zipfile itself has it.
        entries = {info.filename: info for info in infos}
        for name in entries:
            parts = name.replace("\\", "/").split("/")
            # Nothing is ever written, yet an archive that tries this is not what it claims to be.
            if name.startswith("/") or ".." in parts or ":" in parts[0] or "\0" in name:
                raise DamagedLogError(f"entry {name[:80]!r} points outside the archive")
        yield Archive(file, entries, LARGEST_UNPACKED)


def _unpack(packed: bytes, entry: zipfile.ZipInfo) -> bytes:
    """Decompress to at most the size that the archive states."""
    if entry.compress_type == zipfile.ZIP_STORED:
        return packed
    if entry.compress_type == zipfile.ZIP_DEFLATED:
        return zlib.decompressobj(-15).decompress(packed, entry.file_size + 1)
    if entry.compress_type == _ZSTANDARD:
        return _unpack_zstandard(packed, entry.file_size)
    raise DamagedLogError(f"entry {entry.filename!r} is compressed by method {entry.compress_type}")


def _unpack_zstandard(packed: bytes, size: int) -> bytes:
    try:
        import zstandard
    except ImportError:
        raise MissingExtraError(
            "Entries compressed with zstandard need the package zstandard;",
            "it is not installed.",
            "Install it with `pip install itemcurve[io]`.",
        ) from None
    try:
        with zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(packed) as stream:
            # One more than stated, to notice an entry that unpacks to more.
            return bytes(stream.read(size + 1))
    except zstandard.ZstdError as error:
        raise DamagedLogError(f"zstandard: {str(error)[:100]}") from None
