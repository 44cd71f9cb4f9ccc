"""Jobs: a fit of an upload, watched while it goes on."""

import json
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import StreamingResponse

from itemcurve.service.broadcast import as_events
from itemcurve.service.documents.run_documents import JobList, JobOut, NewJob
from itemcurve.service.new_sessions import Key, key_used, name_of
from itemcurve.service.problems import ProblemError
from itemcurve.service.rooms import Found, Reader, Rooms, Writer, admission_of
from itemcurve.store.run_rows import QUEUED, RUNNING, JobRow, find_job, find_upload, list_jobs
from itemcurve.store.transactions import ConflictError

router = APIRouter(prefix="/v1/jobs", tags=["jobs"])
JobId = Annotated[str, Path(pattern=r"^[0-9a-f]{16}$")]


@router.post("", status_code=202)
async def submit(rooms: Found, caller: Writer, wanted: NewJob, key: Key = None) -> JobOut:
    """Fit a model to an upload, in a process of its own."""
    from itemcurve.models.catalogue import get_model

    get_model(wanted.model)
    upload = await rooms.desk.read(find_upload(caller.tenant, wanted.upload))
    if upload is None:
        raise ProblemError(404, "no-such-upload", "There is no such upload.")
    settings = wanted.model_dump(exclude={"upload"})
    name = name_of(caller.tenant, key, 16)
    try:
        row = await rooms.jobs.submit(caller.tenant, name, upload, settings)
    except ConflictError:
        row = await _find(rooms, caller.tenant, name)
        if (row.upload, json.loads(row.settings)) != (upload.id, settings):
            raise key_used() from None
    return _job(rooms, caller.tenant, row)


@router.get("")
async def list_all(rooms: Found, caller: Reader) -> JobList:
    """List jobs."""
    found = await rooms.desk.read(list_jobs(caller.tenant))
    return JobList(jobs=[_job(rooms, caller.tenant, row) for row in found])


@router.get("/{job}")
async def show(rooms: Found, caller: Reader, job: JobId) -> JobOut:
    """Show how far a job is."""
    return _job(rooms, caller.tenant, await _find(rooms, caller.tenant, job))


@router.get("/{job}/events", response_class=StreamingResponse)
async def follow(rooms: Found, caller: Reader, job: JobId, asked: Request) -> StreamingResponse:
    """Follow a job by server-sent events, until it is over."""
    tenant, may = caller.tenant, admission_of(asked)
    rooms.broadcast.check_room(tenant)
    await _find(rooms, tenant, job)

    async def events() -> AsyncIterator[str]:
        with rooms.broadcast.listen((tenant, f"job {job}")) as queue:
            # Asked for again: it may have ended before anybody listened.
            row = await _find(rooms, tenant, job)
            yield f"data: {_job(rooms, tenant, row).model_dump_json()}\n\n"
            if row.status not in (QUEUED, RUNNING):
                return
            seconds = rooms.settings.job_seconds + 60
            async for event in as_events(queue, seconds=seconds, is_admitted=may):
                yield event
                if event.startswith("data") and _is_end(event):
                    return

    return StreamingResponse(events(), media_type="text/event-stream")


@router.post("/{job}/cancel")
async def cancel(rooms: Found, caller: Writer, job: JobId) -> JobOut:
    """End a job that waits or runs."""
    row = await _find(rooms, caller.tenant, job)
    if not rooms.jobs.cancel(caller.tenant, job):
        raise ProblemError(409, "job-over", f"The job is over: {row.status}.")
    return _job(rooms, caller.tenant, row)


async def _find(rooms: Rooms, tenant: str, job: str) -> JobRow:
    found = await rooms.desk.read(find_job(tenant, job))
    if found is None:
        raise ProblemError(404, "no-such-job", "There is no such job.")
    return found


def _job(rooms: Rooms, tenant: str, row: JobRow) -> JobOut:
    news = rooms.jobs.news.get((tenant, row.id))
    progress: dict[str, Any] | None = json.loads(news) if news else None
    return JobOut(
        id=row.id,
        upload=row.upload,
        status=row.status,  # type: ignore[arg-type]  # checked by pydantic
        message=row.message,
        run=row.run,
        progress=progress,
        created_at=row.created_at,
        changed_at=row.changed_at,
    )


def _is_end(event: str) -> bool:
    news = json.loads(event.removeprefix("data: "))
    return news.get("status", RUNNING) not in (QUEUED, RUNNING)
