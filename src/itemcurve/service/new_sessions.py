"""A session begun once for one key, whatever it is about."""

import uuid
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated

from fastapi import Header, Response

from itemcurve.service.documents.session_documents import Beginning, Strict
from itemcurve.service.live.live_session import Request
from itemcurve.service.problems import ProblemError
from itemcurve.service.rooms import Rooms
from itemcurve.service.session_replies import reply
from itemcurve.store.transactions import ConflictError

if TYPE_CHECKING:
    from itemcurve.adaptive.recorded_test import RecordedTest

Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=200,
        pattern=r"^[\x21-\x7e]+$",
        description="The same key again changes nothing.",
    ),
]


async def begin(
    rooms: Rooms, tenant: str, test: "RecordedTest", wanted: Beginning, key: str | None
) -> Response:
    """Store a new session and hand out its first items; with a known key, show how it stands."""
    from itemcurve.service.live.questions import question_of

    question = question_of(test)
    seconds = wanted.lease_seconds or rooms.settings.lease_seconds
    request = Request(wanted.next, seconds, key=key, digest=digest_of(wanted))
    name = name_of(tenant, key, 32)
    try:
        live = await rooms.desk.begin(tenant, name, test, question, request)
    except ConflictError:
        if not await rooms.desk.read_request(tenant, name, request):
            raise
        return reply(await rooms.desk.call_up(tenant, name), is_repeated=True)
    return reply(live, status=201)


def name_of(tenant: str, key: str | None, digits: int) -> str:
    """Give a new id. A key names what is made, so that a request that comes again finds it."""
    if key is None:
        return uuid.uuid4().hex[:digits]
    return sha256(f"{tenant} {key}".encode()).hexdigest()[:digits]


def key_used() -> ProblemError:
    """Give the problem of a key that another request had."""
    return ProblemError(422, "key-used", "The Idempotency-Key was used for another request.")


def digest_of(document: Strict) -> str:
    """Give what tells a request from another of the same key."""
    return sha256(document.model_dump_json().encode()).hexdigest()
