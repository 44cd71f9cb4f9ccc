"""The schema brought up to date: numbered steps, forwards only, each once."""

from itemcurve.errors import StorageError
from itemcurve.store.schema_steps import STEPS
from itemcurve.store.transactions import Transaction

_TABLE = "CREATE TABLE IF NOT EXISTS schema_versions (version BIGINT PRIMARY KEY)"


def migrate(transaction: Transaction, newest: int = len(STEPS)) -> int:
    """Take the steps that are missing up to `newest`; give how many there were.

    They are part of one transaction: a database is of the old version or of the new one. Where
    two servers start at once, one waits for the other.
    """
    transaction.hold_schema()
    transaction.run(_TABLE)
    version = schema_version(transaction)
    if version > len(STEPS):
        raise StorageError(
            f"This itemcurve knows databases up to version {len(STEPS)};",
            f"this one has version {version}.",
            "Upgrade itemcurve; databases are never taken back.",
        )
    for number in range(version + 1, newest + 1):
        for statement in STEPS[number - 1]:
            transaction.run(statement)
        transaction.run("INSERT INTO schema_versions VALUES (?)", number)
    return max(newest - version, 0)


def schema_version(transaction: Transaction) -> int:
    """Give the version of the schema; 0 before the first step."""
    found = transaction.one("SELECT MAX(version) FROM schema_versions")
    return int(found[0]) if found and found[0] is not None else 0
