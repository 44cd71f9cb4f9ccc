"""Folders that are replaced as a whole, so that a crash leaves the old one or the new one."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from itemcurve.errors import StorageError
from itemcurve.storage.disk import copy_file, disk, make_folders
from itemcurve.storage.file_locks import locked


def locate_folder(path: Path) -> Path:
    """Give the folder, or the copy set aside if a writer died between the two renames."""
    previous = _previous(path)
    return previous if not path.exists() and previous.is_dir() else path


def is_folder(path: Path) -> bool:
    """Whether there is one, be it the copy set aside by a writer that died."""
    return locate_folder(path).is_dir()


def make_parent(path: Path) -> None:
    """Make the folder that a folder goes to."""
    try:
        make_folders(path.parent)
    except OSError as error:
        raise _unwritable(path, error) from error


@contextmanager
def new_folder(path: Path, mode: int = 0o777) -> Iterator[Path]:
    """Give a folder to fill; it takes a name that is free, or an empty folder's, when it is full.

    Parameters
    ----------
    path
        Its name once everything is in it; a crash before that leaves nothing there.
    mode
        Who may look into it.
    """
    if path.exists():
        _refuse_used(path)
    target = path.resolve()
    make_parent(target)
    with locked(target), replaced_folder(target, mode) as fresh:
        yield fresh


def _refuse_used(path: Path) -> None:
    if not path.is_dir():
        what = "a file"
    elif path.is_mount():
        # It cannot get another folder's content at once.
        what = "where a disk begins"
    elif any(path.iterdir()):
        what = "not empty"
    else:
        return
    raise StorageError(
        "A new or empty folder is needed;",
        f"{str(path)!r} is {what}.",
        "Name another one, or one below it.",
    )


@contextmanager
def replaced_folder(path: Path, mode: int = 0o777) -> Iterator[Path]:
    """Give a new empty folder to fill; it takes the place of the old one when all went well.

    The old folder is set aside under a fixed hidden name, the new one takes its name, and the old
    one is removed. `locate_folder` finds the old one should a crash come between the two renames;
    what else a crash leaves behind are hidden neighbours that nothing reads, and that the next
    writer removes.

    Parameters
    ----------
    path
        The folder to create or replace, locked by the caller; its parent must exist.
    mode
        Who may look into it.
    """
    fresh = path.with_name(f"{_fresh(path)}{secrets.token_hex(6)}")
    try:
        _remove_leftovers(path)
        disk().make_folder(fresh, mode)
        yield fresh
        disk().sync_folder(fresh)
        _swap(fresh, path)
    except OSError as error:
        raise _unwritable(path, error) from error
    finally:
        disk().remove_tree(fresh)


@contextmanager
def files_together(main: Path) -> Iterator[Path]:
    """Give a folder to write files into that belong together; they take their places at the end.

    Where one of them cannot be written, none is replaced. The main one comes last: where it is
    new, its companions are.

    Parameters
    ----------
    main
        The file that the others belong to; all go to its folder, which must exist.
    """
    with locked(main):
        fresh = main.with_name(f"{_fresh(main)}{secrets.token_hex(6)}")
        try:
            _remove_leftovers(main)
            disk().make_folder(fresh)
            yield fresh
            for file in sorted(fresh.iterdir()):
                if file.name != main.name:
                    disk().rename(file, main.with_name(file.name))
            # A power cut may otherwise keep the last name and forget the others.
            disk().sync_folder(main.parent)
            if (fresh / main.name).exists():
                disk().rename(fresh / main.name, main)
            disk().sync_folder(main.parent)
        except OSError as error:
            raise _unwritable(main, error) from error
        finally:
            disk().remove_tree(fresh)


def _remove_leftovers(path: Path) -> None:
    """Remove what writers left who died: under the lock, no new folder can be of a living one."""
    for neighbour in path.parent.iterdir():
        if neighbour.name.startswith(_fresh(path)):
            disk().remove_tree(neighbour)


def _swap(fresh: Path, path: Path) -> None:
    """Set the old folder aside, and move the new one into its place."""
    previous = _previous(path)
    if path.exists():
        # A copy set aside by an earlier crash is out of date once the folder itself exists.
        disk().remove_tree(previous)
        disk().rename(path, previous)
    try:
        disk().rename(fresh, path)
    except OSError:
        if previous.exists() and not path.exists():
            disk().rename(previous, path)
        raise
    disk().sync_folder(path.parent)
    disk().remove_tree(previous)


def copy_files(source: Path, target: Path) -> None:
    """Copy the plain files of a folder, by hard links where the file system has them."""
    for file in sorted(source.iterdir()):
        if file.is_symlink() or not file.is_file():
            continue
        try:
            disk().link(file, target / file.name)
        except OSError:
            copy_file(file, target / file.name)


def _previous(path: Path) -> Path:
    return path.with_name(f".{path.name}.previous")


def _fresh(path: Path) -> str:
    return f".{path.name}.new-"


def _unwritable(path: Path, error: OSError) -> StorageError:
    return StorageError(
        "The parent folder must be writable, with space left;",
        f"writing {str(path)!r} failed: {error.strerror or error}.",
        "Choose another path, or try again.",
    )
