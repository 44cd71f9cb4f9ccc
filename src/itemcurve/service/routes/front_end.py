"""The dashboard itself: a page and its two files, which ask for the rest."""

from fastapi import APIRouter, Response
from fastapi.responses import HTMLResponse

from itemcurve.dashboard.bundle import SCRIPT, STYLE, live_page, read_asset
from itemcurve.service.problems import ProblemError

router = APIRouter(include_in_schema=False)
_TYPES = {SCRIPT: "text/javascript", STYLE: "text/css"}
_ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M1 14C8 14 8 2 15 2" '
    'fill="none" stroke="#0072b2" stroke-width="2"/></svg>'
)


@router.get("/")
async def page() -> HTMLResponse:
    """Give the page."""
    return HTMLResponse(live_page())


@router.get("/assets/{name}")
async def asset(name: str) -> Response:
    """Give a file of the bundle; no other name is looked at."""
    if name not in _TYPES:
        raise ProblemError(404, "no-such-page", "There is no such file.")
    return Response(read_asset(name), media_type=_TYPES[name])


@router.get("/favicon.ico")
async def icon() -> Response:
    """Give the icon that browsers ask for."""
    return Response(_ICON, media_type="image/svg+xml")
