"""Banks: handed in once, known by their content."""

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from itemcurve.service.documents.run_documents import BankList, BankOut
from itemcurve.service.documents.session_documents import Name
from itemcurve.service.held_contents import HeldContents, Mark
from itemcurve.service.live.kept_contents import check_names, read_bank
from itemcurve.service.problems import ProblemError
from itemcurve.service.rooms import Found, Reader, Writer

router = APIRouter(prefix="/v1/banks", tags=["banks"])
_BANKS = HeldContents("bank")
_BODY = {
    "requestBody": {
        "required": False,
        "description": "A bank as session folders have them (`bank-….json`); left out where `run` "
        "is given.",
        "content": {"application/json": {"schema": {"type": "object"}}},
    }
}


@router.post("", status_code=201, openapi_extra=_BODY)
async def hand_in(
    rooms: Found,
    caller: Writer,
    request: Request,
    name: Annotated[Name, Query()] = "bank",
    run: Annotated[
        str | None, Query(pattern=r"^[0-9a-f]{16}$", description="Take the bank of this run.")
    ] = None,
) -> BankOut:
    """Hand in a bank, or take that of a run; the same one again is the same."""
    body = await request.body()

    def check() -> tuple[bytes, int]:
        from itemcurve.bank.saved_bank import bank_content

        if run is None:
            bank = read_bank(body)
        else:
            bank = rooms.runs.source(rooms.runs.find(caller.tenant, run)).fit.bank
        if not len(bank):
            raise ProblemError(422, "not-usable", "A bank needs items.")
        check_names(bank.items)
        # Written anew, so that equal banks are the same whatever wrote them.
        return bank_content(bank), len(bank)

    return BankOut(**asdict(await _BANKS.hand_in(rooms, caller.tenant, name, check)))


@router.get("")
async def list_all(rooms: Found, caller: Reader) -> BankList:
    """List the banks that may be used."""
    found = await _BANKS.list_all(rooms, caller.tenant)
    return BankList(banks=[BankOut(**asdict(held)) for held in found])


@router.get("/{mark}")
async def show(rooms: Found, caller: Reader, mark: Mark) -> BankOut:
    """Show a bank."""
    return BankOut(**asdict(await _BANKS.find(rooms, caller.tenant, mark)))


@router.get("/{mark}/content", response_class=Response)
async def content(rooms: Found, caller: Reader, mark: Mark) -> Response:
    """Give the bank itself, as a session folder of the command line has it."""
    return await _BANKS.read(rooms, caller.tenant, mark)


@router.delete("/{mark}", status_code=204)
async def delete(rooms: Found, caller: Writer, mark: Mark) -> None:
    """Delete a bank that no session needs."""
    await _BANKS.delete(rooms, caller.tenant, mark)
