"""Locks where the file system has none: a file that only one can make, with its maker's name.

Such a lock does not end with its process. One left by a process of this machine that has ended is
taken over; of one from another machine nobody can tell, and the error says which file it is.
"""

import os
import secrets
import socket
from contextlib import suppress
from pathlib import Path

from itemcurve.errors import StorageError

_LONGEST = 300


def try_name(path: Path) -> bool:
    """Make the file of a lock; whether nobody else has it."""
    for _ in range(2):
        try:
            descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644)
        except FileExistsError:
            if not _take_over(path):
                return False
            continue
        try:
            os.write(descriptor, f"{socket.gethostname()} {os.getpid()}\n".encode())
        finally:
            os.close(descriptor)
        return True
    return False


def leave_name(path: Path) -> None:
    """Let others have it."""
    path.unlink(missing_ok=True)


def describe_holder(path: Path) -> StorageError | None:
    """Give the error to raise where another machine's process holds a lock, or did; else None."""
    host, process = _holder(path)
    if not host or host == socket.gethostname():
        return None
    return StorageError(
        "One process at a time may write a run folder or a session;",
        f"process {process} of the machine {host} is at work, or was killed: {str(path)!r}.",
        "Wait until it has ended; if it is not there any more, remove that file.",
    )


def _take_over(path: Path) -> bool:
    """Remove a lock whose process has ended; whether that was so."""
    host, process = _holder(path)
    if host != socket.gethostname() or _is_alive(process):
        return False
    # Of two that see the same dead lock, one gets it out of the way.
    aside = path.with_name(f"{path.name}.{secrets.token_hex(6)}")
    try:
        path.rename(aside)
    except OSError:
        return False
    is_same = _holder(aside) == (host, process)
    if not is_same:
        with suppress(OSError):
            os.link(aside, path)
    aside.unlink(missing_ok=True)
    return is_same


def _holder(path: Path) -> tuple[str, int]:
    """Read who made a lock; a file that is being written has no maker yet."""
    try:
        host, process = path.read_bytes()[:_LONGEST].decode().split()
        return host, int(process)
    except (OSError, ValueError):
        return "", 0


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
