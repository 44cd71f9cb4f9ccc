"""A database: work that reads, work that writes, and the schema brought up to date."""

import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import Future
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

from itemcurve.errors import StorageError
from itemcurve.store.group_commit import GroupCommit
from itemcurve.store.migration import migrate
from itemcurve.store.postgres_dialect import PostgresDialect
from itemcurve.store.sqlite_dialect import SqliteDialect
from itemcurve.store.transactions import Dialect, Transaction, UnavailableError
from itemcurve.store.write_ahead_log import LogCopier

Found = TypeVar("Found")
_POSTGRES = ("postgresql://", "postgres://")
# Connections that wait to be read with; more are opened and closed again.
_IDLE = 4


class Database:
    """An open database; from any thread.

    Parameters
    ----------
    dialect : what it is.
    """

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self._writer = GroupCommit(dialect)
        self._idle: list[Any] = []
        self._lock = threading.Lock()
        self._copier: LogCopier | None = None
        try:
            self.write(migrate)
        except BaseException:
            self.close()
            raise
        if isinstance(dialect, SqliteDialect):
            self._copier = LogCopier(dialect, self._writer)

    def ask(self, work: Callable[[Transaction], Found]) -> "Future[Found]":
        """Ask for work that writes; see `GroupCommit.ask`."""
        return self._writer.ask(work)

    def write(self, work: Callable[[Transaction], Found]) -> Found:
        """Do work that writes, and wait until it is on disk."""
        return self.ask(work).result()

    def read(self, work: Callable[[Transaction], Found]) -> Found:
        """Do work that reads, at one moment of the data."""
        try:
            return self._read(work)
        except UnavailableError:
            # A connection that idled while the server was restarted: one fresh try.
            self._close_idle()
            return self._read(work)

    def close(self) -> None:
        """Finish writing and close."""
        if self._copier is not None:
            self._copier.close()
        self._writer.close()
        self._close_idle()

    def _read(self, work: Callable[[Transaction], Found]) -> Found:
        with self._lock:
            connection = self._idle.pop() if self._idle else None
        try:
            connection = self.dialect.connect() if connection is None else connection
            connection.execute(self.dialect.begin_reading)
            found = work(Transaction(connection, self.dialect))
            connection.execute("COMMIT")
        except Exception as error:
            _close(connection)
            raise self.dialect.explain(error) from error
        with self._lock:
            is_kept = len(self._idle) < _IDLE
            if is_kept:
                self._idle.append(connection)
        if not is_kept:
            _close(connection)
        return found

    def _close_idle(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            _close(connection)


def open_database(where: str | PathLike[str]) -> Database:
    """Open a database by the URL of a PostgreSQL server or the path of a file.

    Its schema is brought up to date; one of a newer version is refused.
    """
    if str(where).startswith(_POSTGRES):
        return Database(PostgresDialect(str(where)))
    if "://" in str(where):
        raise StorageError(
            "A database is a file or postgresql://…;",
            f"got {str(where).partition('://')[0]}://….",
            "Give a path such as itemcurve.db.",
        )
    return Database(SqliteDialect(Path(where)))


def _close(connection: Any) -> None:
    if connection is not None:
        with contextlib.suppress(Exception):
            connection.close()
