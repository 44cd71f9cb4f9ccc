"""A back-up made under load is of one moment; what is restored from it goes on."""

import contextlib
import threading
import uuid

import pytest
from benchmarks.faults.faulty_disk import FaultyDisk, StoppedError

import itemcurve as ic
from itemcurve.adaptive.ability.ability_test_file import keep_ability_test, open_ability_test
from itemcurve.adaptive.score.score_test_file import keep_score_test, open_score_test
from itemcurve.errors import StorageError
from itemcurve.storage.disk import copy_file, standing_in
from itemcurve.store.back_up import back_up, restore
from itemcurve.store.data_folder import open_store
from itemcurve.store.migration import migrate, schema_version
from itemcurve.store.schema_steps import STEPS
from itemcurve.store.session_tables import SessionTables
from itemcurve.store.tenants import add_tenant
from itemcurve.store.tokens import find_token, make_token


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


def test_files_that_go_while_they_are_copied_are_no_part_of_it(written, tmp_path, monkeypatch):
    uploads = written.tenant_folder("a") / "uploads"
    uploads.mkdir(parents=True)
    for name in ("aa" * 8, "bb" * 8, "cc" * 8, "dd" * 8 + ".part"):
        (uploads / name).write_bytes(b"x")
    (written.tenant_folder("a") / "runs" / "ee.work").mkdir(parents=True)
    copy = copy_file

    def copy_while_deleting(source, target):
        (uploads / ("bb" * 8)).unlink(missing_ok=True)
        return copy(source, target)

    monkeypatch.setattr("itemcurve.store.back_up.copy_file", copy_while_deleting)
    back_up(written, tmp_path / "copy")
    kept = sorted(path.name for path in (tmp_path / "copy" / "tenants" / "a").rglob("*"))
    assert kept == ["aa" * 8, "cc" * 8, "runs", "uploads"]


def test_a_postgres_store_is_backed_up_by_its_tools_and_goes_on(postgres, tmp_path):
    store = open_store(tmp_path / "store", postgres.new_database())
    store.database.write(add_tenant("a"))
    known = ic.simulate("2pl", respondents=12, items=30, seed=1).responses
    test = ic.ScoreTest(known, 10)
    for number, item in enumerate(test.next_batch(4)):
        test.record(item, float(number % 2))
    keep_score_test(test, SessionTables(store.database, "a"), "s")
    upload = store.upload_path("a", "ab" * 8)
    upload.parent.mkdir(parents=True)
    upload.write_bytes(b"abc")
    postgres.dump(store.database.dialect.url, "/tmp/" + (dump := f"{uuid.uuid4().hex}.dump"))
    back_up(store, tmp_path / "copy")
    store.close()
    url = postgres.new_database()
    postgres.load(url, f"/tmp/{dump}")
    again = open_store(tmp_path / "copy", url)
    back = open_score_test(SessionTables(again.database, "a"), "s")
    assert (back.answers, back.next_batch(3)) == (test.answers, test.next_batch(3))
    assert again.upload_path("a", "ab" * 8).read_bytes() == b"abc"
    again.close()


def test_a_back_up_of_an_earlier_version_is_restored_up_to_date(tmp_path, monkeypatch):
    monkeypatch.setattr("itemcurve.store.database.migrate", lambda t: migrate(t, 2))
    old = open_store(tmp_path / "old")
    text, work = make_token("a", "kept", ["read"])
    old.database.write(work)
    back_up(old, tmp_path / "copy")
    old.close()
    monkeypatch.undo()
    new = restore(tmp_path / "copy", tmp_path / "new")
    assert new.database.read(schema_version) == len(STEPS)
    assert new.database.read(find_token(text)).name == "kept"
    new.close()


def test_nothing_is_overwritten(written, tmp_path):
    back_up(written, tmp_path / "copy")
    with pytest.raises(StorageError, match="not empty"):
        back_up(written, tmp_path / "copy")
    with pytest.raises(StorageError, match="not empty"):
        restore(tmp_path / "copy", tmp_path / "store")
    with pytest.raises(StorageError, match=r"itemcurve\.db"):
        restore(tmp_path / "nothing", tmp_path / "new")


def stopped(step, root, action):
    """Do something that is stopped at one of its steps on disk; say whether it was."""
    disk = FaultyDisk(root, step)
    with standing_in(disk), contextlib.suppress(StoppedError):
        action()
    return disk.is_stopped


@pytest.fixture
def with_upload(written):
    uploads = written.tenant_folder("a") / "uploads"
    uploads.mkdir(parents=True)
    (uploads / ("aa" * 8)).write_bytes(b"content")
    return written


def test_a_back_up_that_is_stopped_is_not_there_and_can_be_made_again(with_upload, tmp_path):
    for step in range(100):
        target = tmp_path / f"copy{step}"
        if not stopped(step, tmp_path, lambda target=target: back_up(with_upload, target)):
            break
        # The last steps tidy up after it is whole.
        if not target.exists():
            back_up(with_upload, target)
        restore(target, tmp_path / f"new{step}").close()
        found = tmp_path / f"new{step}" / "tenants" / "a" / "uploads" / ("aa" * 8)
        assert found.read_bytes() == b"content"
    assert step > 5


def test_a_store_that_is_half_restored_is_none_and_goes_on(with_upload, tmp_path):
    back_up(with_upload, tmp_path / "copy")
    for step in range(100):
        target = tmp_path / f"new{step}"
        was = stopped(step, target, lambda: restore(tmp_path / "copy", target).close())  # noqa: B023
        if not was:
            break
        if (target / "itemcurve.db").exists():
            # Only what comes after the last name was left undone.
            open_store(target).close()
        else:
            restore(tmp_path / "copy", target).close()
        assert (target / "tenants" / "a" / "uploads" / ("aa" * 8)).read_bytes() == b"content"
    assert step > 8
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "own.txt").write_text("not of the back-up")
    with pytest.raises(StorageError, match="not empty"):
        restore(tmp_path / "copy", tmp_path / "mine")
