"""Sessions in a folder: a file of sealed lines each, and one file for each bank or calibration.

The first line of a session is written with the file, atomically; every saving after that adds one
line. A bank lies beside it under the SHA-256 of its bytes, for all sessions of the folder.
"""

import os
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from itemcurve.adaptive.session_documents import (
    read_former_session,
    read_session_bytes,
    refuse_session,
    stated_format,
)
from itemcurve.adaptive.session_store import StoredSession
from itemcurve.errors import StorageError, StorageWarning
from itemcurve.storage.atomic_files import write_bytes
from itemcurve.storage.chained_lines import NO_SEAL, BrokenLineError, seal_lines, unseal_lines
from itemcurve.storage.growing_files import append_lines
from itemcurve.storage.json_documents import LARGEST_DOCUMENT

_FORMER = ("itemcurve-session-1", "itemcurve-score-session-1")
_MARK = re.compile(r"[0-9a-f]{64}")
_KIND = re.compile(r"[a-z]+")


@dataclass(frozen=True)
class SessionFolder:
    """A folder of sessions; a `SessionStore`."""

    folder: Path

    @classmethod
    def of(cls, path: str | os.PathLike[str]) -> "tuple[SessionFolder, str]":
        """Give the folder that a session file lies in, and its name there; links are followed."""
        target = Path(path).resolve()
        return cls(target.parent), target.name

    def place(self, name: str) -> str:
        """Give the path of a session, quoted."""
        return repr(str(self.folder / name))

    def has(self, name: str) -> bool:
        """Say whether there is a file of this name."""
        return (self.folder / name).is_file()

    def read(self, name: str) -> StoredSession:
        """Read a session of this format or a former one."""
        place, content = self.place(name), read_session_bytes(self.folder / name)
        format_ = stated_format(content)
        if format_ in _FORMER:
            return StoredSession((read_former_session(content, place),), None)
        if not format_.startswith("itemcurve-"):
            raise refuse_session(place, "its format is not one of a session")
        try:
            found = unseal_lines(content, place)
        except (BrokenLineError, StorageError) as error:
            raise refuse_session(place, str(error)) from None
        if found.cut_off:
            warnings.warn(
                f"The last line of the session {place} was cut off ({found.cut_off} bytes), by a "
                "crash or because it is being written: it is left out. What was said to be "
                "recorded is there; record again what was not.",
                StorageWarning,
                stacklevel=2,
            )
        return StoredSession(found.documents, found.seal)

    def begin(self, name: str, document: Mapping[str, Any]) -> str:
        """Write a session as a whole, atomically."""
        lines, seal = seal_lines([document], NO_SEAL, "the session")
        write_bytes(self.folder / name, lines)
        return seal

    def append(self, name: str, documents: Sequence[Mapping[str, Any]], seal: str) -> str:
        """Add lines; they are on disk when this returns."""
        return append_lines(self.folder / name, documents, seal)

    def keep_content(self, kind: str, mark: str, pack: Callable[[], bytes]) -> None:
        """Write the file that sessions of this folder share, unless it is there."""
        path = self._content_path(kind, mark)
        if path.is_file():
            return
        content = pack()
        if sha256(content).hexdigest() != mark:
            raise StorageError(
                f"A {kind} must not change after it was made;",
                f"that of the session to write to {str(self.folder)!r} did.",
                "Make a new one, and a new test with it.",
            )
        write_bytes(path, content)

    def read_content(self, kind: str, mark: str) -> bytes:
        """Read what sessions of this folder share."""
        path = self._content_path(kind, mark)
        try:
            # A link or a pipe from a stranger could lead anywhere, or never end.
            is_sound = not path.is_symlink() and path.is_file()
            is_sound = is_sound and path.stat().st_size <= LARGEST_DOCUMENT
            content = path.read_bytes() if is_sound else None
        except OSError:
            content = None
        if content is None or sha256(content).hexdigest() != mark:
            raise StorageError(
                f"A session needs the {kind} beside it, as it was written;",
                f"{str(path)!r} is {'missing' if content is None else 'damaged'}.",
                f"Copy it there with the session, or give the {kind} to load().",
            )
        return content

    def _content_path(self, kind: str, mark: str) -> Path:
        """Give the path of a mark; one that could lead out of the folder is refused."""
        if not _MARK.fullmatch(mark) or not _KIND.fullmatch(kind):
            raise refuse_session(repr(str(self.folder)), "the mark of its items is none")
        return self.folder / f"{kind}-{mark}.json"
