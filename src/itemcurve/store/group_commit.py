"""Many writers, few waits for the disk: what is asked for while one commit waits shares the next.

A commit that survives a crash waits for the disk, milliseconds whatever it holds. One thread takes
all work that has gathered, does it in one transaction, and tells everybody when that is on disk.
"""

import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any

from itemcurve.store.transactions import Dialect, Transaction, UnavailableError

# A transaction this long still takes less than the disk does.
_MOST = 256

Work = Callable[[Transaction], Any]


@dataclass(frozen=True)
class _Asked:
    work: Work
    done: "Future[Any]" = field(default_factory=Future)


class GroupCommit:
    """The thread that writes.

    Parameters
    ----------
    dialect : of the database.
    """

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._queue: SimpleQueue[_Asked | None] = SimpleQueue()
        self._connection: Any = None
        self._is_closed = False
        self._between: Callable[[Any], None] | None = None
        self._thread = threading.Thread(target=self._serve, name="store-writer", daemon=True)
        self._thread.start()

    def ask(self, work: Work) -> "Future[Any]":
        """Do some work in a transaction; its result comes when that is on disk.

        Work may be done twice, the first time for nothing: it must not change anything else.
        """
        if self._is_closed:
            raise UnavailableError("The store must be open;", "it is closed.", "Open it again.")
        asked = _Asked(work)
        self._queue.put(asked)
        return asked.done

    def between(self, work: Callable[[Any], None]) -> None:
        """Do some work on the connection itself, once, after the commit that comes next.

        It has the database to itself. Should it fail, nobody is told.
        """
        self._between = work

    def close(self) -> None:
        """Finish what was asked for, and end."""
        self._is_closed = True
        self._queue.put(None)
        self._thread.join()

    def _serve(self) -> None:
        while (asked := self._queue.get()) is not None:
            batch = [asked]
            while len(batch) < _MOST:
                try:
                    more = self._queue.get_nowait()
                except Empty:
                    break
                if more is None:
                    self._queue.put(None)
                    break
                batch.append(more)
            # Whoever no longer waits may be gone by now; from here on, nobody can leave.
            wanted = [each for each in batch if each.done.set_running_or_notify_cancel()]
            if wanted:
                self._commit(wanted)
            self._do_between()
        self._drop()

    def _do_between(self) -> None:
        work, self._between = self._between, None
        if work is not None and self._connection is not None:
            with contextlib.suppress(Exception):
                work(self._connection)

    def _commit(self, batch: list[_Asked]) -> None:
        """Commit all together; where one of them fails, each alone, so that others do not."""
        try:
            results = self._try(batch)
        except UnavailableError as error:
            # Nobody knows whether the commit happened: whoever asked must look.
            self._drop()
            _fail(batch, error)
        except Exception as error:
            self._roll_back()
            if len(batch) == 1:
                _fail(batch, error)
                return
            for asked in batch:
                self._commit([asked])
        else:
            for asked, result in zip(batch, results, strict=True):
                asked.done.set_result(result)

    def _try(self, batch: list[_Asked]) -> list[Any]:
        try:
            if self._connection is None:
                self._connection = self._dialect.connect()
            self._connection.execute(self._dialect.begin)
            transaction = Transaction(self._connection, self._dialect)
            results = [asked.work(transaction) for asked in batch]
            self._connection.execute("COMMIT")
        except Exception as error:
            raise self._dialect.explain(error) from error
        return results

    def _roll_back(self) -> None:
        try:
            self._connection.execute("ROLLBACK")
        except Exception:
            self._drop()

    def _drop(self) -> None:
        """Forget a connection whose state is unknown."""
        if self._connection is not None:
            with contextlib.suppress(Exception):
                self._connection.close()
        self._connection = None


def _fail(batch: list[_Asked], error: Exception) -> None:
    for asked in batch:
        asked.done.set_exception(error)
