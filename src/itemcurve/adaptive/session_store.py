"""Where sessions are kept, as the tests see it: in files here, in tables of a server elsewhere."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class StoredSession:
    """A session as it was read.

    Attributes
    ----------
    documents : how it stood when it was written as a whole, then what was added, in order.
    seal : of the last of them, which what is added next continues; None where nothing can be
        added, so that the whole must be written again.
    """

    documents: tuple[Mapping[str, Any], ...]
    seal: str | None


class SessionStore(Protocol):
    """Keeps sessions by name, and what they are about (banks, calibrations) by content.

    What a method that writes has returned from is never lost.
    """

    def read(self, name: str) -> StoredSession:
        """Give a session, checked for damage; `StorageError` where there is none."""
        ...

    def begin(self, name: str, document: Mapping[str, Any]) -> str:
        """Write a session as a whole, replacing what had its name; give its seal."""
        ...

    def append(self, name: str, documents: Sequence[Mapping[str, Any]], seal: str) -> str:
        """Add to a session that ends with `seal`, all or nothing; give its new seal.

        `ChangedFileError` where it ends otherwise. With nothing to add, only that is checked.
        """
        ...

    def place(self, name: str) -> str:
        """Say where a session is, for errors."""
        ...

    def has(self, name: str) -> bool:
        """Say whether there is a session of this name."""
        ...

    def keep_content(self, kind: str, mark: str, pack: Callable[[], bytes]) -> None:
        """Keep what sessions are about, once, however many are about it.

        Parameters
        ----------
        kind : what it is, as `"bank"`.
        mark : SHA-256 of the bytes.
        pack : gives the bytes; not called where they are kept already.
        """
        ...

    def read_content(self, kind: str, mark: str) -> bytes:
        """Give what was kept under this mark, checked against it."""
        ...
