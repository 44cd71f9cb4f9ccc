"""Whether the service works, and its numbers."""

from html import escape

from fastapi import APIRouter, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, PlainTextResponse

from itemcurve import __version__
from itemcurve.service.documents.run_documents import Health
from itemcurve.service.rooms import Found, Operator
from itemcurve.store.migration import schema_version
from itemcurve.store.tenants import LOCAL

router = APIRouter(tags=["system"])
_ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M1 14C8 14 8 2 15 2" '
    'fill="none" stroke="#2563eb" stroke-width="2"/></svg>'
)


@router.get("/health")
async def health(rooms: Found) -> Health:
    """Say whether service and database work; 503 where the database does not answer."""
    version = await rooms.desk.read(schema_version)
    return Health(status="ok", version=__version__, schema_version=version)


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(rooms: Found, caller: Operator) -> str:
    """Give counts and times for Prometheus."""
    return rooms.metrics.text()


@router.get("/favicon.ico", include_in_schema=False)
async def icon() -> Response:
    """Give the icon that browsers ask for."""
    return Response(_ICON, media_type="image/svg+xml")


@router.get("/", include_in_schema=False)
async def page(rooms: Found) -> HTMLResponse:
    """Say what this is; on one's own machine also which runs there are."""
    runs = []
    if not rooms.settings.is_token_required:
        runs = await run_in_threadpool(rooms.runs.list_all, LOCAL)
    listed = "".join(
        f'<li><a href="/v1/runs/{run.id}/leaderboard">{escape(run.name)}</a></li>' for run in runs
    )
    return HTMLResponse(
        "<!doctype html><html lang=en><meta charset=utf-8><title>itemcurve</title>"
        '<meta name=viewport content="width=device-width"><h1>itemcurve</h1>'
        f"<p>The service runs (version {escape(__version__)}). "
        'Its interface: <a href="/v1/openapi.json">/v1/openapi.json</a>.</p>'
        f"<h2>Runs</h2><ul>{listed or '<li>none yet</li>'}</ul></html>"
    )
