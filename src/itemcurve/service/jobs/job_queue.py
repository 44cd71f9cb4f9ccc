"""Jobs in the order in which they came, a few at a time; each can be watched and cancelled."""

import asyncio
import contextlib
import json
import logging
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from itemcurve.service.broadcast import Broadcast
from itemcurve.service.jobs.fit_process import BANK_FILE
from itemcurve.service.jobs.job_process import JobProcess
from itemcurve.service.jobs.leftovers import WORK, remove_leftovers
from itemcurve.service.problems import ProblemError
from itemcurve.service.settings import ServiceSettings
from itemcurve.store.contents import hold_content
from itemcurve.store.data_folder import Store
from itemcurve.store.run_rows import (
    CANCELLED,
    DONE,
    FAILED,
    QUEUED,
    RUNNING,
    JobRow,
    RunRow,
    UploadRow,
    abandon_jobs,
    add_job,
    add_run,
    change_job,
    touch_jobs,
)
from itemcurve.store.sqlite_dialect import SqliteDialect
from itemcurve.store.transactions import NoRoomError

LOG = logging.getLogger("itemcurve.service")
# A job that no server has said anything of for this long is followed by none.
_SILENT_S = 60.0


@dataclass(frozen=True)
class _Job:
    tenant: str
    row: JobRow
    upload: UploadRow

    @property
    def topic(self) -> tuple[str, str]:
        return (self.tenant, f"job {self.row.id}")


class JobQueue:
    """Starts processes, follows them, and writes down how they end."""

    def __init__(self, store: Store, settings: ServiceSettings, broadcast: Broadcast) -> None:
        self._store, self._settings, self._broadcast = store, settings, broadcast
        self._turn = asyncio.Semaphore(settings.jobs_at_once)
        self._tasks: dict[tuple[str, str], asyncio.Task[None]] = {}
        # How far jobs are that are under way, in words for whoever comes later.
        self.news: dict[tuple[str, str], str] = {}
        self._watch: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._tasks)

    async def start(self) -> None:
        """Give up on what a server before this one left behind."""
        # A file has one server; a database may have others, whose jobs go on.
        is_alone = isinstance(self._store.database.dialect, SqliteDialect)
        await self._write(abandon_jobs(time.time() - (0.0 if is_alone else _SILENT_S)))
        age = 0.0 if is_alone else 2 * self._settings.job_seconds + _SILENT_S
        await asyncio.to_thread(remove_leftovers, self._store, older_than=age)
        self._watch = asyncio.create_task(self._keep_watch())

    async def close(self) -> None:
        """End all jobs."""
        if self._watch is not None:
            self._watch.cancel()
        await self._end(list(self._tasks.values()))

    async def cancel_all(self, tenant: str) -> None:
        """End all jobs of a tenant, and wait until they have."""
        await self._end([task for key, task in self._tasks.items() if key[0] == tenant])

    async def _end(self, tasks: "list[asyncio.Task[None]]") -> None:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _keep_watch(self) -> None:
        """Say that jobs here are followed, and give up on those that nobody follows."""
        while True:
            await asyncio.sleep(_SILENT_S / 3)
            with contextlib.suppress(Exception):
                await self._write(touch_jobs(self._tasks))
                await self._write(abandon_jobs(time.time() - _SILENT_S))

    async def submit(
        self, tenant: str, name: str, upload: UploadRow, settings: dict[str, Any]
    ) -> JobRow:
        """Put a job into the queue; `ConflictError` where there is one of this name."""
        own = sum(key[0] == tenant for key in self._tasks)
        if own >= self._settings.most_queued_jobs:
            detail = f"No more than {own} jobs wait at once; try again when one is done."
            raise ProblemError(429, "too-many-jobs", detail, {"Retry-After": "10"})
        now = time.time()
        row = JobRow(name, upload.id, json.dumps(settings), QUEUED, "", None, now, now)
        await self._write(add_job(tenant, row))
        job = _Job(tenant, row, upload)
        task = asyncio.create_task(self._follow(job))
        self._tasks[tenant, row.id] = task
        task.add_done_callback(lambda _: self._tasks.pop((tenant, row.id), None))
        return row

    def cancel(self, tenant: str, name: str) -> bool:
        """End a job; say whether it was under way."""
        task = self._tasks.get((tenant, name))
        if task is not None:
            task.cancel()
        return task is not None

    async def _follow(self, job: _Job) -> None:
        try:
            async with self._turn:
                await self._change(job, RUNNING, "")
                async with asyncio.timeout(self._settings.job_seconds):
                    outcome = await self._run(job)
            await self._change(job, *outcome)
        except TimeoutError:
            await self._change(job, FAILED, self._say_late())
        except asyncio.CancelledError:
            await asyncio.shield(self._change(job, CANCELLED, ""))
        except NoRoomError as error:
            await self._change(job, FAILED, str(error))
        except Exception:
            LOG.exception("fault in a job")
            with contextlib.suppress(Exception):
                await self._change(job, FAILED, "A fault of the service; it was written down.")
        finally:
            self.news.pop((job.tenant, job.row.id), None)

    async def _run(self, job: _Job) -> tuple[str, str, str | None]:
        """Run the process; give how it ended."""
        out = self._store.run_path(job.tenant, job.row.id)
        folder = out.with_name(f"{job.row.id}{WORK}")
        folder.mkdir(parents=True)
        is_done = False
        loop = asyncio.get_running_loop()
        process = JobProcess(self._describe(job, out, folder))

        def tell(news: dict[str, Any]) -> None:
            loop.call_soon_threadsafe(self._tell, job, news)

        ending = asyncio.ensure_future(asyncio.to_thread(process.follow, tell))
        try:
            code, last = await asyncio.shield(ending)
            if code == 0:
                outcome = await self._take(job, folder / BANK_FILE, last)
                is_done = True
                return outcome
            # Processor time is limited to the same seconds; whichever runs out first.
            end = self._say_late() if code == -signal.SIGXCPU else _say_end(code)
            return FAILED, str(last.get("error") or end), None
        finally:
            process.kill()
            await asyncio.wait([ending])
            self._store.remove_files(folder, *([] if is_done else [out]))

    def _describe(self, job: _Job, out: Path, folder: Path) -> dict[str, Any]:
        return {
            **json.loads(job.row.settings),
            "upload": str(self._store.upload_path(job.tenant, job.upload.id).resolve()),
            "name": job.upload.name,
            "out": str(out.resolve()),
            "folder": str(folder.resolve()),
            "bytes": self._settings.job_bytes,
            "seconds": self._settings.job_seconds,
        }

    async def _take(self, job: _Job, bank: Path, last: dict[str, Any]) -> tuple[str, str, str]:
        """Take up the run and its bank."""
        name = str(json.loads(job.row.settings).get("name") or job.upload.name)
        body = await asyncio.to_thread(bank.read_bytes)
        number, most = int(last.get("items", 0)), self._settings.most_tenant_bytes
        await self._write(
            hold_content(job.tenant, "bank", body, name=name, items=number, most=most)
        )
        run = RunRow(job.row.id, name, job.row.id, time.time())
        await self._write(add_run(job.tenant, run))
        return DONE, str(last.get("message", "")), run.id

    async def _change(self, job: _Job, status: str, message: str, run: str | None = None) -> None:
        await self._write(change_job(job.tenant, job.row.id, status, message, run))
        self._tell(job, {"status": status, "message": message, "run": run})

    def _tell(self, job: _Job, news: dict[str, Any]) -> None:
        text = json.dumps(news)
        self.news[job.tenant, job.row.id] = text
        self._broadcast.tell(job.topic, text)

    def _say_late(self) -> str:
        return f"It took longer than {self._settings.job_seconds:g} seconds."

    async def _write(self, work: Any) -> Any:
        return await asyncio.wrap_future(self._store.database.ask(work))


def _say_end(code: int) -> str:
    # Windows knows no signals: there, whoever is ended gives 1.
    if code == -getattr(signal, "SIGKILL", -1):
        return "It was ended: it took more time or memory than jobs may have."
    return "It ended without a word."
