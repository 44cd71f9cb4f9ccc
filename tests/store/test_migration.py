"""The schema from every earlier version, with data in it; newer ones are refused."""

import pytest

import itemcurve as ic
from itemcurve.adaptive.ability.ability_test_file import keep_ability_test, open_ability_test
from itemcurve.adaptive.session_folder import SessionFolder
from itemcurve.bank.saved_bank import bank_content
from itemcurve.errors import StorageError
from itemcurve.store.database import open_database
from itemcurve.store.decisions import list_decisions
from itemcurve.store.migration import migrate, schema_version
from itemcurve.store.run_rows import list_jobs, list_runs, list_uploads
from itemcurve.store.schema_steps import STEPS
from itemcurve.store.session_tables import SessionTables
from itemcurve.store.tokens import find_token, make_token

MARKS = ["1c3751d69285b117", "8946a5f8fba8de1a", "ee600c2cd667f59c", "7af9517d4d692345"]
BANK = ic.Bank.from_parameters("2pl", discrimination=1.5, difficulty=[-1.0, 0.0, 1.0])
# Rows as the versions wrote them that made the tables; these statements never change.
ROWS = {
    1: (
        ("INSERT INTO contents VALUES ('bank', ?, ?, 1.0)", (BANK.mark, bank_content(BANK))),
        ("INSERT INTO holdings VALUES ('a', 'bank', ?, 'of old', 3, 1.0)", (BANK.mark,)),
    ),
    2: (
        ("INSERT INTO uploads VALUES ('a', ?, 'y.csv', 3, '00', 1.0)", ("ab" * 8,)),
        (
            "INSERT INTO jobs VALUES ('a', ?, ?, '{}', 'done', '', ?, 1.0, 1.0)",
            ("cd" * 8, "ab" * 8, "ef" * 8),
        ),
        ("INSERT INTO runs VALUES ('a', ?, 'run of old', NULL, 1.0)", ("ef" * 8,)),
    ),
    3: (("INSERT INTO decisions VALUES ('a', ?, 1, 'q1', 'fine', '', 1.0)", ("ef" * 8,)),),
}
_SESSION = (
    "INSERT INTO sessions VALUES ('a', 's', ?, ?, 'old', ?, 1, 0.5, 0.9, 'open', NULL, NULL, 1, 1)"
)
_LINE = "INSERT INTO session_lines VALUES ('a', 's', ?, ?, NULL, NULL, 1.0)"


def write_old_data(database, version, folder):
    """Fill the tables of a version; give the token."""
    text, work = make_token("a", "kept", ["read"])
    database.write(work)
    for number in range(1, version + 1):
        for statement, values in ROWS.get(number, ()):
            database.write(lambda t, s=statement, v=values: t.run(s, *v))
    test = ic.AdaptiveTest(BANK, respondent="old")
    test.record(test.next_item(), 1.0)
    keep_ability_test(test, *SessionFolder.of(folder / "s.json"))
    lines = (folder / "s.json").read_text().splitlines()
    if version < 4:
        database.write(lambda t: t.run(_SESSION, len(lines), test.kept.seal, BANK.mark))
        for number, line in enumerate(lines):
            database.write(lambda t, n=number, b=line: t.run(_LINE, n + 1, b))
    return text


@pytest.mark.parametrize("version", range(len(STEPS)))
def test_every_earlier_version_is_brought_up_to_date_with_its_data(
    version, database_url, monkeypatch, tmp_path
):
    monkeypatch.setattr("itemcurve.store.database.migrate", lambda t: migrate(t, version))
    old = open_database(database_url)
    assert old.read(schema_version) == version
    text = write_old_data(old, version, tmp_path) if version else None
    old.close()
    monkeypatch.undo()
    new = open_database(database_url)
    assert new.read(schema_version) == len(STEPS)
    if text:
        assert new.read(find_token(text)).name == "kept"
        tables = SessionTables(new, "a")
        row = tables.find("s").standing
        assert (row.question, row.respondent, row.ability, row.score) == (
            "ability",
            "old",
            0.5,
            None,
        )
        test = open_ability_test(tables, "s")
        test.record(test.next_item(), 0.0)
        keep_ability_test(test, tables, "s")
        assert len(open_ability_test(tables, "s").answers) == 2
    if version >= 2:
        assert new.read(list_uploads("a"))[0].name == "y.csv"
        assert new.read(list_jobs("a"))[0].run == new.read(list_runs("a"))[0].id == "ef" * 8
    if version >= 3:
        assert new.read(list_decisions("a", "ef" * 8))[0].decision == "fine"
    new.close()
    again = open_database(database_url)
    assert again.write(migrate) == 0
    again.close()


def test_a_database_of_a_newer_version_is_left_alone(database_url):
    opened = open_database(database_url)
    opened.write(lambda t: t.run("INSERT INTO schema_versions VALUES (?)", 99))
    opened.close()
    with pytest.raises(StorageError, match="version 99"):
        open_database(database_url)


def test_published_steps_do_not_change():
    from hashlib import sha256

    found = [sha256("\n".join(step).encode()).hexdigest()[:16] for step in STEPS]
    # Add the mark of a new step; a mark that changes means a step that some databases never took.
    assert found == MARKS
