"""What was acknowledged is stored, whoever else fails; errors reach those who caused them."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from itemcurve.errors import StorageError
from itemcurve.store.tenants import add_tenant, list_tenants
from itemcurve.store.transactions import ConflictError, UnavailableError


def test_work_that_fails_takes_nobody_with_it(store):
    def insert(name):
        return lambda t: t.run("INSERT INTO tenants VALUES (?, 0.0)", name)

    asked = [store.database.ask(insert(f"t{k // 2}")) for k in range(40)]
    outcomes = [future.exception() for future in asked]
    assert sum(error is None for error in outcomes) == 20
    assert all(isinstance(e, ConflictError) for e in outcomes if e is not None)
    assert set(store.database.read(list_tenants)) == {"a", "b", *(f"t{k}" for k in range(20))}


def test_values_that_do_not_fit_are_refused_and_the_next_are_stored(store):
    with pytest.raises(StorageError):
        store.database.write(lambda t: t.run("INSERT INTO tenants VALUES (?, ?)", "x"))
    store.database.write(add_tenant("fine"))
    assert "fine" in store.database.read(list_tenants)


def test_many_threads_write_and_read(store):
    def write(number):
        store.database.write(add_tenant(f"n{number}"))
        return f"n{number}" in store.database.read(list_tenants)

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(write, range(80)))


def test_what_was_asked_before_closing_is_done(store):
    asked = [store.database.ask(add_tenant(f"last{k}")) for k in range(20)]
    store.close()
    assert all(future.done() and future.exception() is None for future in asked)
    with pytest.raises(UnavailableError, match="closed"):
        store.database.write(add_tenant("late"))


def test_who_no_longer_waits_stops_nobody(store):
    is_begun, is_held = threading.Event(), threading.Event()

    def hold(transaction):
        is_begun.set()
        is_held.wait(5)

    first = store.database.ask(hold)
    is_begun.wait(5)
    gone = [store.database.ask(add_tenant(f"gone{k}")) for k in range(5)]
    assert all(future.cancel() for future in gone)
    assert not first.cancel()
    is_held.set()
    store.database.write(add_tenant("last"))
    found = store.database.read(list_tenants)
    assert "last" in found
    assert not [name for name in found if name.startswith("gone")]
