"""Locks between processes: one at a time writes a run folder or changes a session.

A lock is the operating system's, on a hidden file beside what it guards. It ends with the process,
however that ends: what a crash leaves behind is an unlocked file, which stands in nobody's way.
Where the file system has no locks, as on some network disks, a file that only one process can make
does the same (`named_locks`).
"""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from itemcurve.errors import StorageError
from itemcurve.storage.disk import disk
from itemcurve.storage.named_locks import describe_holder, leave_name, try_name
from itemcurve.storage.system_locks import try_lock, unlock

# Writing takes a moment even where disks are slow; who waits longer should know why.
PATIENCE = 60.0
_PAUSE = 0.02


class BusyError(StorageError):
    """Another process is at work on the same run folder or session."""


@contextmanager
def locked(path: str | os.PathLike[str], *, patience: float = PATIENCE) -> Iterator[None]:
    """Keep other processes from writing here while the block reads, changes and writes.

    Parameters
    ----------
    path : a run folder or a file, there or not yet; its parent must exist.
    patience : seconds to wait for another process.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, locked(f"{folder}/run"):
    ...     print("nobody else writes")
    nobody else writes
    """
    with _guarded(Path(path), "lock", patience):
        yield


@contextmanager
def claimed(path: str | os.PathLike[str]) -> Iterator[None]:
    """Keep other commands from working long for the same place, only to replace each other's work.

    Writing there for a moment, under `locked`, stays possible. A claim is not waited for.

    Parameters
    ----------
    path : what the block will write in the end.
    """
    with _guarded(Path(path), "claim", 0.0):
        yield


@contextmanager
def held_file(path: Path, *, patience: float = PATIENCE) -> Iterator[int]:
    """Open a file that exists to be changed in place, and keep other processes from doing so.

    The lock is on the file itself: for the moment of a change, where `locked` is for reading,
    thinking and writing.

    Parameters
    ----------
    patience : seconds to wait for another process.
    """
    deadline = time.monotonic() + patience
    by_name = _by_name(path)
    while True:
        descriptor = disk().open(path)
        is_held: bool | None = False
        is_ours = False
        try:
            is_held = try_lock(descriptor)
            is_ours = try_name(by_name) if is_held is None else is_held
            # Replaced since it was opened, it would take with it what is written now.
            if is_ours and os.path.samestat(os.fstat(descriptor), path.stat()):
                yield descriptor
                return
        finally:
            if is_held:
                unlock(descriptor)
            elif is_ours:
                leave_name(by_name)
            os.close(descriptor)
        if not is_ours and time.monotonic() >= deadline:
            raise _busy(path, by_name)
        time.sleep(0 if is_ours else _PAUSE)


@contextmanager
def _guarded(path: Path, kind: str, patience: float) -> Iterator[None]:
    target = path.resolve()
    guard = target.with_name(f".{target.name}.{kind}")
    descriptor = _acquire(guard, path, patience)
    try:
        yield
    finally:
        _release(descriptor, guard)


def _acquire(guard: Path, path: Path, patience: float) -> int | None:
    """Give the descriptor of the locked file; None where the lock is one by name."""
    deadline = time.monotonic() + patience
    by_name = _by_name(guard)
    while True:
        descriptor = _open(guard, path)
        is_locked = False if descriptor is None else try_lock(descriptor)
        # The former holder removes the file: a lock on a removed one would guard nothing.
        if descriptor is not None and is_locked and _is_still_there(descriptor, guard):
            return descriptor
        if descriptor is not None:
            os.close(descriptor)
        if is_locked:
            continue
        if is_locked is None:
            guard.unlink(missing_ok=True)
            if try_name(by_name):
                return None
        if time.monotonic() >= deadline:
            raise _busy(path, by_name)
        time.sleep(_PAUSE)


def _open(guard: Path, path: Path) -> int | None:
    """Open or make the file; None while another process removes it (Windows)."""
    options = os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        try:
            return os.open(guard, os.O_RDWR | options, 0o666)
        except PermissionError:
            if sys.platform == "win32":
                return None
            # Left by another user's crash: it cannot be written, but it can be locked.
            return os.open(guard, os.O_RDONLY | options, 0o666)
    except OSError as error:
        raise StorageError(
            "The folder to write to must exist and be writable;",
            f"{str(path.resolve().parent)!r} is not: {error.strerror or error}.",
            "Choose another path.",
        ) from error


def _release(descriptor: int | None, guard: Path) -> None:
    """Remove the file and let go of it, in the order that the system can do."""
    if descriptor is None:
        leave_name(_by_name(guard))
        return
    # Windows removes no open file, so that nobody can be waiting with a removed one.
    if sys.platform == "win32":
        unlock(descriptor)
        os.close(descriptor)
    # It stays where it is another user's, in a folder of many; unlocked, it is in nobody's way.
    with suppress(OSError):
        guard.unlink(missing_ok=True)
    if sys.platform != "win32":
        os.close(descriptor)


def _by_name(path: Path) -> Path:
    return path.with_name(f".{path.name.lstrip('.')}.held")


def _is_still_there(descriptor: int, guard: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), guard.lstat())
    except FileNotFoundError:
        return False


def _busy(path: Path, by_name: Path) -> StorageError:
    return describe_holder(by_name) or BusyError(
        "One process at a time may write a run folder or a session;",
        f"another is at work on {str(path)!r}.",
        "Wait until it has ended, or choose another path.",
    )
