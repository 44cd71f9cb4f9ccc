"""Calibrations: responses of those evaluated before, from which scores are predicted."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Query, Request, Response

from itemcurve.service.documents.run_documents import CalibrationList, CalibrationOut
from itemcurve.service.documents.session_documents import Name
from itemcurve.service.held_contents import HeldContents, Mark
from itemcurve.service.live.kept_contents import check_names, read_calibration
from itemcurve.service.problems import ProblemError
from itemcurve.service.rooms import Found, Reader, Writer

if TYPE_CHECKING:
    from itemcurve.adaptive.prediction.complete_responses import CompleteResponses

router = APIRouter(prefix="/v1/calibrations", tags=["calibrations"])
_CALIBRATIONS = HeldContents("calibration")
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
        from itemcurve.adaptive.prediction.complete_responses import complete

        if run is None:
            known = _checked(read_calibration(body))
        else:
            known = complete(rooms.runs.source(rooms.runs.find(caller.tenant, run)).fit)
        check_names((*known.items, *known.respondents))
        # Written anew, so that equal ones are the same whatever wrote them.
        return known.content, len(known.items)

    return CalibrationOut(**asdict(await _CALIBRATIONS.hand_in(rooms, caller.tenant, name, check)))


@router.get("")
async def list_all(rooms: Found, caller: Reader) -> CalibrationList:
    """List the calibrations that may be used."""
    found = await _CALIBRATIONS.list_all(rooms, caller.tenant)
    return CalibrationList(calibrations=[CalibrationOut(**asdict(held)) for held in found])


@router.get("/{calibration}")
async def show(rooms: Found, caller: Reader, calibration: Mark) -> CalibrationOut:
    """Show a calibration."""
    return CalibrationOut(**asdict(await _CALIBRATIONS.find(rooms, caller.tenant, calibration)))


@router.get("/{calibration}/content", response_class=Response)
async def content(rooms: Found, caller: Reader, calibration: Mark) -> Response:
    """Give the calibration itself, as a session folder of the command line has it."""
    return await _CALIBRATIONS.read(rooms, caller.tenant, calibration)


@router.delete("/{calibration}", status_code=204)
async def delete(rooms: Found, caller: Writer, calibration: Mark) -> None:
    """Delete a calibration that no session needs."""
    await _CALIBRATIONS.delete(rooms, caller.tenant, calibration)


def _checked(known: "CompleteResponses") -> "CompleteResponses":
    from itemcurve.adaptive.prediction.complete_responses import FEWEST_RESPONDENTS

    if len(known.respondents) < FEWEST_RESPONDENTS or not known.items:
        detail = f"A calibration needs items and {FEWEST_RESPONDENTS} respondents or more; it has "
        counts = f"{len(known.items)} and {len(known.respondents)}."
        raise ProblemError(422, "not-usable", detail + counts)
    return known
