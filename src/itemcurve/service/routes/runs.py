"""Runs: what a dashboard shows of them, as JSON by column."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Response
from fastapi.concurrency import run_in_threadpool

from itemcurve.service.documents.run_documents import (
    DecisionList,
    DecisionOut,
    ItemAnswers,
    NewDecision,
    RespondentAnswers,
    RunDescription,
    RunList,
    RunOut,
    Table,
)
from itemcurve.service.problems import ProblemError
from itemcurve.service.rooms import Found, Reader, Rooms, Writer
from itemcurve.service.run_views import RunEntry
from itemcurve.storage.json_documents import pack_line
from itemcurve.storage.run_kinds import name_contents
from itemcurve.store.decisions import add_decision, list_decisions
from itemcurve.store.run_rows import delete_run

if TYPE_CHECKING:
    import pandas

router = APIRouter(prefix="/v1/runs", tags=["runs"])
RunId = Annotated[str, Path(pattern=r"^[0-9a-f]{16}$")]
_MOST_ROWS = 1_000_000
_CURVE_POINTS = 81


@router.get("")
async def list_all(rooms: Found, caller: Reader) -> RunList:
    """List runs: those fitted here, and on this machine those of the command line."""
    found = await run_in_threadpool(rooms.runs.list_all, caller.tenant)
    return RunList(
        runs=[
            RunOut(
                id=r.id,
                name=r.name,
                created_at=r.created_at,
                is_linked=r.is_linked,
                holds=name_contents(r.path),
            )
            for r in found
        ]
    )


@router.get("/{run}")
async def show(rooms: Found, caller: Reader, run: RunId) -> RunDescription:
    """Describe a run."""
    entry = await _find(rooms, caller.tenant, run)

    def describe() -> RunDescription:
        source = rooms.runs.source(entry)
        fit = source.fit
        return RunDescription(
            id=entry.id,
            name=entry.name,
            model=fit.model,
            respondents=fit.responses.shape[0],
            items=fit.responses.shape[1],
            observed=fit.responses.n_observed,
            is_converged=fit.status.is_converged,
            status=str(fit.status),
            bank=fit.bank.mark,
            tables=[analysis.name for analysis in source.analyses],
        )

    return await run_in_threadpool(describe)


@router.get("/{run}/{table}", response_model=Table)
async def table(
    rooms: Found,
    caller: Reader,
    run: RunId,
    table: Literal["leaderboard", "items", "respondents", "findings"],
    offset: Annotated[int, Query(ge=0)] = 0,
    limit: Annotated[int, Query(ge=1, le=_MOST_ROWS)] = 1000,
) -> Response:
    """Give rows of a table of a run."""
    entry = await _find(rooms, caller.tenant, run)
    return await run_in_threadpool(lambda: _page(rooms.runs.table(entry, table), offset, limit))


@router.get("/{run}/analyses/{name}", response_model=Table)
async def analysis(
    rooms: Found,
    caller: Reader,
    run: RunId,
    name: Annotated[str, Path(max_length=200)],
    offset: Annotated[int, Query(ge=0)] = 0,
    limit: Annotated[int, Query(ge=1, le=_MOST_ROWS)] = 1000,
) -> Response:
    """Give rows of an analysis that the run holds."""
    entry = await _find(rooms, caller.tenant, run)
    source = await run_in_threadpool(rooms.runs.source, entry)
    found = source.table(name)
    if found is None:
        raise ProblemError(404, "no-such-table", f"The run has no table {name[:80]!r}.")
    return await run_in_threadpool(_page, found, offset, limit)


@router.get("/{run}/item/answers", response_model=ItemAnswers)
async def item_answers(
    rooms: Found, caller: Reader, run: RunId, item: Annotated[str, Query(max_length=4000)]
) -> Response:
    """Say who answered what to an item, and give its curve."""
    entry = await _find(rooms, caller.tenant, run)
    return await run_in_threadpool(_item_answers, rooms, entry, item)


@router.get("/{run}/respondent/answers", response_model=RespondentAnswers)
async def respondent_answers(
    rooms: Found, caller: Reader, run: RunId, respondent: Annotated[str, Query(max_length=4000)]
) -> Response:
    """Say what a respondent answered, and what was expected."""
    entry = await _find(rooms, caller.tenant, run)
    return await run_in_threadpool(_respondent_answers, rooms, entry, respondent)


@router.get("/{run}/items/decisions")
async def decisions(rooms: Found, caller: Reader, run: RunId) -> DecisionList:
    """List what was decided about items."""
    await _find(rooms, caller.tenant, run)
    found = await rooms.desk.read(list_decisions(caller.tenant, run))
    return DecisionList(decisions=[DecisionOut(**asdict(made)) for made in found])


@router.post("/{run}/items/decisions", status_code=201)
async def decide(rooms: Found, caller: Writer, run: RunId, wanted: NewDecision) -> DecisionOut:
    """Decide about an item: a wrong key, fixed, fine."""
    entry = await _find(rooms, caller.tenant, run)
    source = await run_in_threadpool(rooms.runs.source, entry)
    _place(source.fit.responses.items, wanted.item, "item")
    made = await rooms.desk.store(
        add_decision(caller.tenant, run, wanted.item, wanted.decision, wanted.note)
    )
    return DecisionOut(**asdict(made))


@router.delete("/{run}", status_code=204)
async def delete(rooms: Found, caller: Writer, run: RunId) -> None:
    """Delete a run that was fitted here; folders of the command line are left alone."""
    entry = await _find(rooms, caller.tenant, run)
    if entry.is_linked:
        raise ProblemError(409, "not-ours", "A folder of the command line is only read here.")
    await rooms.desk.store(delete_run(caller.tenant, run))
    await run_in_threadpool(rooms.store.remove_files, entry.path)


async def _find(rooms: Rooms, tenant: str, run: str) -> RunEntry:
    return await run_in_threadpool(rooms.runs.find, tenant, run)


def _page(frame: "pandas.DataFrame", offset: int, limit: int) -> Response:
    rows = frame.iloc[offset : offset + limit]
    columns = {str(name): rows[name].tolist() for name in rows.columns}
    return _json({"columns": columns, "offset": offset, "total": len(frame)})


def _item_answers(rooms: Rooms, entry: RunEntry, item: str) -> Response:
    import numpy as np

    fit = rooms.runs.source(entry).fit
    place = _place(fit.responses.items, item, "item")
    abilities = np.asarray(fit.estimates.abilities, dtype=float)
    bank = fit.bank.select([item])
    points = np.linspace(np.nanmin(abilities) - 1.0, np.nanmax(abilities) + 1.0, _CURVE_POINTS)
    return _json(
        {
            "item": item,
            "respondents": list(fit.responses.respondents),
            "responses": fit.responses.take(columns=[place]).array()[:, 0],
            "abilities": abilities,
            "expected": bank.expected_response(abilities)[:, 0],
            "curve": {"ability": points, "expected": bank.expected_response(points)[:, 0]},
        }
    )


def _respondent_answers(rooms: Rooms, entry: RunEntry, respondent: str) -> Response:
    import numpy as np

    fit = rooms.runs.source(entry).fit
    place = _place(fit.responses.respondents, respondent, "respondent")
    ability = float(np.asarray(fit.estimates.abilities, dtype=float)[place])
    bank = fit.bank.select(fit.responses.items)
    return _json(
        {
            "respondent": respondent,
            "items": list(fit.responses.items),
            "responses": fit.responses.take(rows=[place]).array()[0],
            "expected": bank.expected_response([ability])[0],
        }
    )


def _place(names: tuple[str, ...], name: str, kind: str) -> int:
    try:
        return names.index(name)
    except ValueError:
        raise ProblemError(404, f"no-such-{kind}", f"The run has no such {kind}.") from None


def _json(content: dict[str, Any]) -> Response:
    return Response(pack_line(content, "the table"), media_type="application/json")
