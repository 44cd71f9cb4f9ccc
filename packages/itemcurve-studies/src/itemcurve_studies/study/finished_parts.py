"""Finished parts of a long study, kept so that an interrupted run resumes where it stopped."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from itemcurve.estimation.result import FitResult
from itemcurve.estimation.saving.saved_fit import load
from itemcurve.storage.atomic_files import write_bytes
from itemcurve.storage.json_documents import pack_json, unpack_json
from itemcurve.storage.safe_npz import read_npz, write_npz
from itemcurve.storage.tables import pack_table, unpack_table

if TYPE_CHECKING:
    import pandas

Tables = Mapping[str, "pandas.DataFrame"]
Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class FinishedParts:
    """A folder of finished parts; None keeps nothing.

    A part is named after all its settings; the name becomes that of a file or folder.

    Examples
    --------
    >>> import pandas
    >>> parts = FinishedParts(None)
    >>> made = parts.tables("first", lambda: {"rows": pandas.DataFrame({"x": [1]})})
    >>> made["rows"]["x"].tolist()
    [1]
    """

    folder: Path | None

    def tables(self, name: str, make: Callable[[], Tables]) -> Tables:
        """Give the tables of a part: read back where they were finished before, else made."""
        path = self._path(f"{name}.json")
        if path is not None and path.exists():
            return _unpack(unpack_json(path.read_bytes(), name))
        document = {key: pack_table(table, key) for key, table in make().items()}
        content = pack_json(document, name)
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_bytes(path, content)
        # Read what was written, so that a resumed run and a fresh one see the same numbers.
        return _unpack(unpack_json(content, name))

    def arrays(self, name: str, make: Callable[[], Arrays]) -> Arrays:
        """Give the arrays of a part, likewise."""
        path = self._path(f"{name}.npz")
        if path is not None and path.exists():
            return read_npz(path)
        made = make()
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_npz(path, made)
        return made

    def has_arrays(self, name: str) -> bool:
        """Whether the arrays of a part are there."""
        path = self._path(f"{name}.npz")
        return path is not None and path.exists()

    def fit(self, name: str, make: Callable[[], FitResult]) -> FitResult:
        """Give the fit of a part, likewise."""
        path = self._path(name)
        if path is not None and path.is_dir():
            return load(path)
        made = make()
        if path is not None:
            made.save(path)
        return made

    def _path(self, name: str) -> Path | None:
        return None if self.folder is None else self.folder / name


def join_parts(parts: "list[Tables]") -> "dict[str, pandas.DataFrame]":
    """Put the tables of the same name below one another."""
    import pandas

    names = list(dict.fromkeys(name for part in parts for name in part))
    return {
        name: pandas.concat([part[name] for part in parts if name in part], ignore_index=True)
        for name in names
    }


def _unpack(document: Mapping[str, object]) -> "dict[str, pandas.DataFrame]":
    found = {}
    for name, packed in document.items():
        table = unpack_table(packed, name)  # type: ignore[arg-type]
        empty = [column for column in table if table[column].isna().all()]
        found[name] = table.astype(dict.fromkeys(empty, float))
    return found
