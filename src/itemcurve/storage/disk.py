"""All that the library asks of a file system that changes it: one place, which tests replace.

A substitute stops at the n-th step, refuses it, or forgets what was never synced, as a power cut
does; that is how it is known what a crash leaves behind (`benchmarks/faults`).
"""

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

# On Windows a file that somebody reads cannot be replaced; readers take moments.
_PATIENCE = 5.0
_PAUSE = 0.02
_IS_WINDOWS = os.name == "nt"


class Disk:
    """The file system itself."""

    def create(self, path: Path) -> BinaryIO:
        """Open a file for writing that is not there yet, with the user's own umask."""
        return path.open("xb")

    def open(self, path: Path) -> int:
        """Open a file that is there, to read it and to change it in place."""
        return os.open(path, os.O_RDWR | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0))

    def write(self, descriptor: int, content: bytes) -> int:
        """Write where the file stands, and give how many bytes went there."""
        return os.write(descriptor, content)

    def truncate(self, descriptor: int, size: int) -> None:
        """Cut a file off at this size."""
        os.ftruncate(descriptor, size)

    def sync(self, descriptor: int) -> None:
        """Make what was written to a file survive a power cut."""
        os.fsync(descriptor)

    def sync_folder(self, folder: Path) -> None:
        """Make names in a folder survive a power cut, where the system has a way to ask for it."""
        if os.name != "posix":
            return
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def rename(self, source: Path, target: Path) -> None:
        """Give a file or folder another name; a file that has it is replaced at once."""
        deadline = time.monotonic() + _PATIENCE
        while True:
            try:
                source.replace(target)
                return
            except PermissionError:
                if not _IS_WINDOWS or time.monotonic() >= deadline:
                    raise
            time.sleep(_PAUSE)

    def link(self, source: Path, target: Path) -> None:
        """Give a file a second name; an error where the file system has no such thing."""
        os.link(source, target)

    def make_folder(self, path: Path, mode: int = 0o777) -> None:
        """Make one folder that is not there yet."""
        path.mkdir(mode)

    def remove(self, path: Path) -> None:
        """Remove a file; one that is gone is fine."""
        path.unlink(missing_ok=True)

    def remove_tree(self, path: Path) -> None:
        """Remove a folder with all below it, as far as that goes."""
        shutil.rmtree(path, ignore_errors=True)


_in_use = Disk()


def disk() -> Disk:
    """Give the file system, or what stands in for it."""
    return _in_use


@contextmanager
def standing_in(substitute: Disk) -> Iterator[None]:
    """Put something in the place of the file system while the block runs."""
    global _in_use
    former, _in_use = _in_use, substitute
    try:
        yield
    finally:
        _in_use = former


def make_folders(path: Path, mode: int = 0o777) -> None:
    """Make a folder, and those above it, where they are not there; they survive a power cut."""
    if path.is_dir():
        return
    if path.parent != path:
        make_folders(path.parent, mode)
    with suppress(FileExistsError):
        disk().make_folder(path, mode)
        disk().sync_folder(path.parent)
    if not path.is_dir():
        raise FileExistsError(17, "File exists", str(path))


def copy_file(source: Path, target: Path) -> None:
    """Copy a file with its times and rights; the copy survives a power cut as the original does."""
    with source.open("rb") as original, disk().create(target) as copy:
        shutil.copyfileobj(original, copy, 2**20)
        copy.flush()
        disk().sync(copy.fileno())
    with suppress(OSError):
        shutil.copystat(source, target)
