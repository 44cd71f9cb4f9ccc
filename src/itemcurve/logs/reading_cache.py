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
from itemcurve.logs.reading.log_rows import Batch, Measure, Report, Run
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
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
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
    batch = reading.batch
    names: dict[str, Any] = {
        field.name: getattr(reading, field.name)
        for field in dataclasses.fields(reading)
        if field.name not in ("batch", "stamps")
    }
    names["stamps"] = [dataclasses.astuple(stamp) for stamp in reading.stamps]
    arrays: dict[str, NDArray[Any]] = {}
    if batch is not None:
        names["batch"] = {
            "harness": batch.harness,
            "runs": [dataclasses.astuple(run) for run in batch.runs],
            "measures": [dataclasses.astuple(measure) for measure in batch.measures],
            "samples": batch.samples,
            "contents": batch.contents,
            "questions": batch.questions,
            "targets": batch.targets,
            "answers": batch.answers,
            "cost_unit": batch.cost_unit,
            "reports": [dataclasses.astuple(report) for report in batch.reports],
            "problems": batch.problems,
            "left_out": batch.left_out,
        }
        arrays |= {"codes": batch.codes, "numbers": batch.numbers}
    arrays["names"] = np.frombuffer(json.dumps(names).encode(), dtype=np.uint8)
    return arrays


def _unpack(arrays: dict[str, NDArray[Any]]) -> FileReading:
    names = json.loads(arrays["names"].tobytes())
    batch = names.pop("batch", None)
    stamps = tuple(Stamp(*stamp) for stamp in names.pop("stamps"))
    if batch is None:
        return FileReading(**names, stamps=stamps)
    codes, numbers = arrays["codes"], arrays["numbers"]
    samples = len(batch["samples"])
    sizes = (
        *(len(batch["runs"]), samples, len(batch["measures"])),
        *(2**31, 3, len(batch["answers"])),
    )
    if (
        numbers.shape[0] != 2
        or codes.shape != (len(sizes), numbers.shape[1])
        or any(len(batch[name]) != samples for name in ("contents", "questions", "targets"))
    ):
        raise ValueError("columns differ in length")
    for column, size in zip(codes, sizes, strict=True):
        if column.size and not 0 <= column.min() <= column.max() < size:
            raise ValueError("a code points nowhere")
    return FileReading(**names, stamps=stamps, batch=_unpack_batch(batch, codes, numbers))


def _unpack_batch(batch: dict[str, Any], codes: NDArray[Any], numbers: NDArray[Any]) -> Batch:
    return Batch(
        batch["harness"],
        tuple(Run(*run) for run in batch["runs"]),
        tuple(Measure(*measure) for measure in batch["measures"]),
        tuple(batch["samples"]),
        tuple(batch["contents"]),
        codes.astype(np.int32, copy=False),
        numbers.astype(np.float64, copy=False),
        tuple(batch["questions"]),
        tuple(batch["targets"]),
        tuple(batch["answers"]),
        cost_unit=batch["cost_unit"],
        reports=tuple(Report(*report) for report in batch["reports"]),
        problems=tuple(batch["problems"]),
        left_out=batch["left_out"],
    )
