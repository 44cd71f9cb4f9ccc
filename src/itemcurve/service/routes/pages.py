"""What the pages of the dashboard show of runs, worked out by the library."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Query, Response
from fastapi.concurrency import run_in_threadpool

from itemcurve.errors import ItemcurveError
from itemcurve.service.problems import ProblemError
from itemcurve.service.rooms import Found, Reader, Rooms
from itemcurve.service.routes.runs import RunId
from itemcurve.storage.json_documents import pack_line

if TYPE_CHECKING:
    from itemcurve.dashboard.other_run import OtherDocuments
    from itemcurve.dashboard.run_documents import RunDocuments

router = APIRouter(prefix="/v1/runs/{run}/pages", tags=["pages"])
Named = Annotated[str, Query(max_length=4000)]
_MOST_CORNERS = 500
_JSON: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/json": {"schema": {"type": "object"}}}}
}


@router.get("/brief", response_class=Response, responses=_JSON)
async def brief(rooms: Found, caller: Reader, run: RunId) -> Response:
    """Say in a few words what a run found."""
    return await _answer_first(rooms, caller.tenant, run, lambda found: found.brief())


@router.get("/overview", response_class=Response, responses=_JSON)
async def overview(rooms: Found, caller: Reader, run: RunId) -> Response:
    """Give what the pages of a run say: answers, tables, pictures, checks, methods.

    A run of ratings, votes or several abilities has one page, under `other`.
    """
    return await _answer_first(rooms, caller.tenant, run, lambda found: found.page())


@router.get("/health", response_class=Response, responses=_JSON)
async def health(rooms: Found, caller: Reader, run: RunId) -> Response:
    """Give the benchmark health of a run."""
    return await _answer(rooms, caller.tenant, run, lambda found: found.health())


@router.get("/labels", response_class=Response, responses=_JSON)
async def labels(rooms: Found, caller: Reader, run: RunId) -> Response:
    """Give given and likely labels of all items."""
    return await _answer(rooms, caller.tenant, run, lambda found: found.labels())


@router.get(
    "/map",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {"schema": {"type": "string"}}}}},
)
async def places(rooms: Found, caller: Reader, run: RunId) -> Response:
    """Give difficulty, discrimination and verdict of all items as bytes: `dashboard.item_map`."""
    entry = await run_in_threadpool(rooms.runs.find, caller.tenant, run)
    content = await run_in_threadpool(rooms.runs.made, entry, lambda found: found.map())
    return Response(content, media_type="application/octet-stream")


@router.get("/items", response_class=Response, responses=_JSON)
async def items(
    rooms: Found,
    caller: Reader,
    run: RunId,
    search: Annotated[str, Query(max_length=200)] = "",
    polygon: Annotated[
        str, Query(max_length=20_000, description="Corners as x,y x,y …: items within.")
    ] = "",
    limit: Annotated[int, Query(ge=1, le=20_000)] = 5_000,
) -> Response:
    """Give the table of items, suspect ones first."""
    corners = _corners(polygon)
    return await _answer(
        rooms, caller.tenant, run, lambda found: found.items(search, corners, limit)
    )


@router.get("/item", response_class=Response, responses=_JSON)
async def item(rooms: Found, caller: Reader, run: RunId, item: Named) -> Response:
    """Give the card of an item."""

    def make(found: "RunDocuments") -> dict[str, Any]:
        _check(item in found.source.fit.responses.items, "item")
        return found.item(item)

    return await _answer(rooms, caller.tenant, run, make)


@router.get("/respondent", response_class=Response, responses=_JSON)
async def respondent(rooms: Found, caller: Reader, run: RunId, respondent: Named) -> Response:
    """Give the card of a respondent."""

    def make(found: "RunDocuments") -> dict[str, Any]:
        _check(respondent in found.source.fit.responses.respondents, "respondent")
        return found.respondent(respondent)

    return await _answer(rooms, caller.tenant, run, make)


@router.get("/comparison", response_class=Response, responses=_JSON)
async def comparison(
    rooms: Found,
    caller: Reader,
    run: RunId,
    other: Annotated[str, Query(pattern=r"^[0-9a-f]{16}$")],
    a: Named = "",
    b: Named = "",
) -> Response:
    """Compare a run with another; with `a` and `b`, a respondent of one with one of the other."""
    entry = await run_in_threadpool(rooms.runs.find, caller.tenant, other)

    def make(first: "RunDocuments") -> dict[str, Any]:
        from itemcurve.dashboard.run_comparison import compare_runs, compare_two

        second = rooms.runs.documents(entry)
        if not (a or b):
            return compare_runs(first.source, second.source, (first.ranked, second.ranked))
        _check(a in first.source.fit.responses.respondents, "respondent")
        _check(b in second.source.fit.responses.respondents, "respondent")
        try:
            return compare_two(first.source, a, second.source, b)
        except ItemcurveError as error:
            raise ProblemError(422, "not-comparable", str(error)) from None

    return await _answer(rooms, caller.tenant, run, make)


async def _answer(
    rooms: Rooms, tenant: str, run: str, make: "Callable[[RunDocuments], dict[str, Any]]"
) -> Response:
    entry = await run_in_threadpool(rooms.runs.find, tenant, run)
    content = await run_in_threadpool(rooms.runs.made, entry, make)
    return Response(pack_line(content, "the page"), media_type="application/json")


async def _answer_first(
    rooms: Rooms,
    tenant: str,
    run: str,
    make: "Callable[[RunDocuments | OtherDocuments], dict[str, Any]]",
) -> Response:
    entry = await run_in_threadpool(rooms.runs.find, tenant, run)
    content = await run_in_threadpool(rooms.runs.first_made, entry, make)
    return Response(pack_line(content, "the page"), media_type="application/json")


def _corners(text: str) -> list[tuple[float, float]]:
    found = []
    for pair in text.split()[:_MOST_CORNERS]:
        first, _, second = pair.partition(",")
        try:
            corner = float(first), float(second)
        except ValueError:
            raise ProblemError(422, "invalid-request", "polygon has corners x,y x,y …") from None
        if not all(math.isfinite(value) for value in corner):
            raise ProblemError(422, "invalid-request", "Corners of a polygon are finite.")
        found.append(corner)
    return found


def _check(is_known: bool, kind: str) -> None:
    if not is_known:
        raise ProblemError(404, f"no-such-{kind}", f"The run has no such {kind}.")
