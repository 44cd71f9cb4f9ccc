"""The short way for answers: asked for thousands of times as often as all the rest.

A request that is as it should be goes straight to the desk. Any other goes the usual way, with the
body that was read, so that what is said of mistakes is the same.
"""

import re

from fastapi import FastAPI, Response
from pydantic import ValidationError
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from itemcurve.service.access.callers import Caller
from itemcurve.service.documents.session_documents import Answers
from itemcurve.service.rooms import Rooms
from itemcurve.service.routes import sessions

_PATH = re.compile(r"/v1/sessions/([0-9a-f]{32})/answers")
_KEY = re.compile(rb"[\x21-\x7e]{1,200}")


class DirectAnswers:
    """An ASGI application before another.

    Parameters
    ----------
    app : the usual way.
    """

    def __init__(self, app: FastAPI) -> None:
        self._app: ASGIApp = app
        self._rooms: Rooms = app.state.rooms
        # By its name in logs and metrics.
        (self._route,) = (r for r in sessions.router.routes if getattr(r, "name", "") == "answer")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass on."""
        is_post = scope["type"] == "http" and scope["method"] == "POST"
        found = _PATH.fullmatch(scope["path"]) if is_post else None
        headers = dict(scope["headers"]) if found else {}
        key = headers.get(b"idempotency-key")
        is_plain = headers.get(b"content-type") == b"application/json"
        if found is None or not is_plain or (key is not None and not _KEY.fullmatch(key)):
            await self._app(scope, receive, send)
            return
        body, last = await _read(receive)
        try:
            given = Answers.model_validate_json(body)
        except ValidationError:
            await self._app(scope, _again(body, last, receive), send)
            return
        scope["route"] = self._route
        response = await self._answer(scope["state"]["caller"], found[1], given, headers)
        await response(scope, receive, send)

    async def _answer(
        self, caller: Caller, session: str, given: Answers, headers: dict[bytes, bytes]
    ) -> Response:
        caller.check("write")
        key, version = (headers.get(name) for name in (b"idempotency-key", b"if-match"))
        return await sessions.take_answers(
            self._rooms,
            caller.tenant,
            session,
            given,
            None if key is None else key.decode("latin-1"),
            None if version is None else version.decode("latin-1"),
        )


async def _read(receive: Receive) -> tuple[bytes, Message]:
    """Read the body; give it with the last message."""
    parts = []
    while True:
        message = await receive()
        parts.append(message.get("body", b""))
        if message["type"] == "http.disconnect" or not message.get("more_body", False):
            return b"".join(parts), message


def _again(body: bytes, last: Message, receive: Receive) -> Receive:
    """Give what receives a body that was read."""
    waiting = [
        last if last["type"] == "http.disconnect" else {"type": "http.request", "body": body}
    ]

    async def again() -> Message:
        return waiting.pop() if waiting else await receive()

    return again
