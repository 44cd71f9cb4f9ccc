"""The manifest of a run folder: its format, its version and the checksum of every file."""

import hashlib
import os
import re
import stat
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import IO

from itemcurve.errors import StorageError
from itemcurve.storage.json_documents import LARGEST_DOCUMENT, pack_json, unpack_json

MANIFEST = "run.json"
FORMAT = "itemcurve-run"
VERSION = 1
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")
_FILE = re.compile(_NAME.pattern + r"\.(json|npz)")
_CHECKSUM = re.compile(r"[0-9a-f]{64}")


def check_name(name: str) -> str:
    """Accept a short name of letters, digits, - and _ that is not the manifest's own."""
    if not _NAME.fullmatch(name) or name == "run":
        raise StorageError(
            "Names in a run must be letters, digits, - and _, at most 100, and not 'run';",
            f"given is {name!r}.",
            "Choose a name such as 'fit'.",
        )
    return name


def pack_manifest(files: Mapping[str, str]) -> bytes:
    """Give the bytes of a manifest for files and their checksums."""
    # Asked of the installation: importing the package itself would turn the layers upside down.
    try:
        itemcurve_version = metadata.version("itemcurve")
    except metadata.PackageNotFoundError:
        itemcurve_version = "unknown"
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "itemcurve": itemcurve_version,
        "files": files,
    }
    return pack_json(manifest, MANIFEST)


def read_manifest(folder: Path) -> dict[str, str]:
    """Read and check the manifest of a run folder; give the checksum of each file."""
    if not folder.is_dir():
        is_file = folder.is_file()
        raise StorageError(
            "A run is a folder that `itemcurve fit --out` wrote;",
            f"{str(folder)!r} is a file." if is_file else f"there is no folder {str(folder)!r}.",
            f"Run `itemcurve fit {folder.name} --out run` first." if is_file else "Check the path.",
        )
    if not os.path.lexists(folder / MANIFEST):
        raise _not_a_run(folder, f"it has no {MANIFEST}")
    with open_member(folder, MANIFEST, LARGEST_DOCUMENT) as file:
        manifest = unpack_json(file.read(), str(folder / MANIFEST))
    if manifest.get("format") != FORMAT:
        raise _not_a_run(folder, f"the format in its {MANIFEST} is {manifest.get('format')!r}")
    _check_version(manifest.get("version"), folder)
    return _check_files(manifest.get("files"), folder)


def checksum(file: IO[bytes]) -> str:
    """Give the SHA-256 of an open file, and go back to its start."""
    digest = hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]
    file.seek(0)
    return digest


def open_member(folder: Path, name: str, limit: int) -> IO[bytes]:
    """Open a file of the run; links, pipes, folders and oversized files are refused."""
    path = folder / name
    try:
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode):
            raise _damaged(path, "it is a link or no plain file")
        if status.st_size > limit:
            raise _damaged(path, f"it has {status.st_size} bytes, over {limit}")
        return path.open("rb")
    except FileNotFoundError:
        raise _damaged(path, "it is missing") from None
    except OSError as error:
        raise _damaged(path, f"it cannot be opened ({error.strerror})") from error


def open_verified(folder: Path, name: str, expected: str, limit: int) -> IO[bytes]:
    """Open a file of the run whose checksum agrees with the manifest."""
    file = open_member(folder, name, limit)
    try:
        if checksum(file) == expected:
            return file
    except OSError as error:
        file.close()
        raise _damaged(folder / name, f"it cannot be read ({error.strerror})") from error
    file.close()
    raise _damaged(folder / name, f"its checksum disagrees with {MANIFEST}")


def _check_version(version: object, folder: Path) -> None:
    if type(version) is not int or version < 1:
        raise _not_a_run(folder, f"the version in its {MANIFEST} is {version!r}")
    if version > VERSION:
        raise StorageError(
            f"This itemcurve reads runs up to version {VERSION};",
            f"{str(folder)!r} has version {version}.",
            "Upgrade with `pip install --upgrade itemcurve`.",
        )


def _check_files(files: object, folder: Path) -> dict[str, str]:
    """Accept plain file names with checksums: none may point outside the folder."""
    if not isinstance(files, dict):
        raise _not_a_run(folder, f"its {MANIFEST} lists no files")
    checked: dict[str, str] = {}
    for name, digest in files.items():
        if not _FILE.fullmatch(name) or name == MANIFEST:
            raise _not_a_run(folder, f"its {MANIFEST} lists a file named {name!r}")
        if not isinstance(digest, str) or not _CHECKSUM.fullmatch(digest):
            raise _not_a_run(folder, f"its {MANIFEST} has no sound checksum for {name!r}")
        checked[name] = digest
    return checked


def _not_a_run(folder: Path, reason: str) -> StorageError:
    return StorageError(
        f"A run folder has a {MANIFEST} written by itemcurve;",
        f"{str(folder)!r} is refused: {reason}.",
        "Give the folder that a run was saved to.",
    )


def _damaged(path: Path, reason: str) -> StorageError:
    return StorageError(
        "Every file of a run must be as it was written;",
        f"{str(path)!r} is damaged: {reason}.",
        "Restore it from a copy, or run the step that wrote it again.",
    )
