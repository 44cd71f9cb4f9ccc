"""Calibrations: responses of those evaluated before, from which scores are predicted."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from itemcurve.adaptive.prediction.complete_responses import (
    FEWEST_RESPONDENTS,
    CompleteResponses,
    complete,
)
from itemcurve.service.documents.run_documents import CalibrationList, CalibrationOut
from itemcurve.service.documents.session_documents import Name
from itemcurve.service.live.kept_contents import check_names, read_calibration
from itemcurve.service.problems import ProblemError
from itemcurve.service.rooms import Found, Reader, Writer
from itemcurve.store.contents import (
    Holding,
    drop_holding,
    find_holding,
    hold_content,
    list_holdings,
    read_body,
)

router = APIRouter(prefix="/v1/calibrations", tags=["calibrations"])
Mark = Annotated[str, Path(pattern=r"^[0-9a-f]{64}$")]
_KIND = "calibration"
_BODY = {
    "requestBody": {
        "required": False,
        "description": "As session folders have them (`calibration-….json`): respondents, items "
        "and responses, a text of numbers for each respondent. Left out where `run` is given.",
        "content": {"application/json": {"schema": {"type": "object"}}},
    }
}


@router.post("", status_code=201, openapi_extra=_BODY)
async def hand_in(
    rooms: Found,
    caller: Writer,
    request: Request,
    name: Annotated[Name, Query()] = "calibration",
    run: Annotated[
        str | None,
        Query(pattern=r"^[0-9a-f]{16}$", description="Take the responses of this run."),
    ] = None,
) -> CalibrationOut:
    """Hand in a calibration, or take that of a run; the same one again is the same."""
    body = await request.body()

    def check() -> tuple[bytes, int]:
        if run is None:
            known = _checked(read_calibration(body))
        else:
            known = complete(rooms.runs.source(rooms.runs.find(caller.tenant, run)).fit)
        check_names((*known.items, *known.respondents))
        # Written anew, so that equal ones are the same whatever wrote them.
        return known.content, len(known.items)

    content, size = await run_in_threadpool(check)
    most = rooms.settings.most_tenant_bytes
    held = await rooms.desk.store(
        hold_content(caller.tenant, _KIND, content, name=name, items=size, most=most)
    )
    return _calibration(held)


@router.get("")
async def list_all(rooms: Found, caller: Reader) -> CalibrationList:
    """List the calibrations that may be used."""
    found = await rooms.desk.read(list_holdings(caller.tenant, _KIND))
    return CalibrationList(calibrations=[_calibration(held) for held in found])


@router.get("/{calibration}")
async def show(rooms: Found, caller: Reader, calibration: Mark) -> CalibrationOut:
    """Show a calibration."""
    found = await rooms.desk.read(find_holding(caller.tenant, _KIND, calibration))
    if found is None:
        raise _missing()
    return _calibration(found)


@router.get("/{calibration}/content", response_class=Response)
async def content(rooms: Found, caller: Reader, calibration: Mark) -> Response:
    """Give the calibration itself, as a session folder of the command line has it."""
    await show(rooms, caller, calibration)
    body = await rooms.desk.read(read_body(_KIND, calibration))
    return Response(body, media_type="application/json")


@router.delete("/{calibration}", status_code=204)
async def delete(rooms: Found, caller: Writer, calibration: Mark) -> None:
    """Delete a calibration that no session needs."""
    if not await rooms.desk.store(drop_holding(caller.tenant, _KIND, calibration)):
        raise _missing()


def _checked(known: CompleteResponses) -> CompleteResponses:
    if len(known.respondents) < FEWEST_RESPONDENTS or not known.items:
        detail = f"A calibration needs items and {FEWEST_RESPONDENTS} respondents or more; it has "
        counts = f"{len(known.items)} and {len(known.respondents)}."
        raise ProblemError(422, "not-usable", detail + counts)
    return known


def _calibration(held: Holding) -> CalibrationOut:
    return CalibrationOut(
        mark=held.mark, name=held.name, items=held.items, created_at=held.created_at
    )


def _missing() -> ProblemError:
    return ProblemError(404, "no-such-calibration", "There is no such calibration.")
