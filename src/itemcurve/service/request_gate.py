"""The gate that every request passes: who, how often, how much; how long it took; the log."""

import asyncio
import json
import logging
import time
import uuid
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from itemcurve.service.access.bodies import BodyLimits, BodyRoom, check_length, limit_body
from itemcurve.service.access.callers import Caller, Callers
from itemcurve.service.access.origins import Origins
from itemcurve.service.access.rate_limits import RateLimits
from itemcurve.service.metrics import Metrics
from itemcurve.service.problems import ProblemError, as_problem, problem_response
from itemcurve.service.settings import MEBIBYTE, ServiceSettings
from itemcurve.store.database import Database

LOG = logging.getLogger("itemcurve.service")
# What anybody may see: whether the service runs, and the page, which asks for the rest.
_OPEN = ("/", "/health", "/favicon.ico")
_UPLOADS = "/v1/uploads"
# Bodies that are read beside all else; others are read between requests.
_LARGE = ("/v1/banks", "/v1/calibrations")
_MOST_JSON = 8 * MEBIBYTE
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
_HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; style-src 'self'; img-src 'self' data:; "
    "script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
_RAW_HEADERS = [(name.encode(), value.encode()) for name, value in _HEADERS.items()]


class RequestGate:
    """An ASGI application around another.

    Parameters
    ----------
    app : what requests are for.
    """

    def __init__(
        self, app: ASGIApp, settings: ServiceSettings, database: Database, metrics: Metrics
    ) -> None:
        self._app, self._settings, self._metrics = app, settings, metrics
        self._callers = Callers(database, is_token_required=settings.is_token_required)
        is_any = settings.is_token_required and not settings.host_names
        self._origins = Origins(settings.host_names, is_any=is_any)
        self._room = BodyRoom(settings.most_bodies_bytes)
        self._limits = RateLimits(settings.requests_per_second, settings.burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or answer it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        passage = _Passage(scope, send, self._metrics)
        try:
            caller = await self._admit(scope)
            scope.setdefault("state", {})["caller"] = caller
            scope["state"]["is_admitted"] = self._recheck(_header(scope, b"authorization"))
            passage.caller = caller
            await self._pass_on(scope, receive, passage)
        except asyncio.CancelledError:
            raise
        except Exception as error:
            problem = as_problem(error)
            if problem.status >= 500:
                LOG.exception("fault", extra={"request": passage.identity})
            if not passage.is_started:
                await problem_response(problem)(scope, receive, passage.send)
        finally:
            passage.close()

    async def _pass_on(self, scope: Scope, receive: Receive, passage: "_Passage") -> None:
        limits = self._limits_of(scope)
        check_length(_header(scope, b"content-length"), limits.most)
        with self._room.visit() as taken:
            limited = limit_body(receive, limits, taken, passage.body_ended)
            await self._app(scope, limited, passage.send)

    def _recheck(self, authorization: str | None) -> Callable[[], Awaitable[bool]]:
        async def is_admitted() -> bool:
            try:
                await self._callers.identify(authorization)
            except ProblemError:
                return False
            return True

        return is_admitted

    async def _admit(self, scope: Scope) -> Caller | None:
        address = scope["client"][0] if scope.get("client") else "unknown"
        path = scope["path"]
        host, origin = _header(scope, b"host"), _header(scope, b"origin")
        if sum(name == b"host" for name, _ in scope["headers"]) > 1:
            raise ProblemError(400, "bad-request", "A request has one Host.")
        self._origins.check(host, origin, _header(scope, b"sec-fetch-site"))
        if path in _OPEN or path.startswith("/assets/"):
            self._limits.check(f"address {address}")
            return None
        try:
            caller = await self._callers.identify(_header(scope, b"authorization"))
        except ProblemError:
            # Guessing is limited by where it comes from.
            self._limits.check(f"address {address}")
            raise
        self._limits.check(f"token {caller.name}")
        return caller

    def _limits_of(self, scope: Scope) -> BodyLimits:
        seconds = self._settings.body_seconds
        if scope["path"].startswith(_UPLOADS):
            # Written to disk as they come.
            return BodyLimits(self._settings.most_upload_bytes, seconds, is_kept=False)
        is_large = scope["path"] in _LARGE
        most = self._settings.most_body_bytes
        return BodyLimits(most if is_large else min(most, _MOST_JSON), seconds)


class _Passage:
    """One request on its way: when it was read, how it ended, its line in the log."""

    def __init__(self, scope: Scope, send: Send, metrics: Metrics) -> None:
        self._scope, self._send, self._metrics = scope, send, metrics
        self.identity, self.status = uuid.uuid4().hex[:16], 499
        self.is_started = False
        self._start = time.perf_counter()
        self.caller: Caller | None = None

    def body_ended(self) -> None:
        """Count time from here: before, it is the caller's."""
        self._start = time.perf_counter()

    async def send(self, message: Message) -> None:
        """Pass on an answer, with what every answer has."""
        if message["type"] == "http.response.start":
            self.is_started, self.status = True, message["status"]
            taken = f"app;dur={1e3 * (time.perf_counter() - self._start):.2f}"
            own = [(b"x-request-id", self.identity.encode()), (b"server-timing", taken.encode())]
            present = {name for name, _ in message["headers"]}
            standard = [pair for pair in _RAW_HEADERS if pair[0] not in present]
            message = {**message, "headers": [*message["headers"], *standard, *own]}
        await self._send(message)

    def close(self) -> None:
        """Count and log; neither query nor headers, which may hold secrets."""
        seconds = time.perf_counter() - self._start
        route = getattr(self._scope.get("route"), "path", "none")
        method = self._scope["method"] if self._scope["method"] in _METHODS else "other"
        self._metrics.observe(method, route, self.status, seconds)
        if LOG.isEnabledFor(logging.INFO):
            line: dict[str, Any] = {
                "event": "request",
                "id": self.identity,
                "method": method,
                "route": route,
                "status": self.status,
                "ms": round(1e3 * seconds, 2),
                "tenant": self.caller.tenant if self.caller else None,
                "token": self.caller.name if self.caller else None,
            }
            LOG.info(json.dumps(line))


def _header(scope: Scope, name: bytes) -> str | None:
    for key, value in scope["headers"]:
        if key == name:
            return str(value.decode("latin-1"))
    return None
