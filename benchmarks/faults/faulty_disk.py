"""A disk that stops at one of its steps, or refuses it; and remembers all steps before that."""

import errno
import io
import os
import signal
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from itemcurve.storage.disk import Disk

ERRORS = {"disk full": errno.ENOSPC, "disk fails": errno.EIO}


class StoppedError(BaseException):
    """The process dies: no handler of ordinary errors runs."""


@dataclass(frozen=True)
class Step:
    """One change asked of a disk: its kind, and what it is of."""

    kind: str
    details: tuple[Any, ...]


@dataclass
class FaultyDisk(Disk):
    """The file system below a folder, with a fault at one step.

    Parameters
    ----------
    root : steps elsewhere pass unseen.
    at : the number of the step that fails, from 0; None lets all pass.
    fault : an error number; `"stop"` raises `StoppedError` and leaves everything as it is from
        there on, `"kill"` ends the process. Of a write, the first half is done.
    """

    root: Path
    at: int | None = None
    fault: int | str = "stop"
    steps: list[Step] = field(default_factory=list)
    is_stopped: bool = False
    _handles: dict[int, int] = field(default_factory=dict)

    def create(self, path: Path) -> BinaryIO:
        """Open a new file whose every write is a step."""
        if not self._is_ours(path):
            return super().create(path)
        self._before()
        raw = _WatchedFile(self, path.open("xb", buffering=0))
        self._note("create", path, self._handle(raw.fileno()))
        return io.BufferedWriter(raw)  # type: ignore[return-value, arg-type]

    def open(self, path: Path) -> int:
        """Open a file to change it in place; that in itself is no step."""
        descriptor = super().open(path)
        if self._is_ours(path):
            self._note_quietly("open", path, self._handle(descriptor))
        return descriptor

    def write(self, descriptor: int, content: bytes) -> int:
        """Write, or only half of it."""
        if descriptor not in self._handles:
            return super().write(descriptor, content)
        if self.is_stopped:
            # What a dead process had in its buffers goes nowhere.
            return len(content)
        place = os.lseek(descriptor, 0, os.SEEK_CUR)
        if self._is_next() and len(content) > 1:
            content = content[: len(content) // 2]
            os.write(descriptor, content)
        self._before()
        written = os.write(descriptor, content)
        self._note("write", self._handles[descriptor], place, content[:written])
        return written

    def truncate(self, descriptor: int, size: int) -> None:
        """Cut off."""
        if descriptor not in self._handles:
            return super().truncate(descriptor, size)
        self._before()
        super().truncate(descriptor, size)
        return self._note("truncate", self._handles[descriptor], size)

    def sync(self, descriptor: int) -> None:
        """Sync; nothing needs to reach the disk itself for what is tested here."""
        if descriptor in self._handles:
            self._before()
            self._note("sync", self._handles[descriptor])

    def sync_folder(self, folder: Path) -> None:
        """Sync names."""
        if self._is_ours(folder):
            self._before()
            self._note("sync folder", folder)

    def rename(self, source: Path, target: Path) -> None:
        """Rename."""
        self._change("rename", source, target)

    def link(self, source: Path, target: Path) -> None:
        """Link."""
        self._change("link", source, target)

    def make_folder(self, path: Path, mode: int = 0o777) -> None:
        """Make a folder."""
        self._change("make folder", path, mode)

    def remove(self, path: Path) -> None:
        """Remove a file; one that is not there is no step."""
        if os.path.lexists(path):
            self._change("remove", path)

    def remove_tree(self, path: Path) -> None:
        """Remove what is in a folder one by one, as the file system does."""
        if not path.is_dir():
            return
        with suppress(OSError):
            for inner in sorted(path.iterdir()):
                if inner.is_dir() and not inner.is_symlink():
                    self.remove_tree(inner)
                else:
                    self.remove(inner)
            if self._is_ours(path):
                self._before()
            path.rmdir()
            self._note_quietly("remove folder", path)

    def _change(self, kind: str, path: Path, *more: Any) -> None:
        plain = getattr(super(), kind.replace(" ", "_"))
        if not self._is_ours(path):
            plain(path, *more)
            return
        self._before()
        plain(path, *more)
        self._note(kind, path, *more)

    def _is_ours(self, path: Path) -> bool:
        return path.absolute().is_relative_to(self.root)

    def _is_next(self) -> bool:
        return self.at == len(self.steps) and not self.is_stopped

    def _before(self) -> None:
        """Fail, if it is time."""
        if self.is_stopped:
            raise StoppedError
        if not self._is_next():
            return
        if self.fault == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.fault == "stop":
            self.is_stopped = True
            raise StoppedError
        assert isinstance(self.fault, int)
        # Once: what is tidied up after the error works again.
        self.at = None
        raise OSError(self.fault, os.strerror(self.fault))

    def _note(self, kind: str, *details: Any) -> None:
        known = (part.absolute() if isinstance(part, Path) else part for part in details)
        self.steps.append(Step(kind, tuple(known)))

    def _note_quietly(self, kind: str, *details: Any) -> None:
        if isinstance(details[0], Path) and self._is_ours(details[0]):
            self._note(kind, *details)

    def _handle(self, descriptor: int) -> int:
        """Number an open file; descriptors are used again after it is closed."""
        self._handles[descriptor] = len(self.steps)
        return self._handles[descriptor]


class _WatchedFile(io.RawIOBase):
    """An open file that asks the disk for every write."""

    def __init__(self, disk: FaultyDisk, file: io.FileIO) -> None:
        self._disk, self._file = disk, file

    def write(self, content: Any) -> int:
        return self._disk.write(self._file.fileno(), bytes(content))

    def seek(self, place: int, whence: int = 0) -> int:
        return self._file.seek(place, whence)

    def tell(self) -> int:
        return self._file.tell()

    def fileno(self) -> int:
        return self._file.fileno()

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def close(self) -> None:
        try:
            super().close()
        finally:
            self._disk._handles.pop(self._file.fileno(), None) if not self._file.closed else None
            self._file.close()
