"""The schema from every earlier version, with data in it; newer ones are refused."""

import pytest

from itemcurve.errors import StorageError
from itemcurve.store.database import open_database
from itemcurve.store.migration import migrate, schema_version
from itemcurve.store.schema_steps import STEPS
from itemcurve.store.tokens import find_token, make_token

MARKS = ["1c3751d69285b117", "8946a5f8fba8de1a", "ee600c2cd667f59c"]


def columns(database):
    tables = ("tenants", "tokens", "contents", "holdings", "sessions", "session_lines")
    tables += ("uploads", "jobs", "runs", "decisions")
    return {
        table: database.read(lambda t, table=table: t.all(f"SELECT * FROM {table} WHERE 1 = 0"))
        for table in tables
    }


@pytest.mark.parametrize("version", range(len(STEPS)))
def test_every_earlier_version_is_brought_up_to_date_with_its_data(
    version, database_url, monkeypatch
):
    monkeypatch.setattr("itemcurve.store.database.migrate", lambda t: migrate(t, version))
    old = open_database(database_url)
    assert old.read(schema_version) == version
    text = None
    if version:
        text, work = make_token("a", "kept", ["read"])
        old.write(work)
    old.close()
    monkeypatch.undo()
    new = open_database(database_url)
    assert new.read(schema_version) == len(STEPS)
    assert len(columns(new)) == 10
    if text:
        assert new.read(find_token(text)).name == "kept"
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
