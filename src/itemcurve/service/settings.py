"""How the service is run: where it listens, what it allows, how much anybody may take."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

LOOPBACK = ("127.0.0.1", "::1", "localhost")
MEBIBYTE = 2**20


@dataclass(frozen=True)
class ServiceSettings:
    """Limits and addresses.

    Attributes
    ----------
    is_token_required : without, whoever is on this machine is the tenant `local`.
    host_names : names by which browsers may call the service, besides those of this machine.
    run_folders : runs of the command line that the tenant `local` sees.
    most_body_bytes, most_upload_bytes, body_seconds : of one request.
    most_bodies_bytes : of all requests that are being read into memory.
    most_tenant_bytes : of all uploads of a tenant.
    requests_per_second, burst : requests of one token or address before it is told to wait.
    lease_seconds : how long items stay handed out unless a session says otherwise.
    hot_sessions : kept in memory; others are read again when they go on.
    job_bytes, job_seconds, jobs_at_once, most_queued_jobs : limits of fits.
    """

    is_token_required: bool = False
    host_names: Sequence[str] = ()
    run_folders: Sequence[Path] = ()
    most_body_bytes: int = 64 * MEBIBYTE
    most_bodies_bytes: int = 512 * MEBIBYTE
    most_upload_bytes: int = 1024 * MEBIBYTE
    most_tenant_bytes: int = 20 * 1024 * MEBIBYTE
    body_seconds: float = 60.0
    requests_per_second: float = 500.0
    burst: float = 1000.0
    lease_seconds: float = 900.0
    hot_sessions: int = 10_000
    hot_banks: int = 16
    job_bytes: int = 4096 * MEBIBYTE
    job_seconds: float = 3600.0
    jobs_at_once: int = 1
    most_queued_jobs: int = 20
