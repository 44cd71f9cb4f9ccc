"""Tests know of a store what its protocol says: tables of a database do as well as files."""

import json
import sqlite3
from hashlib import sha256

import pytest

import itemcurve as ic
from itemcurve.adaptive.ability.ability_test_file import keep_ability_test, open_ability_test
from itemcurve.adaptive.score.score_test_file import keep_score_test, open_score_test
from itemcurve.adaptive.session_folder import SessionFolder
from itemcurve.adaptive.session_store import SessionStore, StoredSession
from itemcurve.errors import StorageError
from itemcurve.storage.chained_lines import NO_SEAL, seal_lines
from itemcurve.storage.growing_files import ChangedFileError


class Tables:
    """A `SessionStore` in SQL, as small as it can be."""

    def __init__(self, database):
        self.database = database
        database.execute("create table contents (kind, mark, content, primary key (kind, mark))")
        database.execute("create table documents (name, number, document, seal)")

    def place(self, name):
        return repr(name)

    def has(self, name):
        return bool(self._rows(name))

    def read(self, name):
        rows = self._rows(name)
        if not rows:
            raise StorageError("The session to read must exist;", name, "Start one first.")
        return StoredSession(tuple(json.loads(row[0]) for row in rows), rows[-1][1])

    def begin(self, name, document):
        with self.database:
            self.database.execute("delete from documents where name = ?", [name])
            return self._insert(name, [document], NO_SEAL)

    def append(self, name, documents, seal):
        with self.database:
            if self._rows(name)[-1][1] != seal:
                raise ChangedFileError("changed")
            return self._insert(name, documents, seal)

    def keep_content(self, kind, mark, pack):
        find = "select 1 from contents where kind = ? and mark = ?"
        if not self.database.execute(find, [kind, mark]).fetchone():
            content = pack()
            assert sha256(content).hexdigest() == mark
            self.database.execute("insert into contents values (?, ?, ?)", [kind, mark, content])

    def read_content(self, kind, mark):
        find = "select content from contents where kind = ? and mark = ?"
        return self.database.execute(find, [kind, mark]).fetchone()[0]

    def _rows(self, name):
        find = "select document, seal from documents where name = ? order by number"
        return self.database.execute(find, [name]).fetchall()

    def _insert(self, name, documents, seal):
        for number, document in enumerate(documents, len(self._rows(name))):
            seal = seal_lines([document], seal, name)[1]
            row = [name, number, json.dumps(document), seal]
            self.database.execute("insert into documents values (?, ?, ?, ?)", row)
        return seal


@pytest.fixture(params=["files", "tables"])
def store(request, tmp_path):
    if request.param == "files":
        yield SessionFolder(tmp_path)
        return
    database = sqlite3.connect(":memory:")
    yield Tables(database)
    database.close()


@pytest.fixture(params=["ability", "score"])
def ways(request, bank):
    """A new test, and how it is kept and opened."""
    if request.param == "ability":
        test = ic.AdaptiveTest(bank, stop=ic.stopping.max_items(12), seed=3)
        return test, keep_ability_test, open_ability_test
    known = ic.simulate("2pl", respondents=30, items=60, seed=2).responses
    return ic.ScoreTest(known, 12, seed=3), keep_score_test, open_score_test


def test_a_test_goes_on_from_any_store(store: SessionStore, ways):
    test, keep, reopen = ways
    keep(test, store, "one")
    while items := test.next_batch(3):
        keep(test, store, "one")
        test.record_many(dict.fromkeys(items, 1.0))
        keep(test, store, "one")
        back = reopen(store, "one")
        assert (back.answers, back.pending) == (test.answers, test.pending)
        test = back
    assert len(store.read("one").documents) == 9
    assert len(test.answers) == 12
    keep(test, store, "two")
    assert len(store.read("two").documents) == 1
    assert reopen(store, "two").answers == test.answers


def test_two_at_once_do_not_overwrite_each_other(store: SessionStore, ways):
    test, keep, reopen = ways
    keep(test, store, "one")
    other = reopen(store, "one")
    other.record(other.next_item(), 1.0)
    keep(other, store, "one")
    test.record(test.next_item(), 0.0)
    with pytest.raises(ChangedFileError):
        keep(test, store, "one")
    assert reopen(store, "one").answers == other.answers


def test_a_name_without_a_session_is_said(store: SessionStore, ways):
    with pytest.raises(StorageError, match="Start one first"):
        ways[2](store, "none")


def test_items_released_and_put_away_are_kept_by_adding_lines(bank, tmp_path):
    test, path = ic.AdaptiveTest(bank, stop=ic.stopping.max_items(20)), tmp_path / "s.json"
    test.save(path)
    before = path.read_bytes()
    first = test.next_batch(4)
    test.save(path)
    assert test.set_aside([first[1], first[1]]) == [first[1]]
    assert test.release([first[2], "no item of it"]) == [first[2]]
    test.record(first[0], 1.0)
    test.save(path)
    # Released and chosen again in one saving.
    test.release()
    again = test.next_batch(3)
    test.save(path)
    assert path.read_bytes().startswith(before)
    back = ic.AdaptiveTest.load(path)
    assert back.pending == test.pending
    assert [handed.item for handed in back.items_set_aside] == [first[1]]
    assert first[1] not in again
    assert back.next_batch(6) == test.next_batch(6)


def test_a_test_goes_on_without_items_that_cannot_be_answered(bank):
    stop = ic.stopping.max_items(len(bank) - 3)
    test = ic.AdaptiveTest(bank, stop=stop)
    lost = test.next_batch(2)
    test.set_aside(lost)
    while items := test.next_batch(5):
        assert not set(items) & set(lost)
        test.record_many(dict.fromkeys(items, 1.0))
    assert test.stop_reason == f"{len(bank) - 3} items answered"
    whole = ic.AdaptiveTest(bank)
    whole.set_aside(bank.items)
    assert whole.next_item() is None
    assert whole.stop_reason == "all items answered or put away"


def test_a_snapshot_stays_as_it_was_while_the_test_goes_on():
    bank = ic.Bank.from_parameters("2pl", discrimination=1.5, difficulty=[-1.0, 0.0, 1.0])
    test = ic.AdaptiveTest(bank)
    test.record(test.next_item(), 1.0)
    then, ability = test.snapshot(), test.ability
    test.record(test.next_item(), 0.0)
    assert (len(then.answers), then.ability) == (1, ability)
    then.record(then.next_item(), 1.0)
    assert [answer.response for answer in test.answers] == [1.0, 0.0]
