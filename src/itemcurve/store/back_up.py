"""Back-ups of a store while it is in use, and stores made of them."""

import contextlib
import shutil
import sqlite3
from pathlib import Path

from itemcurve.errors import StorageError
from itemcurve.store.data_folder import Store, open_store
from itemcurve.store.sqlite_dialect import SqliteDialect

_DATABASE = "itemcurve.db"
_FILES = "tenants"
# A file that is being received, the folder of a job.
_UNFINISHED = (".part", ".work")


def back_up(store: Store, target: Path) -> None:
    """Copy a store into a new folder; servers may go on writing meanwhile.

    The database first, as of one moment; then the files, which never change once they are named
    in it. A PostgreSQL database is backed up by its own tools, here only the files.
    """
    if target.exists() and any(target.iterdir()):
        raise StorageError(
            "A back-up needs a new folder;", f"{str(target)!r} is not empty.", "Name another one."
        )
    target.mkdir(mode=0o700, parents=True, exist_ok=True)
    dialect = store.database.dialect
    if isinstance(dialect, SqliteDialect):
        _copy_database(dialect, target / _DATABASE)
    if (store.folder / _FILES).is_dir():
        _copy_files(store.folder / _FILES, target / _FILES)


def restore(source: Path, target: Path) -> Store:
    """Make a store of a back-up, in a new folder, and bring its schema up to date."""
    if not (source / _DATABASE).is_file():
        raise StorageError(
            f"A back-up holds {_DATABASE};", f"{str(source)!r} does not.", "Name another folder."
        )
    if target.exists() and any(target.iterdir()):
        raise StorageError(
            "A store is restored into a new folder;", f"{str(target)!r} is not empty.", ""
        )
    shutil.copytree(source, target, dirs_exist_ok=True)
    return open_store(target)


def _copy_files(source: Path, target: Path) -> None:
    """Copy what is there: what is deleted meanwhile, or not finished yet, is no part of it."""
    target.mkdir(mode=0o700)
    try:
        found = sorted(source.iterdir())
    except FileNotFoundError:
        return
    for path in found:
        if path.is_symlink() or path.suffix in _UNFINISHED:
            continue
        if path.is_dir():
            _copy_files(path, target / path.name)
        else:
            with contextlib.suppress(FileNotFoundError):
                shutil.copy2(path, target / path.name)


def _copy_database(dialect: SqliteDialect, target: Path) -> None:
    source = dialect.connect()
    try:
        copy = sqlite3.connect(target)
        with copy:
            source.backup(copy)
            is_sound = copy.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        copy.close()
    finally:
        source.close()
    if not is_sound:
        raise StorageError(
            "A back-up must be sound;", f"{str(target)!r} is damaged.", "Restore an earlier one."
        )
