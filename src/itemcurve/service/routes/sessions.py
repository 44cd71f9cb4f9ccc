"""Sessions: begin one, answer and get the next items in one round trip, finish, take the record."""

import re
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Query, Response
from fastapi import Request as HttpRequest
from fastapi.responses import StreamingResponse

from itemcurve.service.broadcast import as_events
from itemcurve.service.documents.session_documents import (
    AnswerIn,
    Answers,
    NewSession,
    NextItems,
    Release,
    SessionList,
    SessionRecord,
    SessionState,
)
from itemcurve.service.live.live_session import GivenAnswer, Request
from itemcurve.service.new_sessions import Key, begin, digest_of
from itemcurve.service.problems import ProblemError
from itemcurve.service.rooms import (
    Found,
    Reader,
    Rooms,
    Writer,
    admission_of,
    caller_of,
    rooms_of,
)
from itemcurve.service.session_replies import describe, predict_score, reply, summarise
from itemcurve.store.session_rows import delete_session, list_sessions, read_lines

router = APIRouter(prefix="/v1/sessions", tags=["sessions"])

SessionId = Annotated[str, Path(pattern=r"^[0-9a-f]{32}$")]
IfMatch = Annotated[
    str | None, Header(alias="If-Match", description="The version that the session must have.")
]
_EVENT_SECONDS = 3600.0


@router.post("", response_model=SessionState, status_code=201)
async def begin_session(
    rooms: Found, caller: Writer, wanted: NewSession, key: Key = None
) -> Response:
    """Begin a test; the first items come with the answer."""
    from itemcurve.service.new_tests import make_test

    bank = await rooms.contents.get(caller.tenant, "bank", wanted.bank)
    if bank is None:
        raise ProblemError(404, "no-such-bank", "There is no such bank; POST it to /v1/banks.")
    return await begin(rooms, caller.tenant, make_test(wanted, bank), wanted, key)


@router.get("")
async def list_all(
    rooms: Found,
    caller: Reader,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    after: Annotated[str | None, Query(max_length=100)] = None,
) -> SessionList:
    """List sessions, the latest changed first."""
    rows = await rooms.desk.read(list_sessions(caller.tenant, before=_page(after), limit=limit + 1))
    shown = [summarise(row) for row in rows[:limit]]
    last = rows[limit - 1] if len(rows) > limit else None
    return SessionList(sessions=shown, next=f"{last.changed_at!r} {last.id}" if last else None)


@router.get("/events", response_class=StreamingResponse)
async def follow(rooms: Found, caller: Reader, asked: HttpRequest) -> StreamingResponse:
    """Follow which sessions change, as server-sent events of their ids."""
    rooms.broadcast.check_room(caller.tenant)
    may = admission_of(asked)

    async def events() -> Any:
        with rooms.broadcast.listen((caller.tenant, "sessions")) as queue:
            yield ": listening\n\n"
            async for event in as_events(queue, seconds=_EVENT_SECONDS, is_admitted=may):
                yield event

    return StreamingResponse(events(), media_type="text/event-stream")


@router.get("/{session}", response_model=SessionState)
async def show(
    rooms: Found,
    caller: Reader,
    session: SessionId,
    score: Annotated[
        bool, Query(description="Predict the score over the whole bank, too.")
    ] = False,
) -> Response:
    """Show how a session stands."""
    live = await rooms.desk.look_up(caller.tenant, session)
    return reply(live, score=await predict_score(rooms.desk, live) if score else None)


@router.post("/{session}/next", response_model=SessionState)
async def hand_out(
    rooms: Found,
    caller: Writer,
    session: SessionId,
    wanted: NextItems,
    version: IfMatch = None,
) -> Response:
    """Hand out items: a lease that stays the same until answered, released or expired."""
    seconds = wanted.lease_seconds or rooms.settings.lease_seconds
    request = Request(wanted.next, seconds, _version(version))
    live, _ = await rooms.desk.step(
        caller.tenant, session, lambda found: found.hand_out(request), request
    )
    return reply(live)


@router.post("/{session}/answers", response_model=SessionState)
async def answer(
    asked: HttpRequest,
    session: SessionId,
    given: Answers,
    key: Key = None,
    version: IfMatch = None,
) -> Response:
    """Record answers, and get the new state and the next items in one round trip."""
    tenant = caller_of(asked, "write").tenant
    return await take_answers(rooms_of(asked), tenant, session, given, key, version)


async def take_answers(
    rooms: Rooms, tenant: str, session: str, given: Answers, key: str | None, version: str | None
) -> Response:
    """Record answers to items of a session."""
    seconds = given.lease_seconds or rooms.settings.lease_seconds
    answers = [GivenAnswer(each.item, _value(each)) for each in given.answers]
    items = frozenset(each.item for each in answers)
    digest = digest_of(given) if key is not None else None
    request = Request(given.next, seconds, _version(version), key, digest, items)
    live, is_repeated = await rooms.desk.step(
        tenant, session, lambda found: found.answer(answers, request), request
    )
    if not is_repeated:
        rooms.metrics.count("answers", len(answers))
    return reply(live, is_repeated=is_repeated)


@router.post("/{session}/release", response_model=SessionState)
async def release(
    rooms: Found,
    caller: Writer,
    session: SessionId,
    wanted: Release,
    version: IfMatch = None,
) -> Response:
    """Take back items that will not be answered now; they may be chosen again."""
    request = Request(0, 0.0, _version(version))
    live, _ = await rooms.desk.step(
        caller.tenant, session, lambda found: found.release(wanted.items, request), request
    )
    return reply(live)


@router.post("/{session}/finish", response_model=SessionState)
async def finish(
    rooms: Found, caller: Writer, session: SessionId, version: IfMatch = None
) -> Response:
    """End a session as it is, and get its score."""
    request = Request(0, 0.0, _version(version))
    live, _ = await rooms.desk.step(
        caller.tenant, session, lambda found: found.finish(request), request
    )
    return reply(live, score=await predict_score(rooms.desk, live))


@router.get("/{session}/record")
async def record(rooms: Found, caller: Reader, session: SessionId) -> SessionRecord:
    """Give all that is needed to run the test again and get the same."""
    live = await rooms.desk.look_up(caller.tenant, session)
    lines = await rooms.desk.read(read_lines(caller.tenant, session))
    async with live.lock:
        state = describe(live)
        test = live.test
        header = test.kept.header if test.kept is not None else {}
        answers = [{**asdict(each.handed_out), "response": each.response} for each in test.answers]
        away = [handed.item for handed in test.items_set_aside]
    return SessionRecord(
        format=str(header.get("format", "")),
        state=state,
        settings=dict(header.get("settings", {})),
        answers=answers,  # type: ignore[arg-type]  # pydantic makes the documents
        set_aside=away,
        lines=lines,
    )


@router.delete("/{session}", status_code=204)
async def delete(rooms: Found, caller: Writer, session: SessionId) -> None:
    """Delete a session and its answers."""
    if not await rooms.desk.store(delete_session(caller.tenant, session)):
        raise ProblemError(404, "no-such-session", "There is no such session.")
    rooms.desk.drop(caller.tenant, session)


def _value(given: AnswerIn) -> float | None:
    if given.right is not None and given.tries is not None:
        return given.right / given.tries
    return given.value


def _version(given: str | None) -> int | None:
    if given is None or given.strip() == "*":
        return None
    found = re.fullmatch(r'(?:W/)?"?(\d{1,15})"?', given.strip())
    if found is None:
        raise ProblemError(422, "invalid-request", 'If-Match is a version such as "12".')
    return int(found[1])


def _page(after: str | None) -> tuple[float, str] | None:
    if after is None:
        return None
    changed, _, name = after.partition(" ")
    try:
        return float(changed), name
    except ValueError:
        raise ProblemError(422, "invalid-request", "after is what `next` said.") from None
