"""The checkpoint of an interrupted fit, kept beside the run folder that it was to write."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
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


@contextmanager
def kept_checkpoint(
    out: Path | None, responses: Responses, settings: object
) -> Iterator[MemoryCheckpoint]:
    """Give the checkpoint of a fit; when the block is interrupted, keep it beside `out`.

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
    checkpoint = MemoryCheckpoint(_read(beside / _FILE, mark))
    try:
        yield checkpoint
    except KeyboardInterrupt:
        if checkpoint.reached:
            _write(beside, mark, checkpoint)
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


def _write(beside: Path, mark: str, checkpoint: MemoryCheckpoint) -> None:
    arrays: dict[str, Any] = {"format": np.array(FORMAT), "mark": np.array(mark)}
    for search, parts in enumerate(checkpoint.reached):
        for index, part in enumerate(parts):
            arrays[f"climb_{search}_{index}"] = part
    make_folders(beside)
    write_npz(beside / _FILE, arrays)


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
