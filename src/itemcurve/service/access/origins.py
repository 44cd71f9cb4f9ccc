"""Requests that a browser was tricked into: wrong Host (DNS rebinding), wrong Origin."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from itemcurve.service.problems import ProblemError
from itemcurve.service.settings import LOOPBACK


class Origins:
    """Knows the names by which the service may be called.

    Parameters
    ----------
    host_names : besides those of this machine.
    is_any : whether any name will do, where a token is required: a page that was tricked into
        calling the service has none.
    """

    def __init__(self, host_names: Sequence[str] = (), *, is_any: bool = False) -> None:
        self._names = {name.lower() for name in (*LOOPBACK, *host_names)}
        self._is_any = is_any

    def check(self, host: str | None, origin: str | None, fetch_site: str | None) -> None:
        """Refuse a request that was made for another site, or by one.

        A page of a stranger whose name points to this machine sends that name as Host. Other pages
        send their own as Origin; programs that are no browsers send none.
        """
        name = _place(f"//{host}")[0] if host else ""
        if name not in self._names and not self._is_any:
            detail = f"The service is not called {name[:80]!r}. Serve with --host-name if it is."
            raise ProblemError(421, "wrong-host", detail)
        if fetch_site is not None and fetch_site not in ("same-origin", "none"):
            raise ProblemError(403, "cross-site", "Requests of other sites are refused.")
        if origin is not None and _place(origin) != _place(f"//{host}"):
            raise ProblemError(403, "cross-site", "Requests of other sites are refused.")


def _place(address: str) -> tuple[str, int | None]:
    """Name and port; behind a proxy the port is left out on either side."""
    try:
        parts = urlsplit(address)
        return (parts.hostname or "").lower(), parts.port
    except ValueError:
        return "", -1
