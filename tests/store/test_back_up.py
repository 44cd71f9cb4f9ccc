"""A back-up made under load is of one moment; what is restored from it goes on."""

import threading

import pytest

import itemcurve as ic
from itemcurve.adaptive.ability.ability_test_file import keep_ability_test, open_ability_test
from itemcurve.errors import StorageError
from itemcurve.store.back_up import back_up, restore
from itemcurve.store.data_folder import open_store
from itemcurve.store.session_tables import SessionTables
from itemcurve.store.tenants import add_tenant


@pytest.fixture
def written(tmp_path):
    store = open_store(tmp_path / "store")
    store.database.write(add_tenant("a"))
    bank = ic.Bank.from_parameters(
        "2pl", discrimination=1.5, difficulty=[0.01 * k for k in range(99)]
    )
    keep_ability_test(ic.AdaptiveTest(bank), SessionTables(store.database, "a"), "s")
    yield store
    store.close()


def test_a_back_up_under_load_is_sound_and_sessions_go_on(written, tmp_path):
    tables, is_over = SessionTables(written.database, "a"), threading.Event()

    def write():
        test = open_ability_test(tables, "s")
        while not is_over.is_set() and (item := test.next_item()):
            test.record(item, 1.0)
            keep_ability_test(test, tables, "s")

    thread = threading.Thread(target=write)
    thread.start()
    before = len(open_ability_test(tables, "s").answers)
    back_up(written, tmp_path / "copy")
    is_over.set()
    thread.join()
    copy = restore(tmp_path / "copy", tmp_path / "new")
    test = open_ability_test(SessionTables(copy.database, "a"), "s")
    whole = open_ability_test(tables, "s")
    assert before <= len(test.answers) <= len(whole.answers)
    assert test.answers == whole.answers[: len(test.answers)]
    test.record(test.next_item(), 0.0)
    keep_ability_test(test, SessionTables(copy.database, "a"), "s")
    copy.close()


def test_nothing_is_overwritten(written, tmp_path):
    back_up(written, tmp_path / "copy")
    with pytest.raises(StorageError, match="not empty"):
        back_up(written, tmp_path / "copy")
    with pytest.raises(StorageError, match="not empty"):
        restore(tmp_path / "copy", tmp_path / "store")
    with pytest.raises(StorageError, match=r"itemcurve\.db"):
        restore(tmp_path / "nothing", tmp_path / "new")
