"""Uploads, jobs and runs as rows; their files lie in the data folder under the same ids."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from itemcurve.store.tenant_room import check_room
from itemcurve.store.transactions import Transaction

QUEUED, RUNNING, DONE, FAILED, CANCELLED = "queued", "running", "done", "failed", "cancelled"


@dataclass(frozen=True)
class UploadRow:
    """A file that was handed in."""

    id: str
    name: str
    size: int
    mark: str
    created_at: float


@dataclass(frozen=True)
class JobRow:
    """Something that takes time, and how far it is.

    Attributes
    ----------
    settings : what was asked for, as JSON.
    message : progress, or why it failed.
    run : what came out of it.
    """

    id: str
    upload: str
    settings: str
    status: str
    message: str
    run: str | None
    created_at: float
    changed_at: float


@dataclass(frozen=True)
class RunRow:
    """A run that was fitted here."""

    id: str
    name: str
    job: str | None
    created_at: float


def add_upload(
    tenant: str, upload: UploadRow, *, most: int | None = None
) -> Callable[[Transaction], None]:
    """Store an upload; `NoRoomError` where the tenant then had more bytes than it may."""

    def work(transaction: Transaction) -> None:
        check_room(transaction, tenant, upload.size, most)
        transaction.run(
            "INSERT INTO uploads VALUES (?, ?, ?, ?, ?, ?)",
            *(tenant, upload.id, upload.name, upload.size, upload.mark, upload.created_at),
        )

    return work


def list_uploads(tenant: str) -> Callable[[Transaction], list[UploadRow]]:
    """Give the uploads of a tenant, the latest first."""
    order = "WHERE tenant = ? ORDER BY created_at DESC, id"
    return lambda transaction: [
        UploadRow(*row) for row in transaction.all(f"{_UPLOADS} {order}", tenant)
    ]


def find_upload(tenant: str, name: str) -> Callable[[Transaction], UploadRow | None]:
    """Look for an upload."""

    def work(transaction: Transaction) -> UploadRow | None:
        found = transaction.one(f"{_UPLOADS} WHERE tenant = ? AND id = ?", tenant, name)
        return None if found is None else UploadRow(*found)

    return work


def delete_upload(tenant: str, name: str) -> Callable[[Transaction], bool]:
    """Delete an upload's row; say whether there was one."""
    statement = "DELETE FROM uploads WHERE tenant = ? AND id = ?"
    return lambda transaction: transaction.run(statement, tenant, name) > 0


def add_job(tenant: str, job: JobRow) -> Callable[[Transaction], None]:
    """Store a job."""

    def work(transaction: Transaction) -> None:
        transaction.run(
            "INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            *(tenant, job.id, job.upload, job.settings, job.status, job.message, job.run),
            *(job.created_at, job.changed_at),
        )

    return work


def change_job(
    tenant: str, name: str, status: str, message: str, run: str | None = None
) -> Callable[[Transaction], None]:
    """Say how far a job is."""

    def work(transaction: Transaction) -> None:
        transaction.run(
            "UPDATE jobs SET status = ?, message = ?, run = ?, changed_at = ? "
            "WHERE tenant = ? AND id = ?",
            *(status, message, run, time.time(), tenant, name),
        )

    return work


def list_jobs(tenant: str) -> Callable[[Transaction], list[JobRow]]:
    """Give the jobs of a tenant, the latest first."""
    order = "WHERE tenant = ? ORDER BY created_at DESC, id"
    return lambda transaction: [JobRow(*row) for row in transaction.all(f"{_JOBS} {order}", tenant)]


def find_job(tenant: str, name: str) -> Callable[[Transaction], JobRow | None]:
    """Look for a job."""

    def work(transaction: Transaction) -> JobRow | None:
        found = transaction.one(f"{_JOBS} WHERE tenant = ? AND id = ?", tenant, name)
        return None if found is None else JobRow(*found)

    return work


def abandon_jobs(before: float) -> Callable[[Transaction], int]:
    """Say of jobs that no server has touched since then that they failed."""
    reason = "The server was stopped; start the job again."

    def work(transaction: Transaction) -> int:
        return transaction.run(
            "UPDATE jobs SET status = ?, message = ?, changed_at = ? "
            "WHERE (status = ? OR status = ?) AND changed_at < ?",
            *(FAILED, reason, time.time(), QUEUED, RUNNING, before),
        )

    return work


def touch_jobs(jobs: Iterable[tuple[str, str]]) -> Callable[[Transaction], None]:
    """Say of jobs, by tenant and id, that somebody follows them."""
    own = list(jobs)

    def work(transaction: Transaction) -> None:
        statement = "UPDATE jobs SET changed_at = ? WHERE tenant = ? AND id = ?"
        transaction.run_many(statement, [(time.time(), *job) for job in own])

    return work


def add_run(tenant: str, run: RunRow) -> Callable[[Transaction], None]:
    """Store a run."""

    def work(transaction: Transaction) -> None:
        transaction.run(
            "INSERT INTO runs VALUES (?, ?, ?, ?, ?)",
            *(tenant, run.id, run.name, run.job, run.created_at),
        )

    return work


def list_runs(tenant: str) -> Callable[[Transaction], list[RunRow]]:
    """Give the runs of a tenant, the latest first."""
    order = "WHERE tenant = ? ORDER BY created_at DESC, id"
    return lambda transaction: [RunRow(*row) for row in transaction.all(f"{_RUNS} {order}", tenant)]


def delete_run(tenant: str, name: str) -> Callable[[Transaction], bool]:
    """Delete a run's row and what was decided about it; say whether there was one."""

    def work(transaction: Transaction) -> bool:
        transaction.run("DELETE FROM decisions WHERE tenant = ? AND run = ?", tenant, name)
        return transaction.run("DELETE FROM runs WHERE tenant = ? AND id = ?", tenant, name) > 0

    return work


_UPLOADS = "SELECT id, name, size, mark, created_at FROM uploads"
_JOBS = "SELECT id, upload, settings, status, message, run, created_at, changed_at FROM jobs"
_RUNS = "SELECT id, name, job, created_at FROM runs"
