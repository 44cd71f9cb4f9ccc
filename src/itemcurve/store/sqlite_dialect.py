"""SQLite: one file, written by one process, read by any."""

import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from itemcurve.errors import StorageError
from itemcurve.store.transactions import ConflictError, UnavailableError

# Another process (a command that makes a token) holds the file for milliseconds.
PATIENCE_MS = 10_000


@dataclass(frozen=True)
class SqliteDialect:
    """A database in a file."""

    path: Path

    begin = "BEGIN IMMEDIATE"
    begin_reading = "BEGIN"
    # Whoever writes is alone.
    hold_schema = "SELECT 1"

    @property
    def place(self) -> str:
        """The file."""
        return str(self.path)

    def connect(self) -> Any:
        """Open the file: readers go on while one writes, and what is committed is on disk."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(
                self.path, isolation_level=None, check_same_thread=False, timeout=PATIENCE_MS / 1e3
            )
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=FULL")
            connection.execute("PRAGMA foreign_keys=ON")
            # Copying the log into the file takes longer than a commit: another thread does it.
            connection.execute("PRAGMA wal_autocheckpoint=0")
        except (OSError, sqlite3.Error) as error:
            raise self.explain(error) from error
        return connection

    def spell(self, statement: str) -> str:
        """SQLite takes statements as they are."""
        return statement

    def explain(self, error: Exception) -> Exception:
        """Tell conflicts from failures; what is no error of the database stays as it is."""
        if isinstance(error, sqlite3.IntegrityError):
            return ConflictError("A record must be new;", f"{error}.", "Read it again first.")
        if isinstance(error, sqlite3.ProgrammingError | sqlite3.DataError):
            return StorageError("A record must fit its table;", f"{error}.", "Change its values.")
        if isinstance(error, sqlite3.Error | OSError):
            return UnavailableError(
                "The database must be readable and writable;",
                f"{self.place!r} failed: {error}.",
                "Make room, check its rights, or restore it from a back-up.",
            )
        return error
