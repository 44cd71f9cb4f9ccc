"""SQLite's log copied into its file beside the commits, so that none of them has to wait for it.

Commits that never pause never leave a log that is copied whole, so it would grow for ever, and a
commit to a growing file waits for the journal of the file system and so for what other programs
write. Now and then commits wait a moment for the rest; after that the log is written anew from its
start, in place.
"""

import contextlib
import threading
from pathlib import Path
from typing import Any

from itemcurve.store.group_commit import GroupCommit
from itemcurve.store.sqlite_dialect import PATIENCE_MS, SqliteDialect

_EVERY_S = 1.0
# How long commits may wait for a reader that keeps the rest from being copied.
_MOST_WAIT_MS = 20
# Below this, copying saves nothing; beyond the next, the log is copied whole and begins anew;
# beyond the last, it is also cut.
_FEW_BYTES = 4 * 2**20
_ENOUGH_BYTES = 16 * 2**20
_MANY_BYTES = 256 * 2**20


class LogCopier:
    """The thread that copies.

    Parameters
    ----------
    dialect : of the database.
    writer : whose commits the log holds.
    """

    def __init__(self, dialect: SqliteDialect, writer: GroupCommit) -> None:
        self._dialect, self._writer = dialect, writer
        self._log = Path(f"{dialect.path}-wal")
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="store-copier", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Copy what is left, and end."""
        self._is_over.set()
        self._thread.join()

    def _serve(self) -> None:
        connection = self._dialect.connect()
        try:
            while not self._is_over.wait(_EVERY_S):
                if self._log.exists() and self._log.stat().st_size > _FEW_BYTES:
                    # A database that is busy elsewhere is copied the next time.
                    with contextlib.suppress(Exception):
                        self._copy(connection)
        finally:
            connection.close()

    def _copy(self, connection: Any) -> None:
        """Copy beside commits; where that was much, have the rest copied between two of them."""
        (page,) = connection.execute("PRAGMA page_size").fetchone()
        _, pages, _ = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        if pages * page > _MANY_BYTES:
            self._writer.between(lambda writing: _finish_copying(writing, "TRUNCATE"))
        elif pages * page > _ENOUGH_BYTES:
            self._writer.between(lambda writing: _finish_copying(writing, "FULL"))


def _finish_copying(connection: Any, how: str) -> None:
    """Copy all that is left in the log, so that the next commit writes it anew from its start."""
    connection.execute(f"PRAGMA busy_timeout={_MOST_WAIT_MS}")
    try:
        connection.execute(f"PRAGMA wal_checkpoint({how})").fetchone()
    finally:
        connection.execute(f"PRAGMA busy_timeout={PATIENCE_MS}")
