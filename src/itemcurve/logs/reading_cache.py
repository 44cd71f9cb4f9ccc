"""What was read before, kept so that only files that changed are read again.

One npz file per log, without pickle, in the user's cache folder: codes and numbers, and a JSON
document with names and the stamps (size, time of last change) of all files it was read from.
"""

import dataclasses
import hashlib
import json
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import StorageError
from itemcurve.logs.file_reading import FileReading, Stamp, stamp_file
from itemcurve.logs.formats.columns import LogColumns
from itemcurve.logs.reading.log_rows import LogMeasure, LogRows, LogRun, ReportedMean
from itemcurve.storage.disk import make_folders
from itemcurve.storage.safe_npz import read_npz, write_npz

# Raise when readers give other rows for the same bytes.
_FORMAT = "itemcurve-log-2"
# A file that changed this recently may change again within the resolution of its time.
_SETTLED_SECONDS = 2.0


@dataclass(frozen=True)
class ReadingCache:
    """Readings of the files below one folder, by their path and the columns they were read with."""

    folder: Path
    root: Path
    columns: LogColumns

    def find(self, path: str) -> FileReading | None:
        """Give the reading of a file, where neither it nor its companions changed since."""
        entry = self._entry(path)
        if not entry.is_file():
            return None
        try:
            arrays = read_npz(entry)
            reading = _unpack(arrays)
        except (StorageError, KeyError, TypeError, ValueError, RecursionError, IndexError):
            return None
        is_current = reading.path == path and all(
            stamp_file(self.root, stamp.path) == stamp for stamp in reading.stamps
        )
        return reading if is_current else None

    def keep(self, reading: FileReading) -> None:
        """Store a reading; where the folder cannot be written, go without."""
        newest = max(stamp.modified for stamp in reading.stamps)
        if newest / 1e9 > time.time() - _SETTLED_SECONDS:
            return
        try:
            make_folders(self.folder, 0o700)
            write_npz(self._entry(reading.path), _pack(reading))
        except (OSError, StorageError):
            return

    def _entry(self, path: str) -> Path:
        key = json.dumps([_FORMAT, str(self.root), path, self.columns.describe()])
        return self.folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.npz"


def default_folder(root: Path) -> Path:
    """Name the folder of readings for the logs below a root."""
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    home = Path(base) if base else Path.home() / ".cache"
    key = hashlib.sha256(str(root).encode()).hexdigest()[:16]
    return home / "itemcurve" / "logs" / key


def _pack(reading: FileReading) -> dict[str, NDArray[Any]]:
    log = reading.log
    names: dict[str, Any] = {
        field.name: getattr(reading, field.name)
        for field in dataclasses.fields(reading)
        if field.name not in ("log", "stamps")
    }
    names["stamps"] = [dataclasses.astuple(stamp) for stamp in reading.stamps]
    arrays: dict[str, NDArray[Any]] = {}
    if log is not None:
        names["batch"] = {
            "harness": log.harness,
            "runs": [dataclasses.astuple(run) for run in log.runs],
            "measures": [dataclasses.astuple(measure) for measure in log.measures],
            "samples": log.samples,
            "contents": log.contents,
            "questions": log.questions,
            "targets": log.targets,
            "answers": log.answers,
            "cost_unit": log.cost_unit,
            "reports": [dataclasses.astuple(report) for report in log.reports],
            "problems": log.problems,
            "left_out": log.left_out,
        }
        arrays |= {"codes": log.codes, "numbers": log.numbers}
    arrays["names"] = np.frombuffer(json.dumps(names).encode(), dtype=np.uint8)
    return arrays


def _unpack(arrays: dict[str, NDArray[Any]]) -> FileReading:
    names = json.loads(arrays["names"].tobytes())
    log = names.pop("batch", None)
    stamps = tuple(Stamp(*stamp) for stamp in names.pop("stamps"))
    if log is None:
        return FileReading(**names, stamps=stamps)
    codes, numbers = arrays["codes"], arrays["numbers"]
    samples = len(log["samples"])
    sizes = (
        *(len(log["runs"]), samples, len(log["measures"])),
        *(2**31, 3, len(log["answers"])),
    )
    if (
        numbers.shape[0] != 2
        or codes.shape != (len(sizes), numbers.shape[1])
        or any(len(log[name]) != samples for name in ("contents", "questions", "targets"))
    ):
        raise ValueError("columns differ in length")
    for column, size in zip(codes, sizes, strict=True):
        if column.size and not 0 <= column.min() <= column.max() < size:
            raise ValueError("a code points nowhere")
    return FileReading(**names, stamps=stamps, log=_unpack_rows(log, codes, numbers))


def _unpack_rows(log: dict[str, Any], codes: NDArray[Any], numbers: NDArray[Any]) -> LogRows:
    return LogRows(
        log["harness"],
        tuple(LogRun(*run) for run in log["runs"]),
        tuple(LogMeasure(*measure) for measure in log["measures"]),
        tuple(log["samples"]),
        tuple(log["contents"]),
        codes.astype(np.int32, copy=False),
        numbers.astype(np.float64, copy=False),
        tuple(log["questions"]),
        tuple(log["targets"]),
        tuple(log["answers"]),
        cost_unit=log["cost_unit"],
        reports=tuple(ReportedMean(*report) for report in log["reports"]),
        problems=tuple(log["problems"]),
        left_out=log["left_out"],
    )
