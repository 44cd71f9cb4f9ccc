"""Sessions in tables: the tests that files pass, and the same bytes."""

import json

import pytest

import itemcurve as ic
from itemcurve.adaptive.ability.ability_test_file import keep_ability_test, open_ability_test
from itemcurve.adaptive.score.score_test_file import keep_score_test, open_score_test
from itemcurve.errors import StorageError
from itemcurve.storage.growing_files import ChangedFileError
from itemcurve.store.session_rows import read_lines
from itemcurve.store.session_tables import SessionTables


@pytest.fixture
def bank():
    return ic.Bank.from_parameters(
        "2pl", discrimination=1.5, difficulty=[k / 20 - 1 for k in range(40)]
    )


@pytest.fixture(params=["ability", "score"])
def kind(request, bank):
    """A way to begin a test, to keep it, to read it."""
    if request.param == "ability":
        stop = ic.stopping.max_items(20)
        return lambda: ic.AdaptiveTest(bank, stop=stop), keep_ability_test, open_ability_test
    known = ic.simulate("2pl", respondents=30, items=60, seed=2).responses
    return lambda: ic.ScoreTest(known, 20), keep_score_test, open_score_test


def test_going_on_from_the_tables_is_the_same_as_never_stopping(store, kind):
    begin, keep, load = kind
    tables, whole, parts = SessionTables(store.database, "a"), begin(), begin()
    for number in range(12):
        item = whole.next_item()
        keep(parts, tables, "s")
        parts = load(tables, "s")
        assert parts.next_item() == item
        for test in (whole, parts):
            test.record(item, float(number % 3 > 0))
    keep(parts, tables, "s")
    back = load(tables, "s")
    assert (back.answers, back.pending) == (whole.answers, whole.pending)
    assert tables.find("s").standing.answers == 12
    assert tables.find("s").version == len(store.database.read(read_lines("a", "s")))


def test_the_lines_are_those_of_the_file(store, kind, tmp_path):
    begin, keep, _ = kind
    tables, test, same = SessionTables(store.database, "a"), begin(), begin()
    for number in range(5):
        for one in (test, same):
            one.record(one.next_item(), float(number % 2))
        keep(test, tables, "s")
        same.save(tmp_path / "s.json")
    lines = store.database.read(read_lines("a", "s"))
    assert "".join(f"{line}\n" for line in lines).encode() == (tmp_path / "s.json").read_bytes()


def test_two_who_go_on_from_the_same_answers_do_not_overwrite_each_other(store, bank):
    tables = SessionTables(store.database, "a")
    test = ic.AdaptiveTest(bank)
    keep_ability_test(test, tables, "s")
    first, second = (open_ability_test(tables, "s") for _ in range(2))
    first.record("1", 1.0)
    keep_ability_test(first, tables, "s")
    second.record("2", 0.0)
    with pytest.raises(ChangedFileError):
        keep_ability_test(second, tables, "s")
    assert [answer.item for answer in open_ability_test(tables, "s").answers] == ["1"]


def test_a_changed_line_is_noticed(store, bank):
    tables, test = SessionTables(store.database, "a"), ic.AdaptiveTest(bank)
    test.record("1", 1.0)
    keep_ability_test(test, tables, "s")
    (line,) = store.database.read(read_lines("a", "s"))
    changed = line.replace('"response": 1.0', '"response": 0.0')
    assert changed != line
    store.database.write(lambda t: t.run("UPDATE session_lines SET body = ?", changed))
    with pytest.raises(StorageError, match="does not agree with its checksum"):
        open_ability_test(tables, "s")


def test_a_tenant_sees_neither_sessions_nor_banks_of_another(store, bank):
    mine, theirs = (SessionTables(store.database, tenant) for tenant in ("a", "b"))
    keep_ability_test(ic.AdaptiveTest(bank), mine, "s")
    assert not theirs.has("s")
    with pytest.raises(StorageError, match="must exist"):
        theirs.read("s")
    with pytest.raises(StorageError, match="not among those"):
        theirs.read_content("bank", bank.mark)
    keep_ability_test(ic.AdaptiveTest(bank, respondent="b's"), theirs, "s")
    count = store.database.read(lambda t: t.one("SELECT COUNT(*) FROM contents"))
    assert count == (1,)
    assert json.loads(theirs.read_content("bank", bank.mark))["items"] == list(bank.items)
    assert mine.find("s").standing.respondent == "respondent"
