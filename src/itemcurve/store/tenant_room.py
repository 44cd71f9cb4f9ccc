"""How many bytes a tenant has: of its uploads, and of the contents that it may use."""

from itemcurve.store.transactions import NoRoomError, Transaction

_UPLOADS = "SELECT COALESCE(SUM(size), 0) FROM uploads WHERE tenant = ?"
_CONTENTS = (
    "SELECT COALESCE(SUM(LENGTH(body)), 0) FROM holdings JOIN contents "
    "ON holdings.kind = contents.kind AND holdings.mark = contents.mark WHERE tenant = ?"
)


def used_bytes(transaction: Transaction, tenant: str) -> int:
    """Count the bytes of a tenant."""
    found = [transaction.one(statement, tenant) for statement in (_UPLOADS, _CONTENTS)]
    return sum(int(row[0]) for row in found if row is not None)


def check_room(transaction: Transaction, tenant: str, size: int, most: int | None) -> None:
    """Refuse what would be more than the tenant may have."""
    if most is not None and (used := used_bytes(transaction, tenant)) + size > most:
        raise NoRoomError(
            f"A tenant has at most {most} bytes here;",
            f"there are {used}, and {size} more were given.",
            "Delete uploads, banks or calibrations first.",
        )
