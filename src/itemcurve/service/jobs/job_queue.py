"""Jobs in the order in which they came, a few at a time; each can be watched and cancelled."""

import asyncio
import contextlib
import json
import logging
import os
import secrets
import signal
import sys
import time
from asyncio.subprocess import PIPE, Process
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from itemcurve.service.broadcast import Broadcast
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
)

LOG = logging.getLogger("itemcurve.service")
# A line of progress.
_LONGEST_LINE = 2**16


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

    def __len__(self) -> int:
        return len(self._tasks)

    async def start(self) -> None:
        """Give up on what a server before this one left behind."""
        await self._write(abandon_jobs)

    async def close(self) -> None:
        """End all jobs."""
        for task in list(self._tasks.values()):
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def submit(self, tenant: str, upload: UploadRow, settings: dict[str, Any]) -> JobRow:
        """Put a job into the queue."""
        own = sum(key[0] == tenant for key in self._tasks)
        if own >= self._settings.most_queued_jobs:
            detail = f"No more than {own} jobs wait at once; try again when one is done."
            raise ProblemError(429, "too-many-jobs", detail, {"Retry-After": "10"})
        now = time.time()
        row = JobRow(
            secrets.token_hex(8), upload.id, json.dumps(settings), QUEUED, "", None, now, now
        )
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
            seconds = self._settings.job_seconds
            await self._change(job, FAILED, f"It took longer than {seconds:g} seconds.")
        except asyncio.CancelledError:
            await asyncio.shield(self._change(job, CANCELLED, ""))
        except Exception:
            LOG.exception("fault in a job")
            with contextlib.suppress(Exception):
                await self._change(job, FAILED, "A fault of the service; it was written down.")
        finally:
            self.news.pop((job.tenant, job.row.id), None)

    async def _run(self, job: _Job) -> tuple[str, str, str | None]:
        """Run the process; give how it ended."""
        out = self._store.run_path(job.tenant, job.row.id)
        out.parent.mkdir(parents=True, exist_ok=True)
        bank = out.with_name(f"{job.row.id}.bank")
        process = await self._start(job, out, bank)
        last: dict[str, Any] = {}
        try:
            assert process.stdout is not None
            async for line in process.stdout:
                last = json.loads(line)
                self._tell(job, last)
            code = await process.wait()
        finally:
            _kill(process)
            await asyncio.shield(process.wait())
        try:
            if code == 0:
                return await self._take(job, bank, last)
        finally:
            bank.unlink(missing_ok=True)
        return FAILED, str(last.get("error") or _say_end(code)), None

    async def _start(self, job: _Job, out: Path, bank: Path) -> Process:
        settings = json.loads(job.row.settings)
        wanted = {
            **settings,
            "upload": str(self._store.upload_path(job.tenant, job.upload.id).resolve()),
            "name": job.upload.name,
            "out": str(out),
            "bank": str(bank),
            "folder": str(out.parent),
            "bytes": self._settings.job_bytes,
            "seconds": self._settings.job_seconds,
        }
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "itemcurve.service.jobs.fit_process"),
            stdin=PIPE,
            stdout=PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
            limit=_LONGEST_LINE,
            # No password of a database is in its surroundings.
            env={k: v for k, v in os.environ.items() if k in _KEPT_ENVIRONMENT},
        )
        assert process.stdin is not None
        process.stdin.write(json.dumps(wanted).encode() + b"\n")
        await process.stdin.drain()
        return process

    async def _take(self, job: _Job, bank: Path, last: dict[str, Any]) -> tuple[str, str, str]:
        """Take up the run and its bank."""
        name = str(json.loads(job.row.settings).get("name") or job.upload.name)
        body = await asyncio.to_thread(bank.read_bytes)
        await self._write(
            hold_content(job.tenant, "bank", body, name=name, items=int(last.get("items", 0)))
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

    async def _write(self, work: Any) -> Any:
        return await asyncio.wrap_future(self._store.database.ask(work))


_KEPT_ENVIRONMENT = ("PATH", "PYTHONPATH", "HOME", "LANG", "TMPDIR", "OPENBLAS_NUM_THREADS")


def _kill(process: Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)


def _say_end(code: int) -> str:
    if code in (-signal.SIGXCPU, -signal.SIGKILL):
        return "It was ended: it took more time or memory than jobs may have."
    return "It ended without a word."
