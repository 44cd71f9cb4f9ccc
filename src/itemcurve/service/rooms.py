"""What the routes of one application share."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from itemcurve.service.access.callers import Caller
from itemcurve.service.broadcast import Broadcast
from itemcurve.service.jobs.job_queue import JobQueue
from itemcurve.service.live.kept_contents import KeptContents
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
    contents: KeptContents
    desk: SessionDesk
    jobs: JobQueue
    runs: RunViews
    broadcast: Broadcast
    metrics: Metrics


def rooms_of(request: Request) -> Rooms:
    """Give what the application of a request has."""
    rooms: Rooms = request.app.state.rooms
    return rooms


def caller_of(request: Request, scope: str) -> Caller:
    """Give who asks, refused without the scope."""
    caller: Caller = request.state.caller
    caller.check(scope)
    return caller


def admission_of(request: Request) -> Callable[[], Awaitable[bool]]:
    """Give what says whether who asked is still let in: a token may be revoked meanwhile."""
    found: Callable[[], Awaitable[bool]] = request.state.is_admitted
    return found


async def _operator(request: Request) -> Caller:
    return caller_of(request, "operator")


async def _rooms(request: Request) -> Rooms:
    return rooms_of(request)


async def _reader(request: Request) -> Caller:
    return caller_of(request, "read")


async def _writer(request: Request) -> Caller:
    return caller_of(request, "write")


async def _owner(request: Request) -> Caller:
    return caller_of(request, "admin")


Found = Annotated[Rooms, Depends(_rooms)]
# Whoever asks, refused without the scope.
Reader = Annotated[Caller, Depends(_reader)]
Writer = Annotated[Caller, Depends(_writer)]
Owner = Annotated[Caller, Depends(_owner)]
Operator = Annotated[Caller, Depends(_operator)]
