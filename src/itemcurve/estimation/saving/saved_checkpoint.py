"""The checkpoint of an interrupted fit, kept beside the run folder that it was to write."""

import hashlib
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from itemcurve.errors import StorageError
from itemcurve.estimation.checkpoint import MemoryCheckpoint
from itemcurve.estimation.optimisation.iterate import Coordinates
from itemcurve.responses.matrix import Responses
from itemcurve.storage.disk import disk, make_folders
from itemcurve.storage.safe_npz import read_npz, write_npz

FORMAT = "itemcurve-course-1"
_FILE = "fit.npz"
# Seconds of work that a crash may cost, and how long writing may take as a share of them.
_PAUSE = 5.0
_LEAST_PAUSES = 20


class _KeptCheckpoint(MemoryCheckpoint):
    """A checkpoint that is also on disk, a few seconds old at most."""

    def __init__(self, beside: Path, mark: str) -> None:
        super().__init__(_read(beside / _FILE, mark))
        self._beside, self._mark = beside, mark
        self._next = time.monotonic() + _PAUSE

    def save(self, reached: Coordinates) -> None:
        super().save(reached)
        begun = time.monotonic()
        if begun < self._next:
            return
        # Where nothing can be written now, the result may find room in the end.
        with suppress(StorageError, OSError):
            self.write()
        spent = time.monotonic() - begun
        self._next = time.monotonic() + max(_PAUSE, _LEAST_PAUSES * spent)

    def write(self) -> None:
        """Put on disk where the searches stand."""
        arrays: dict[str, Any] = {"format": np.array(FORMAT), "mark": np.array(self._mark)}
        for search, parts in enumerate(self.reached):
            for index, part in enumerate(parts):
                arrays[f"climb_{search}_{index}"] = part
        make_folders(self._beside)
        write_npz(self._beside / _FILE, arrays)


@contextmanager
def kept_checkpoint(
    out: Path | None, responses: Responses, settings: object
) -> Iterator[MemoryCheckpoint]:
    """Give the checkpoint of a fit, kept beside `out` every few seconds and when interrupted.

    The next attempt with the same responses and settings starts from there. When the block
    succeeds, what was kept is removed.

    Parameters
    ----------
    out : the run folder to be written; None keeps nothing.
    settings : all that decides what is fitted; compared by how it is printed.
    """
    if out is None:
        yield MemoryCheckpoint()
        return
    place = out.resolve()
    beside = place.with_name(f"{place.name}.partial")
    mark = _mark(responses, settings)
    checkpoint = _KeptCheckpoint(beside, mark)
    try:
        yield checkpoint
    except KeyboardInterrupt:
        if checkpoint.reached:
            checkpoint.write()
        raise
    disk().remove_tree(beside)


def _mark(responses: Responses, settings: object) -> str:
    """Hash what a checkpoint belongs to."""
    found = hashlib.sha256(repr(settings).encode())
    for ids in (responses.respondents, responses.items):
        found.update(repr(ids).encode())
    found.update(np.ascontiguousarray(responses.observed_values()).tobytes())
    found.update(np.ascontiguousarray(responses.counts(axis=0)).tobytes())
    found.update(np.ascontiguousarray(responses.means(axis=1)).tobytes())
    return found.hexdigest()


def _read(path: Path, mark: str) -> list[Coordinates]:
    """Give where the searches stood; nothing when the file is of another fit, or damaged."""
    if not path.is_file():
        return []
    try:
        arrays = read_npz(path)
        if str(arrays["format"]) != FORMAT or str(arrays["mark"]) != mark:
            return []
    except (StorageError, LookupError, ValueError):
        return []
    found: dict[int, list[Any]] = {}
    for name, values in arrays.items():
        if name.startswith("climb_"):
            found.setdefault(int(name.split("_")[1]), []).append(values)
    return [tuple(found[search]) for search in sorted(found)]
