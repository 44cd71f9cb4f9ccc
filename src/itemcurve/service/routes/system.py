"""Whether the service works, and its numbers."""

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse

from itemcurve import __version__
from itemcurve.service.documents.run_documents import Health
from itemcurve.service.rooms import Found, Operator
from itemcurve.store.migration import schema_version

router = APIRouter(tags=["system"])


@router.get("/health")
async def health(rooms: Found) -> Health:
    """Say whether service and database work; 503 where the database does not answer."""
    version = await rooms.desk.read(schema_version)
    return Health(status="ok", version=__version__, schema_version=version)


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(rooms: Found, caller: Operator) -> str:
    """Give counts and times for Prometheus."""
    return rooms.metrics.text()
