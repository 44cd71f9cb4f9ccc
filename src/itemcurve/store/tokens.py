"""Tokens: made once, shown once, kept as a hash; with scopes, an expiry, and an end at any time."""

import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest

from itemcurve.errors import StorageError
from itemcurve.store.tenants import add_tenant
from itemcurve.store.transactions import Row, Transaction

# What a token may do: look; run tests, hand in files and fit them; see tokens and delete
# everything of the tenant; see the numbers of the service, which are about all tenants.
SCOPES = ("read", "write", "admin", "operator")
_PREFIX = "itc"
_COLUMNS = "id, tenant, name, scopes, created_at, expires_at, revoked_at"


@dataclass(frozen=True)
class Token:
    """What is known of a token; the token itself is not."""

    id: str
    tenant: str
    name: str
    scopes: tuple[str, ...]
    created_at: float
    expires_at: float | None
    revoked_at: float | None

    def is_valid(self, now: float) -> bool:
        """Say whether it opens anything at this time."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


def make_token(
    tenant: str, name: str, scopes: Iterable[str], *, days: float | None = 90.0
) -> tuple[str, Callable[[Transaction], Token]]:
    """Make a token: the text to hand out, and the work that stores its hash.

    Parameters
    ----------
    days : until it expires; None for never.
    """
    wanted = tuple(scope for scope in SCOPES if scope in set(scopes))
    unknown = sorted(set(scopes) - set(SCOPES))
    if unknown or not wanted or (days is not None and not 0 < days < 36500):
        raise StorageError(
            f"A token has scopes of {', '.join(SCOPES)} and days above 0;",
            f"got {', '.join(unknown) or 'no scope'} and {days}.",
            "Use read,write and 90 if unsure.",
        )
    identity, secret, now = secrets.token_hex(8), secrets.token_urlsafe(32), time.time()
    ends = None if days is None else now + 86400 * days
    token = Token(identity, tenant, name, wanted, now, ends, None)

    def work(transaction: Transaction) -> Token:
        add_tenant(tenant)(transaction)
        transaction.run(
            "INSERT INTO tokens VALUES (?, ?, ?, ?, ?, ?, ?, NULL)",
            *(identity, tenant, name, _digest(secret), " ".join(wanted), now, ends),
        )
        return token

    return f"{_PREFIX}_{identity}_{secret}", work


def find_token(text: str) -> Callable[[Transaction], Token | None]:
    """Look up the token with this text; None unless it is one, whether or not it is valid."""
    prefix, _, rest = text.partition("_")
    identity, _, secret = rest.partition("_")

    def work(transaction: Transaction) -> Token | None:
        if prefix != _PREFIX or len(text) > 200 or not text.isascii():
            return None
        found = transaction.one(f"SELECT {_COLUMNS}, digest FROM tokens WHERE id = ?", identity)
        # As long for a wrong secret as for a right one.
        is_right = compare_digest(str(found[-1]) if found else "", _digest(secret))
        return _token(found[:-1]) if found and is_right else None

    return work


def list_tokens(tenant: str | None) -> Callable[[Transaction], list[Token]]:
    """Give the tokens of a tenant, or all."""

    def work(transaction: Transaction) -> list[Token]:
        rows = transaction.all(f"SELECT {_COLUMNS} FROM tokens ORDER BY created_at, id")
        return [_token(row) for row in rows if tenant is None or row[1] == tenant]

    return work


def revoke_token(identity: str) -> Callable[[Transaction], bool]:
    """End a token; say whether there was one that had not ended."""

    def work(transaction: Transaction) -> bool:
        statement = "UPDATE tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL"
        return transaction.run(statement, time.time(), identity) > 0

    return work


def _token(row: Row) -> Token:
    return Token(row[0], row[1], row[2], tuple(str(row[3]).split()), *row[4:])


def _digest(secret: str) -> str:
    # 256 random bits cannot be guessed: a slow hash would protect nothing more.
    return sha256(secret.encode()).hexdigest()
