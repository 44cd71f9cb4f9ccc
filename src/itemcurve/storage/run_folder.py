"""Run folders: the contract between the steps of an analysis.

A run holds documents (`<name>.json`), arrays (`<name>.npz`) and the manifest `run.json`.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any, TypeVar

from numpy.typing import NDArray

from itemcurve.errors import StorageError
from itemcurve.storage.atomic_files import write_bytes
from itemcurve.storage.file_locks import PATIENCE, BusyError, locked
from itemcurve.storage.folder_swap import (
    copy_files,
    locate_folder,
    make_parent,
    replaced_folder,
)
from itemcurve.storage.json_documents import LARGEST_DOCUMENT, pack_json, unpack_json
from itemcurve.storage.run_manifest import (
    MANIFEST,
    check_name,
    checksum,
    open_verified,
    pack_manifest,
    read_manifest,
)
from itemcurve.storage.safe_npz import LARGEST_TOTAL, read_npz, write_npz

Documents = Mapping[str, Mapping[str, Any]]
Arrays = Mapping[str, Mapping[str, NDArray[Any]]]
Found = TypeVar("Found")
# Nobody replaces a run that often while it is read.
_MOST_LOOKS = 20


@dataclass(frozen=True)
class Run:
    """A run folder whose files were found to agree with its manifest.

    Attributes
    ----------
    path
        The folder.
    files
        The SHA-256 of each file, by file name.
    """

    path: Path
    files: Mapping[str, str]

    def document(self, name: str) -> dict[str, Any]:
        """Read the document saved under this name."""
        with self._open(f"{name}.json", LARGEST_DOCUMENT) as file:
            return unpack_json(file.read(), str(self.path / f"{name}.json"))

    def arrays(self, name: str) -> dict[str, NDArray[Any]]:
        """Read the arrays saved under this name."""
        with self._open(f"{name}.npz", LARGEST_TOTAL) as file:
            return read_npz(file, name=str(self.path / f"{name}.npz"))

    def _open(self, file_name: str, limit: int) -> IO[bytes]:
        if file_name not in self.files:
            raise StorageError(
                "Only what was saved in a run can be read from it;",
                f"{str(self.path)!r} has no {file_name!r}.",
                f"It has: {', '.join(sorted(self.files)) or 'nothing'}.",
            )
        # Checked again at every reading: the folder may have changed since it was opened.
        return open_verified(self.path, file_name, self.files[file_name], limit)


def write_run(path: str | os.PathLike[str], documents: Documents, arrays: Arrays) -> None:
    """Write a whole run folder atomically, replacing a former run or an empty folder.

    A crash at any point leaves the former run or the new one readable; other processes that write
    here wait for their turn.

    Parameters
    ----------
    path
        The folder; refused when it holds something other than a run.
    documents
        What goes into `<name>.json`, by name; NaN and infinities become null.
    arrays
        What goes into `<name>.npz`, by name and then by array.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> from itemcurve.storage.run_folder import read_run, write_run
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_run(f"{folder}/run", {"config": {"model": "2pl"}}, {"fit": {"a": np.ones(2)}})
    ...     read_run(f"{folder}/run").document("config")
    {'model': '2pl'}
    """
    target = Path(path).resolve()
    _refuse_foreign(locate_folder(target))
    make_parent(target)
    with locked(target), replaced_folder(target) as fresh:
        _write_files(fresh, documents, arrays, {})


def update_run(path: str | os.PathLike[str], documents: Documents, arrays: Arrays) -> None:
    """Add documents and arrays to a run atomically; the same names are replaced.

    What else lies in the folder, such as a report, is kept. Processes that update the same run wait
    for their turn, so that what each adds is there in the end.

    Parameters
    ----------
    path
        The folder of an existing run.
    documents, arrays
        As for `write_run`.
    """
    target = Path(path).resolve()
    with locked(target):
        former = read_run(target)
        with replaced_folder(target) as fresh:
            copy_files(former.path, fresh)
            _write_files(fresh, documents, arrays, former.files)


def read_run(path: str | os.PathLike[str]) -> Run:
    """Open a run folder, checking its manifest and every file against its checksum.

    Safe on folders from strangers: nothing is executed, links are refused, sizes are limited.

    Parameters
    ----------
    path
        The folder that `write_run` wrote.
    """
    folder = locate_folder(Path(path).resolve())
    files = read_manifest(folder)
    for name, expected in files.items():
        limit = LARGEST_DOCUMENT if name.endswith(".json") else LARGEST_TOTAL
        open_verified(folder, name, expected, limit).close()
    return Run(folder, MappingProxyType(files))


def read_whole(path: str | os.PathLike[str], read: Callable[[Run], Found]) -> Found:
    """Give what `read` makes of a run, all of it from one and the same writing.

    Where another process replaces the folder between two files, the run is read once more.

    Parameters
    ----------
    path
        The folder that `write_run` wrote.
    read
        Called with the opened run, once as a rule.
    """
    for _ in range(_MOST_LOOKS):
        seen = _identity(path)
        try:
            return read(read_run(path))
        except StorageError:
            if _identity(path) == seen:
                raise
    return read(read_run(path))


def _identity(path: str | os.PathLike[str]) -> tuple[int, int] | None:
    """Tell a folder from the one that takes its place."""
    try:
        status = locate_folder(Path(path).resolve()).stat()
    except OSError:
        return None
    return status.st_ino, status.st_ctime_ns


@contextmanager
def beside_run(run: Run, name: str, *, patience: float = PATIENCE) -> Iterator[Path]:
    """Give the path of a file to write beside a run's own, as a report is.

    While the block writes, the run is held in its place. Refused where another process replaced it
    since it was opened, or where a stranger's link would lead the writer elsewhere.

    Parameters
    ----------
    run
        As it was opened.
    name
        Of the file.
    patience
        Seconds to wait for another process that writes.
    """
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(run.path, patience=patience))
        except BusyError:
            raise
        except StorageError:
            # Where nothing can be put beside the folder, nobody can replace it either.
            pass
        if not run.files.items() <= read_manifest(run.path).items():
            raise StorageError(
                "A run must stay as it is while files are written beside it;",
                f"another process has replaced {str(run.path)!r}.",
                "Run the same command again.",
            )
        path = run.path / name
        if path.is_symlink():
            raise StorageError(
                "Files in a run folder must be plain files;",
                f"{str(path)!r} is a link.",
                "Remove it, or write to another path.",
            )
        yield path


def _write_files(
    folder: Path, documents: Documents, arrays: Arrays, former: Mapping[str, str]
) -> None:
    """Write the files and then the manifest, which lists the former files too."""
    files = dict(former)
    for name, document in documents.items():
        file_name = f"{check_name(name)}.json"
        write_bytes(folder / file_name, pack_json(document, file_name))
        files[file_name] = _file_checksum(folder / file_name)
    for name, members in arrays.items():
        file_name = f"{check_name(name)}.npz"
        write_npz(folder / file_name, members)
        files[file_name] = _file_checksum(folder / file_name)
    write_bytes(folder / MANIFEST, pack_manifest(files))


def _file_checksum(path: Path) -> str:
    with path.open("rb") as file:
        return checksum(file)


def _refuse_foreign(folder: Path) -> None:
    """Raise when writing would destroy something that is not a run."""
    if not os.path.lexists(folder) or (folder.is_dir() and not any(folder.iterdir())):
        return
    try:
        # A damaged run may be written anew; a folder without a sound manifest may not.
        read_manifest(folder)
    except StorageError:
        raise StorageError(
            "A run is written to a new or empty folder, or over a former run;",
            f"{str(folder)!r} holds something else.",
            "Choose another path, or empty the folder yourself.",
        ) from None
