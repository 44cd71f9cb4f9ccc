"""Tests for the score: begun here, gone on with as all sessions are."""

from fastapi import APIRouter, Response
from fastapi.concurrency import run_in_threadpool

from itemcurve.service.documents.session_documents import NewScoreTest, SessionState
from itemcurve.service.new_sessions import Key, begin
from itemcurve.service.problems import ProblemError
from itemcurve.service.rooms import Found, Writer

router = APIRouter(prefix="/v1/sessions", tags=["sessions"])


@router.post("/score", response_model=SessionState, status_code=201)
async def begin_score_test(
    rooms: Found, caller: Writer, wanted: NewScoreTest, key: Key = None
) -> Response:
    """Begin a test for the score: what all items would give, from few of them."""
    from itemcurve.service.new_tests import make_score_test

    known = await rooms.contents.get(caller.tenant, "calibration", wanted.calibration)
    if known is None:
        detail = "There is no such calibration; POST it to /v1/calibrations."
        raise ProblemError(404, "no-such-calibration", detail)
    test = await run_in_threadpool(make_score_test, wanted, known)
    return await begin(rooms, caller.tenant, test, wanted, key)
