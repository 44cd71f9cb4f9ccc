"""What work inside a database sees: statements with `?`, rows as tuples; how it can fail."""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from itemcurve.errors import StorageError

Row = tuple[Any, ...]


class ConflictError(StorageError):
    """Something of this name is there already, or was changed meanwhile."""


class NoRoomError(StorageError):
    """A tenant has as much as it may."""


class UnavailableError(StorageError):
    """The database does not answer; what was asked for may or may not have been done."""


class Dialect(Protocol):
    """What differs between databases."""

    @property
    def place(self) -> str:
        """Say where the data are, without any password."""
        ...

    @property
    def begin(self) -> str:
        """Begin a transaction that writes."""
        ...

    @property
    def begin_reading(self) -> str:
        """Begin a transaction that sees one moment."""
        ...

    @property
    def hold_schema(self) -> str:
        """Keep others from changing the schema until the transaction ends."""
        ...

    def connect(self) -> Any:
        """Open a connection that commits when told to."""
        ...

    def spell(self, statement: str) -> str:
        """Give a statement with `?` as the database wants it."""
        ...

    def explain(self, error: Exception) -> Exception:
        """Give an error of the driver as one of ours."""
        ...


class Transaction:
    """Statements on an open connection, all or none of which will count."""

    def __init__(self, connection: Any, dialect: Dialect) -> None:
        self._connection = connection
        self._dialect = dialect

    def hold_schema(self) -> None:
        """Keep others from changing the schema until the transaction ends."""
        self._execute(self._dialect.hold_schema, ())

    def run(self, statement: str, *values: Any) -> int:
        """Run a statement; give how many rows it changed."""
        return int(self._execute(statement, values).rowcount)

    def run_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement for each row."""
        for row in rows:
            self._execute(statement, row)

    def one(self, statement: str, *values: Any) -> Row | None:
        """Give the first row, None where there is none."""
        found = self._execute(statement, values).fetchone()
        return None if found is None else tuple(found)

    def all(self, statement: str, *values: Any) -> list[Row]:
        """Give all rows."""
        return [tuple(row) for row in self._execute(statement, values).fetchall()]

    def _execute(self, statement: str, values: Sequence[Any]) -> Any:
        return self._connection.execute(self._dialect.spell(statement), tuple(values))
