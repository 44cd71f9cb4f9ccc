"""Lines of a session that are sealed but not stored yet: many sessions are then stored at once."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from itemcurve.storage.chained_lines import NO_SEAL, seal_lines
from itemcurve.storage.growing_files import ChangedFileError

if TYPE_CHECKING:
    from itemcurve.adaptive.session_store import StoredSession


class StagedLines:
    """A `SessionStore` of one session, which keeps nothing: whoever asked stores what it takes.

    Parameters
    ----------
    seal : of the last line that is stored.
    """

    def __init__(self, seal: str = NO_SEAL) -> None:
        self._seal = seal
        self._lines: list[str] = []

    def take(self) -> list[str]:
        """Give the lines since the last time."""
        lines, self._lines = self._lines, []
        return lines

    @property
    def seal(self) -> str:
        """Of the last line."""
        return self._seal

    def begin(self, name: str, document: Mapping[str, Any]) -> str:
        """Seal the first line; a session that is stored is never written anew."""
        if self._seal != NO_SEAL:
            raise ChangedFileError(
                "A session in a store only grows;", f"{name!r} was changed otherwise.", ""
            )
        return self._add([document])

    def append(self, name: str, documents: Sequence[Mapping[str, Any]], seal: str) -> str:
        """Seal what is new."""
        assert seal == self._seal
        return self._add(documents)

    def place(self, name: str) -> str:
        """Give the name of the session, quoted."""
        return repr(name)

    def has(self, name: str) -> bool:
        """There is one from the first line on."""
        return self._seal != NO_SEAL

    def keep_content(self, kind: str, mark: str, pack: Callable[[], bytes]) -> None:
        """Sessions of a store are about what it holds already."""

    def read(self, name: str) -> "StoredSession":
        """Refuse: nothing is kept here."""
        _refuse()

    def read_content(self, kind: str, mark: str) -> bytes:
        """Refuse: nothing is kept here."""
        _refuse()

    def _add(self, documents: Sequence[Mapping[str, Any]]) -> str:
        for document in documents:
            sealed, self._seal = seal_lines([document], self._seal, "the session")
            self._lines.append(sealed.decode().removesuffix("\n"))
        return self._seal


def _refuse() -> NoReturn:
    raise NotImplementedError("lines that are staged are read from the store")
