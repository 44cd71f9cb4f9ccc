"""What the routes of one application share."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from itemcurve.service.access.callers import Caller
from itemcurve.service.broadcast import Broadcast
from itemcurve.service.jobs.job_queue import JobQueue
from itemcurve.service.live.kept_banks import KeptBanks
from itemcurve.service.live.session_desk import SessionDesk
from itemcurve.service.metrics import Metrics
from itemcurve.service.run_views import RunViews
from itemcurve.service.settings import ServiceSettings
from itemcurve.store.data_folder import Store


@dataclass(frozen=True)
class Rooms:
    """All that an application has."""

    settings: ServiceSettings
    store: Store
    banks: KeptBanks
    desk: SessionDesk
    jobs: JobQueue
    runs: RunViews
    broadcast: Broadcast
    metrics: Metrics


async def find_rooms(request: Request) -> Rooms:
    """Give what the application of a request has."""
    rooms: Rooms = request.app.state.rooms
    return rooms


async def _reader(request: Request) -> Caller:
    return _caller(request, "read")


async def _writer(request: Request) -> Caller:
    return _caller(request, "write")


async def _owner(request: Request) -> Caller:
    return _caller(request, "admin")


def _caller(request: Request, scope: str) -> Caller:
    caller: Caller = request.state.caller
    caller.check(scope)
    return caller


Found = Annotated[Rooms, Depends(find_rooms)]
# Whoever asks, refused without the scope.
Reader = Annotated[Caller, Depends(_reader)]
Writer = Annotated[Caller, Depends(_writer)]
Owner = Annotated[Caller, Depends(_owner)]
