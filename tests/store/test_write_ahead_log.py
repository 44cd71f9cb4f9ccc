"""SQLite's log is written in place after a while, however busy, and nothing in it is lost."""

import time

import pytest

from itemcurve.store import write_ahead_log
from itemcurve.store.database import Database
from itemcurve.store.sqlite_dialect import SqliteDialect

PAGE = 4096
BODY = "x" * 3000


@pytest.fixture
def database(tmp_path, monkeypatch):
    monkeypatch.setattr(write_ahead_log, "_EVERY_S", 0.02)
    monkeypatch.setattr(write_ahead_log, "_FEW_BYTES", 8 * PAGE)
    monkeypatch.setattr(write_ahead_log, "_ENOUGH_BYTES", 64 * PAGE)
    opened = Database(SqliteDialect(tmp_path / "busy.db"))
    opened.write(lambda t: t.run("CREATE TABLE kept (number INTEGER PRIMARY KEY, body TEXT)"))
    yield opened
    opened.close()


def log_size(database):
    return database.dialect.path.with_name("busy.db-wal").stat().st_size


def add(number):
    return lambda transaction: transaction.run("INSERT INTO kept VALUES (?, ?)", number, BODY)


def count(database):
    return database.read(lambda t: t.one("SELECT count(*), sum(number) FROM kept"))


def test_a_log_that_is_never_left_alone_begins_anew_all_the_same(database):
    # One commit waits while the next is asked for: the database is never at rest.
    sizes, asked = [], database.ask(add(0))
    for number in range(1, 1500):
        following = database.ask(add(number))
        asked.result()
        asked = following
        sizes.append(log_size(database))
    asked.result()
    assert count(database) == (1500, 1500 * 1499 // 2)
    assert database.read(lambda t: t.one("PRAGMA integrity_check")) == ("ok",)
    # Two pages a commit and more: 12 MB in all.
    assert max(sizes) < 1500 * 2 * PAGE / 3


def test_a_reader_that_stays_keeps_writers_waiting_for_moments_only(database):
    reader = database.dialect.connect()
    database.write(add(0))
    reader.execute("BEGIN")
    assert reader.execute("SELECT count(*) FROM kept").fetchone() == (1,)
    slowest = 0.0
    for number in range(1, 200):
        started = time.monotonic()
        database.write(add(number))
        slowest = max(slowest, time.monotonic() - started)
    assert slowest < 5
    # It still sees its own moment.
    assert reader.execute("SELECT count(*) FROM kept").fetchone() == (1,)
    reader.execute("COMMIT")
    assert reader.execute("SELECT count(*) FROM kept").fetchone() == (200,)
    reader.close()
