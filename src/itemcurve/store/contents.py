"""Banks and calibrations by the SHA-256 of their bytes: stored once, whoever hands them in."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from itemcurve.errors import StorageError
from itemcurve.store.tenant_room import check_room
from itemcurve.store.transactions import ConflictError, Row, Transaction


@dataclass(frozen=True)
class Holding:
    """A content that a tenant may use."""

    kind: str
    mark: str
    name: str
    items: int
    created_at: float


def hold_content(
    tenant: str, kind: str, body: bytes, *, name: str, items: int, most: int | None = None
) -> Callable[[Transaction], Holding]:
    """Store a content unless it is there, and let a tenant use it.

    `NoRoomError` where the tenant then had more bytes than it may.

    Parameters
    ----------
    kind : what it is, as `"bank"`.
    name : for people; that of the first time stays.
    items : how many items it is about.
    most : bytes that the tenant may have in all.
    """
    mark, now = sha256(body).hexdigest(), time.time()

    def work(transaction: Transaction) -> Holding:
        statement = "INSERT INTO contents VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
        known = "SELECT 1 FROM contents WHERE kind = ? AND mark = ?"
        if find_holding(tenant, kind, mark)(transaction) is None:
            check_room(transaction, tenant, len(body), most)
        if transaction.one(known, kind, mark) is None:
            transaction.run(statement, kind, mark, body, now)
        transaction.run(
            "INSERT INTO holdings VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            *(tenant, kind, mark, name, items, now),
        )
        found = find_holding(tenant, kind, mark)(transaction)
        assert found is not None
        return found

    return work


def find_holding(tenant: str, kind: str, mark: str) -> Callable[[Transaction], Holding | None]:
    """Look for a content that a tenant may use."""
    where = "tenant = ? AND kind = ? AND mark = ?"

    def work(transaction: Transaction) -> Holding | None:
        found = transaction.one(f"{_SELECT} WHERE {where}", tenant, kind, mark)
        return None if found is None else _holding(found)

    return work


def list_holdings(tenant: str, kind: str) -> Callable[[Transaction], list[Holding]]:
    """Give the contents of one kind that a tenant may use, the latest first."""

    def work(transaction: Transaction) -> list[Holding]:
        order = "WHERE tenant = ? AND kind = ? ORDER BY created_at DESC, mark"
        return [_holding(row) for row in transaction.all(f"{_SELECT} {order}", tenant, kind)]

    return work


def read_body(kind: str, mark: str) -> Callable[[Transaction], bytes]:
    """Read a content, checked against its mark."""

    def work(transaction: Transaction) -> bytes:
        found = transaction.one("SELECT body FROM contents WHERE kind = ? AND mark = ?", kind, mark)
        body = None if found is None else bytes(found[0])
        if body is None or sha256(body).hexdigest() != mark:
            raise StorageError(
                f"A {kind} must be as it was stored;",
                f"{mark[:12]}… is {'missing' if body is None else 'damaged'}.",
                "Hand it in again, or restore the database from a back-up.",
            )
        return body

    return work


def drop_holding(tenant: str, kind: str, mark: str) -> Callable[[Transaction], bool]:
    """Let a tenant no longer use a content; it goes with the last who may."""

    def work(transaction: Transaction) -> bool:
        used = "SELECT COUNT(*) FROM sessions WHERE tenant = ? AND mark = ?"
        count = transaction.one(used, tenant, mark)
        if count and count[0]:
            raise ConflictError(
                f"A {kind} can go when no session needs it;",
                f"{count[0]} do.",
                "Delete them first.",
            )
        where = "WHERE tenant = ? AND kind = ? AND mark = ?"
        is_found = transaction.run(f"DELETE FROM holdings {where}", tenant, kind, mark) > 0
        drop_unused(transaction)
        return is_found

    return work


def drop_unused(transaction: Transaction) -> int:
    """Delete contents that nobody may use."""
    return transaction.run(
        "DELETE FROM contents WHERE NOT EXISTS (SELECT 1 FROM holdings "
        "WHERE holdings.kind = contents.kind AND holdings.mark = contents.mark)"
    )


_SELECT = "SELECT kind, mark, name, items, created_at FROM holdings"


def _holding(row: Row) -> Holding:
    return Holding(row[0], row[1], row[2], int(row[3]), float(row[4]))
