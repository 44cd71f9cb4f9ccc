"""PostgreSQL by its URL, through psycopg (extra `postgres`)."""

from dataclasses import dataclass, field
from typing import Any

from itemcurve.errors import MissingExtraError, StorageError
from itemcurve.store.transactions import ConflictError, UnavailableError

# A commit that the server acknowledges is on its disk, whatever its own default is.
_OPTIONS = "-c synchronous_commit=on -c statement_timeout=60000"
_PATIENCE_S = 10


@dataclass(frozen=True)
class PostgresDialect:
    """A database on a server."""

    # May hold a password: never shown.
    url: str = field(repr=False)

    begin = "BEGIN"
    begin_reading = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    # Any number, the same for all: servers that start at once wait for each other.
    hold_schema = "SELECT pg_advisory_xact_lock(20260101)"

    @property
    def place(self) -> str:
        """The address without user and password."""
        return "postgresql://" + self.url.partition("://")[2].rpartition("@")[2].partition("?")[0]

    def connect(self) -> Any:
        """Connect; whoever asks when the server is away learns it at once."""
        try:
            import psycopg
        except ImportError:
            raise MissingExtraError(
                "PostgreSQL needs psycopg;",
                "it is not installed.",
                "pip install 'itemcurve[serve,postgres]'.",
            ) from None
        try:
            return psycopg.connect(
                self.url, autocommit=True, connect_timeout=_PATIENCE_S, options=_OPTIONS
            )
        except psycopg.Error as error:
            raise self.explain(error) from None

    def spell(self, statement: str) -> str:
        """Write places for values as psycopg wants them."""
        return statement.replace("?", "%s")

    def explain(self, error: Exception) -> Exception:
        """Tell conflicts from failures; what is no error of the database stays as it is."""
        import psycopg

        if isinstance(error, psycopg.errors.IntegrityError | psycopg.errors.SerializationFailure):
            return ConflictError("A record must be new;", _first(error), "Read it again first.")
        lost = psycopg.OperationalError | psycopg.InterfaceError | OSError
        if isinstance(error, psycopg.Error) and not isinstance(error, lost):
            return StorageError("A record must fit its table;", _first(error), "Change its values.")
        if isinstance(error, lost):
            return UnavailableError(
                "The database must answer;",
                f"{self.place} does not: {_first(error)}",
                "See whether it runs, and try again.",
            )
        return error


def _first(error: Exception) -> str:
    """One line, without details that could quote values."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
