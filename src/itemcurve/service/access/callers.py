"""Who asks: a token's tenant and scopes, or whoever is on this machine."""

import asyncio
import time
from dataclasses import dataclass
from hashlib import sha256

from itemcurve.service.problems import ProblemError
from itemcurve.store.database import Database
from itemcurve.store.tenants import LOCAL
from itemcurve.store.tokens import SCOPES, Token, find_token

# A token that is revoked by a command opens nothing this many seconds later.
REMEMBERED_S = 2.0
_MOST_REMEMBERED = 10_000


@dataclass(frozen=True)
class Caller:
    """Who asks.

    Attributes
    ----------
    name : of the token, for logs; not a secret.
    """

    tenant: str
    scopes: tuple[str, ...]
    name: str

    def check(self, scope: str) -> None:
        """Refuse what the token was not made for."""
        if scope not in self.scopes:
            detail = f"This needs a token with the scope {scope}; this one has "
            raise ProblemError(403, "missing-scope", f"{detail}{', '.join(self.scopes)}.")


LOCAL_CALLER = Caller(LOCAL, SCOPES, "local")


class Callers:
    """Knows callers by their tokens, and remembers them for a moment.

    Parameters
    ----------
    is_token_required : where not, a request without a token is from this machine.
    """

    def __init__(self, database: Database, *, is_token_required: bool) -> None:
        self._database = database
        self._is_token_required = is_token_required
        self._known: dict[bytes, tuple[float, Token | None]] = {}

    async def identify(self, authorization: str | None) -> Caller:
        """Give the caller; `ProblemError` 401 where there is none."""
        if authorization is None:
            if self._is_token_required:
                raise _unknown("This service needs a token: Authorization: Bearer ….")
            return LOCAL_CALLER
        kind, _, text = authorization.partition(" ")
        token = await self._find(text.strip()) if kind.lower() == "bearer" else None
        if token is None or not token.is_valid(time.time()):
            raise _unknown("The token is unknown, expired or revoked.")
        return Caller(token.tenant, token.scopes, token.id)

    async def _find(self, text: str) -> Token | None:
        # Remembered by its hash: secrets do not stay in memory.
        mark, now = sha256(text.encode()).digest(), time.monotonic()
        known = self._known.get(mark)
        if known is not None and now - known[0] < REMEMBERED_S:
            return known[1]
        found = await asyncio.to_thread(self._database.read, find_token(text))
        if len(self._known) >= _MOST_REMEMBERED:
            self._known.clear()
        self._known[mark] = (now, found)
        return found


def _unknown(detail: str) -> ProblemError:
    return ProblemError(401, "unknown-caller", detail, {"WWW-Authenticate": "Bearer"})
