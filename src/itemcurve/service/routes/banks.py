"""Banks: handed in once, known by their content."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from itemcurve.bank.saved_bank import bank_content
from itemcurve.service.documents.run_documents import BankList, BankOut
from itemcurve.service.documents.session_documents import Name
from itemcurve.service.live.kept_contents import check_names, read_bank
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

router = APIRouter(prefix="/v1/banks", tags=["banks"])
BankMark = Annotated[str, Path(pattern=r"^[0-9a-f]{64}$")]
_KIND = "bank"
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
        if run is None:
            bank = read_bank(body)
        else:
            bank = rooms.runs.source(rooms.runs.find(caller.tenant, run)).fit.bank
        if not len(bank):
            raise ProblemError(422, "not-usable", "A bank needs items.")
        check_names(bank.items)
        # Written anew, so that equal banks are the same whatever wrote them.
        return bank_content(bank), len(bank)

    content, size = await run_in_threadpool(check)
    most = rooms.settings.most_tenant_bytes
    held = await rooms.desk.store(
        hold_content(caller.tenant, _KIND, content, name=name, items=size, most=most)
    )
    return _bank(held)


@router.get("")
async def list_all(rooms: Found, caller: Reader) -> BankList:
    """List the banks that may be used."""
    found = await rooms.desk.read(list_holdings(caller.tenant, _KIND))
    return BankList(banks=[_bank(held) for held in found])


@router.get("/{mark}")
async def show(rooms: Found, caller: Reader, mark: BankMark) -> BankOut:
    """Show a bank."""
    found = await rooms.desk.read(find_holding(caller.tenant, _KIND, mark))
    if found is None:
        raise _missing()
    return _bank(found)


@router.get("/{mark}/content", response_class=Response)
async def content(rooms: Found, caller: Reader, mark: BankMark) -> Response:
    """Give the bank itself, as a session folder of the command line has it."""
    await show(rooms, caller, mark)
    body = await rooms.desk.read(read_body(_KIND, mark))
    return Response(body, media_type="application/json")


@router.delete("/{mark}", status_code=204)
async def delete(rooms: Found, caller: Writer, mark: BankMark) -> None:
    """Delete a bank that no session needs."""
    if not await rooms.desk.store(drop_holding(caller.tenant, _KIND, mark)):
        raise _missing()


def _bank(held: Holding) -> BankOut:
    return BankOut(mark=held.mark, name=held.name, items=held.items, created_at=held.created_at)


def _missing() -> ProblemError:
    return ProblemError(404, "no-such-bank", "There is no such bank.")
