"""Tenants: whose data something is. Nothing of one is ever seen by another."""

import re
import time
from collections.abc import Callable

from itemcurve.errors import StorageError
from itemcurve.store.transactions import Transaction

# Who works on this machine without a token.
LOCAL = "local"
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")


def check_tenant(tenant: str) -> str:
    """Refuse a name that could not be part of a path or an address."""
    if not _NAME.fullmatch(tenant):
        raise StorageError(
            "A tenant's name is up to 63 small letters, digits, - and _;",
            f"got {tenant[:80]!r}.",
            "Choose one such as team-a.",
        )
    return tenant


def add_tenant(tenant: str) -> Callable[[Transaction], None]:
    """Make sure that there is a tenant of this name."""
    check_tenant(tenant)

    def work(transaction: Transaction) -> None:
        transaction.run(
            "INSERT INTO tenants VALUES (?, ?) ON CONFLICT DO NOTHING", tenant, time.time()
        )

    return work


def list_tenants(transaction: Transaction) -> list[str]:
    """Give the names of all tenants."""
    return [str(row[0]) for row in transaction.all("SELECT id FROM tenants ORDER BY id")]
