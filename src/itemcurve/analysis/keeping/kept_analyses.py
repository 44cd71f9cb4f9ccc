"""The file of kept analyses in a run folder, read without trusting it.

`analyses.npz` lies beside the files that the manifest lists, not among them: a run is whole without
it, and damage to it costs a computation, never the run. Every analysis has its version there, and a
mark of the files that it was computed from. What is of another version, of another fit, damaged or
unsound is computed again, and a `StorageWarning` says so.
"""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib import metadata
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import StorageError, StorageWarning
from itemcurve.storage.run_folder import Run, beside_run
from itemcurve.storage.run_manifest import open_member
from itemcurve.storage.safe_npz import read_npz, write_npz

FILE = "analyses.npz"
FORMAT = "itemcurve-analyses-1"
# What an analysis of a fit depends on, as far as a run has it.
FIT_FILES = ("fit.json", "fit.npz", "responses.npz", "draws.npz")
_LARGEST = 2**28
_ABOUT = "about"
# Nobody waits long for the sake of a later reader.
_PATIENCE = 1.0

Arrays = Mapping[str, NDArray[Any]]
Found = TypeVar("Found")


@dataclass(frozen=True)
class Kind(Generic[Found]):
    """An analysis that is kept.

    Attributes
    ----------
    version : to be raised whenever the same run gives other numbers or words than before.
    files : of the run, that it is computed from.
    pack : gives it as arrays.
    unpack : reads it back; raises `ValueError` or `LookupError` where the arrays are not sound.
    """

    name: str
    version: int
    files: tuple[str, ...]
    pack: Callable[[Found], dict[str, NDArray[Any]]]
    unpack: Callable[[Arrays], Found]


class KeptAnalyses:
    """The analyses that a run holds, and those found since it was opened.

    Parameters
    ----------
    run : the opened run.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self._is_changed = False
        self._arrays = self._read()

    def find(self, kind: Kind[Found]) -> Found | None:
        """Give a kept analysis; None where there is none that can be used."""
        own = {
            name.removeprefix(f"{kind.name}."): array
            for name, array in self._arrays.items()
            if name.startswith(f"{kind.name}.")
        }
        if not own:
            return None
        try:
            self._check(kind, own.pop(_ABOUT))
            return kind.unpack(own)
        except (LookupError, TypeError, ValueError) as error:
            self._refuse(f"{kind.name}: {error}")
            return None

    def get(self, kind: Kind[Found], compute: Callable[[], Found]) -> Found:
        """Give a kept analysis, or compute it and keep it."""
        found = self.find(kind)
        if found is None:
            found = compute()
            self.add(kind, found)
        return found

    def add(self, kind: Kind[Found], found: Found) -> None:
        """Take up an analysis, to be written with the others."""
        about = np.array([str(kind.version), self._mark(kind), _installed_version()])
        others = {n: a for n, a in self._arrays.items() if not n.startswith(f"{kind.name}.")}
        own = {f"{kind.name}.{name}": array for name, array in kind.pack(found).items()}
        self._arrays = {**others, f"{kind.name}.{_ABOUT}": about, **own}
        self._is_changed = True

    def write(self) -> None:
        """Store what is new; a run that cannot be written is no reason to fail."""
        if not self._is_changed:
            return
        try:
            with beside_run(self._run, FILE, patience=_PATIENCE) as path:
                write_npz(path, {"format": np.array(FORMAT), **self._arrays})
        except StorageError:
            return
        self._is_changed = False

    def _read(self) -> dict[str, NDArray[Any]]:
        if not (self._run.path / FILE).exists():
            return {}
        try:
            with open_member(self._run.path, FILE, _LARGEST) as file:
                arrays = read_npz(file, limit=_LARGEST, name=FILE)
        except StorageError as error:
            self._refuse(f"they are damaged ({error})")
            return {}
        if str(arrays.pop("format", "")) != FORMAT:
            self._refuse(f"their format is not {FORMAT}")
            return {}
        return arrays

    def _check(self, kind: Kind[Found], about: NDArray[Any]) -> None:
        version, mark = (str(text) for text in about[:2])
        if version != str(kind.version):
            raise ValueError("it is of another version")
        if mark != self._mark(kind):
            raise ValueError("it is of another fit")

    def _mark(self, kind: Kind[Found]) -> str:
        files = self._run.files
        known = "\n".join(f"{name} {files[name]}" for name in kind.files if name in files)
        return sha256(known.encode()).hexdigest()

    def _refuse(self, reason: str) -> None:
        warnings.warn(
            f"Analyses kept in {str(self._run.path / FILE)!r} are not used: {reason}. They are "
            "computed again.",
            StorageWarning,
            stacklevel=2,
        )


def _installed_version() -> str:
    """For people who look into the file; nothing depends on it."""
    try:
        return metadata.version("itemcurve")
    except metadata.PackageNotFoundError:
        return "unknown"
