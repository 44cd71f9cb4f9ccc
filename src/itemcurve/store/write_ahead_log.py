"""SQLite's log copied into its file beside the commits, so that none of them has to wait for it."""

import contextlib
import threading
from pathlib import Path

from itemcurve.store.sqlite_dialect import SqliteDialect

_EVERY_S = 1.0
# Below this, copying saves nothing; beyond, commits wait once until the log is empty again.
_FEW_BYTES = 4 * 2**20
_MANY_BYTES = 256 * 2**20


class LogCopier:
    """The thread that copies.

    Parameters
    ----------
    dialect : of the database.
    """

    def __init__(self, dialect: SqliteDialect) -> None:
        self._dialect = dialect
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
                size = self._log.stat().st_size if self._log.exists() else 0
                if size > _FEW_BYTES:
                    # A database that is busy elsewhere is copied the next time.
                    with contextlib.suppress(Exception):
                        how = "TRUNCATE" if size > _MANY_BYTES else "PASSIVE"
                        connection.execute(f"PRAGMA wal_checkpoint({how})").fetchall()
        finally:
            connection.close()
