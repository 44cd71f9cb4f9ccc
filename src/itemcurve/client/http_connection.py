"""Requests over one connection that is kept, repeated where that is safe."""

import http.client
import json
import random
import threading
import time
import weakref
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from itemcurve.client.replies import ServiceProblemError

# Wait this long before trying again: at most so many seconds at a time, and in all.
_FIRST_WAIT, _LONGEST_WAIT = 0.05, 2.0
_LATER = (429, 502, 503, 504)


class HttpConnection:
    """A connection to a service; one per thread.

    Parameters
    ----------
    patience : seconds to go on trying while the service is away.
    """

    def __init__(self, url: str, token: str | None, *, timeout: float, patience: float) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ServiceProblemError(0, "wrong-address", f"A service is at http://…; got {url!r}.")
        self._parts, self._token = parts, token
        self._timeout, self._patience = timeout, patience
        self._own = threading.local()

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        """Make a request, again and again while the service is away; give its answer.

        Whoever repeats what changes something gives an Idempotency-Key, or does not mind.
        """
        end, wait = time.monotonic() + self._patience, _FIRST_WAIT
        while True:
            try:
                status, found, later = self._try(method, path, body, headers or {})
            except (OSError, http.client.HTTPException) as error:
                self._close()
                status, later = 0, None
                found = {
                    "type": "urn:itemcurve:problem:unreachable",
                    "detail": f"{type(error).__name__}: {error}",
                }
            if 200 <= status < 300:
                return found
            if (status and status not in _LATER) or time.monotonic() + wait > end:
                raise _problem(status, found)
            # Not all at the same moment.
            time.sleep(max(wait * random.uniform(0.5, 1.5), later or 0.0))
            wait = min(2 * wait, _LONGEST_WAIT)

    def _try(
        self,
        method: str,
        path: str,
        body: bytes | Mapping[str, Any] | None,
        headers: Mapping[str, str],
    ) -> tuple[int, Any, float | None]:
        connection = self._connection()
        content = json.dumps(body).encode() if isinstance(body, Mapping) else body
        own = {"Accept": "application/json", **headers}
        if content is not None:
            own["Content-Type"] = (
                "application/json" if isinstance(body, Mapping) else "application/octet-stream"
            )
        if self._token is not None:
            own["Authorization"] = f"Bearer {self._token}"
        connection.request(method, self._parts.path.rstrip("/") + path, content, own)
        response = connection.getresponse()
        text = response.read()
        later = response.getheader("Retry-After")
        is_json = "json" in (response.getheader("Content-Type") or "")
        found = json.loads(text) if is_json and text else text
        return response.status, found, float(later) if later and later.isdigit() else None

    def _connection(self) -> http.client.HTTPConnection:
        held: _Held | None = getattr(self._own, "held", None)
        if held is None:
            is_safe = self._parts.scheme == "https"
            kind = http.client.HTTPSConnection if is_safe else http.client.HTTPConnection
            held = _Held(kind(str(self._parts.hostname), self._parts.port, timeout=self._timeout))
            self._own.held = held
        return held.connection

    def _close(self) -> None:
        self._own.held = None


class _Held:
    """A connection that is closed when nobody holds it any more, as at the end of a thread.

    Not by `__del__`: in a circle of garbage the socket may be finalised before this object.
    """

    def __init__(self, connection: http.client.HTTPConnection) -> None:
        self.connection = connection
        weakref.finalize(self, connection.close)


def _problem(status: int, found: Any) -> ServiceProblemError:
    if not isinstance(found, dict):
        return ServiceProblemError(status, "unexpected", "The answer is not from this service.")
    kind = str(found.get("type", "")).rpartition(":")[2]
    return ServiceProblemError(status, kind, str(found.get("detail", "")))
