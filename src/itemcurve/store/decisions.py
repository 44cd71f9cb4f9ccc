"""What people decided about items of a run: the latest counts, none is lost."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from itemcurve.store.transactions import Transaction

KINDS = ("wrong key", "ambiguous", "fixed", "fine", "undecided")


@dataclass(frozen=True)
class Decision:
    """One decision about one item."""

    item: str
    decision: str
    note: str
    decided_at: float


def add_decision(
    tenant: str, run: str, item: str, decision: str, note: str
) -> Callable[[Transaction], Decision]:
    """Add a decision."""
    made = Decision(item, decision, note, time.time())
    last = "SELECT MAX(number) FROM decisions WHERE tenant = ? AND run = ?"

    def work(transaction: Transaction) -> Decision:
        found = transaction.one(last, tenant, run)
        number = 1 + int(found[0] or 0) if found else 1
        transaction.run(
            "INSERT INTO decisions VALUES (?, ?, ?, ?, ?, ?, ?)",
            *(tenant, run, number, item, decision, note, made.decided_at),
        )
        return made

    return work


def list_decisions(tenant: str, run: str) -> Callable[[Transaction], list[Decision]]:
    """Give all decisions about a run, in the order in which they were made."""
    statement = (
        "SELECT item, decision, note, decided_at FROM decisions "
        "WHERE tenant = ? AND run = ? ORDER BY number"
    )
    return lambda transaction: [Decision(*row) for row in transaction.all(statement, tenant, run)]
