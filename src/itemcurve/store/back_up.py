"""Back-ups of a store while it is in use, and stores made of them."""

import contextlib
import shutil
import sqlite3
from pathlib import Path

from itemcurve.errors import StorageError
from itemcurve.storage.atomic_files import atomic_file
from itemcurve.storage.disk import copy_file, disk, make_folders
from itemcurve.storage.folder_swap import new_folder
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
    with new_folder(target, 0o700) as fresh:
        dialect = store.database.dialect
        if isinstance(dialect, SqliteDialect):
            _copy_database(dialect, fresh / _DATABASE)
        if (store.folder / _FILES).is_dir():
            _copy_files(store.folder / _FILES, fresh / _FILES)


def restore(source: Path, target: Path) -> Store:
    """Make a store of a back-up, in a new folder, and bring its schema up to date.

    The database comes last: without it nothing takes the folder for a store, and the same call
    goes on with what a crash left half restored.
    """
    if not (source / _DATABASE).is_file():
        raise StorageError(
            f"A back-up holds {_DATABASE};", f"{str(source)!r} does not.", "Name another folder."
        )
    if not _is_half_restored(source, target):
        raise StorageError(
            "A store is restored into a new folder;",
            f"{str(target)!r} is not empty.",
            "Name another one.",
        )
    make_folders(target, 0o700)
    for path in sorted(source.rglob("*")):
        own = target / path.relative_to(source)
        if path.is_dir():
            make_folders(own, 0o700)
        elif path.name != _DATABASE:
            disk().remove(own)
            copy_file(path, own)
            disk().sync_folder(own.parent)
    with atomic_file(target / _DATABASE) as copy, (source / _DATABASE).open("rb") as original:
        shutil.copyfileobj(original, copy)
    return open_store(target)


def _is_half_restored(source: Path, target: Path) -> bool:
    """Whether a folder holds nothing but what came from this back-up, and no database yet."""
    found = target.rglob("*") if target.is_dir() else iter(())
    # One that was being written has the name of a temporary file.
    found = (path for path in found if not path.match(f".{_DATABASE}.*.tmp"))
    is_known = all((source / path.relative_to(target)).exists() for path in found)
    return is_known and not (target / _DATABASE).exists()


def _copy_files(source: Path, target: Path) -> None:
    """Copy what is there: what is deleted meanwhile, or not finished yet, is no part of it."""
    disk().make_folder(target, 0o700)
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
                copy_file(path, target / path.name)
    disk().sync_folder(target)


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
