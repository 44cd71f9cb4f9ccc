"""One file, read by whichever reader recognises it; whatever is in it, this does not fail."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from itemcurve.errors import ResponsesError
from itemcurve.logs.formats.catalogue import READERS
from itemcurve.logs.formats.columns import LogColumns
from itemcurve.logs.formats.contract import Reader
from itemcurve.logs.reading.log_errors import (
    READ_FAILURES,
    DamagedLogError,
    ForeignFileError,
    UnnamedColumnsError,
    explain,
)
from itemcurve.logs.reading.log_rows import LogRows
from itemcurve.logs.reading.source_file import SourceFile
from itemcurve.logs.report_check import check_reports

# "partial": some samples had to be left out; "companion": belongs to a log, holds no samples.
# "empty": sound, but without samples; "unmapped": a table whose columns must be named first.
Status = Literal["read", "partial", "damaged", "empty", "unmapped", "companion", "foreign"]
_MISSING_STAMP = (-1, -1)


@dataclass(frozen=True)
class Stamp:
    """A file as it was when it was read: size and time of its last change, -1 where absent."""

    path: str
    size: int
    modified: int


@dataclass(frozen=True, eq=False)
class FileReading:
    """What became of one file; `stamps` are those of all files that were looked at for it."""

    path: str
    status: Status
    harness: str
    reason: str
    stamps: tuple[Stamp, ...]
    log: LogRows | None = None


def stamp_file(root: Path, path: str) -> Stamp:
    """Note size and time of a file below the root."""
    try:
        found = (root / path).stat()
        size, modified = found.st_size, found.st_mtime_ns
    except OSError:
        size, modified = _MISSING_STAMP
    return Stamp(path, size, modified)


def read_file(root: Path, path: str, columns: LogColumns) -> FileReading:
    """Read one file below the root.

    Parameters
    ----------
    root : the folder that the user named.
    path : of the file, relative to it.
    columns : for tables that no harness defined.
    """
    # Taken before reading: a change meanwhile makes the stamp old, never the reading new.
    stamps: tuple[Stamp, ...] = (stamp_file(root, path),)
    harness = ""
    source = SourceFile(root / path, root)
    try:
        if any(reader.is_companion(source) for reader in READERS):
            return FileReading(path, "companion", "", "", stamps)
        reader = _find_reader(source, columns)
        harness = reader.name
        others = [other for other in reader.companions(source) if other.is_relative_to(root)]
        names = [other.relative_to(root).as_posix() for other in others]
        stamps += tuple(stamp_file(root, name) for name in names)
        log = reader.read(source, columns)
    except ForeignFileError as error:
        return FileReading(path, "foreign", "", explain(error), stamps)
    except UnnamedColumnsError as error:
        return FileReading(path, "unmapped", harness, explain(error), stamps)
    except (DamagedLogError, *READ_FAILURES) as error:
        return FileReading(path, "damaged", harness, explain(error), stamps)
    except MemoryError:
        raise ResponsesError(
            "A log must fit into the memory that is left;",
            f"{str(root / path)!r} does not.",
            "Close other programs, or read the other logs without it.",
        ) from None
    return _judge(path, harness, log, stamps)


def _find_reader(source: SourceFile, columns: LogColumns) -> Reader:
    for reader in READERS:
        if reader.recognises(source, columns):
            return reader
    shown = {"text": "text", "binary": "binary data", "zip": "an archive"}.get(source.kind, "JSON")
    raise ForeignFileError(f"{shown} of no known log format")


def _judge(path: str, harness: str, log: LogRows, stamps: tuple[Stamp, ...]) -> FileReading:
    """Say how well a file was read."""
    reason = "; ".join([*log.problems, *check_reports(log)])
    if log.left_out:
        reason = f"{log.left_out} samples left out; {reason}"
    status: Status = "read"
    if not log.run.size:
        status, reason = ("damaged" if log.left_out else "empty"), reason or "no samples"
    elif log.left_out:
        status = "partial"
    return FileReading(path, status, harness, reason, stamps, log)
