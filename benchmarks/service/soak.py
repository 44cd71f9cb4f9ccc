"""Load for a long time, and many sessions at once: `python -m benchmarks.service.soak`.

Memory and descriptors of the server are written down every so often; they must not grow.
"""

import argparse
import asyncio
import os
import tempfile
import time
from pathlib import Path

from tests.running.postgres_server import PostgresServer

from benchmarks.service.figures import keep, make_row
from benchmarks.service.open_loop import begin_sessions, delete_sessions, run_load
from benchmarks.service.running_service import RunningService, make_bank


def soak(kind: str, service: RunningService, mark: str, given: argparse.Namespace) -> None:
    """Run sessions one after the other, and look at the server between."""
    end, failures, steps = time.monotonic() + given.seconds, 0, 0
    memory, descriptors = [], []
    while time.monotonic() < end:
        # New sessions every round, deleted in its end: what is over must be let go.
        tested = asyncio.run(begin_sessions(service.port, mark, 200, most=1000))
        load = asyncio.run(
            run_load(service.port, tested, rate=given.rate, seconds=given.every, connections=50)
        )
        failures, steps = failures + len(load.failures), steps + len(load.inside)
        asyncio.run(delete_sessions(service.port, tested))
        memory.append(service.status("VmRSS") / 1024)
        descriptors.append(service.descriptors())
        print(
            f"  {steps} steps, {failures} failures, "
            f"memory {memory[-1]:.0f} MiB, descriptors {descriptors[-1]}, "
            f"threads {service.status('Threads')}, "
            f"p99 {load.line(load.inside)}, load average {os.getloadavg()[0]:.1f}",
            flush=True,
        )
    said = f"{steps:,} steps, {failures} failures, memory {memory[0]:.0f} to {memory[-1]:.0f} MiB, "
    said += f"descriptors {descriptors[0]} to {descriptors[-1]} (at most {max(descriptors)})"
    what = f"{kind}: {given.seconds / 60:g} minutes of {given.rate:g} steps a second"
    keep([make_row(what, said, "flat")])


def count_memory(kind: str, service: RunningService, mark: str, count: int) -> None:
    """Open many sessions, answer twice in each, and say what they take."""
    before = service.status("VmRSS")
    tested = asyncio.run(begin_sessions(service.port, mark, count))
    for _ in range(2):
        asyncio.run(run_load(service.port, tested, rate=1e6, seconds=count / 1e6, connections=50))
    after, most = service.status("VmRSS"), service.status("VmHWM")
    said = f"{after / 1024:.0f} MiB (at most {most / 1024:.0f}, before {before / 1024:.0f})"
    keep([make_row(f"{kind}: {count:,} open sessions of a bank", said, "1 GB")])


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--databases", nargs="+", default=["sqlite", "postgres"])
    parser.add_argument("--seconds", type=float, default=1800.0)
    parser.add_argument("--every", type=float, default=30.0)
    parser.add_argument("--rate", type=float, default=100.0)
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--sessions", type=int, default=10_000)
    given = parser.parse_args()
    for kind in given.databases:
        with tempfile.TemporaryDirectory() as folder:
            database = PostgresServer(is_durable=True) if kind == "postgres" else None
            service = RunningService(Path(folder), database.new_database() if database else None)
            mark = service.client().add_bank(make_bank(given.items)).mark
            print(f"{kind}:", flush=True)
            if given.sessions:
                count_memory(kind, service, mark, given.sessions)
            soak(kind, service, mark, given)
            service.stop()
            if database:
                database.stop()


if __name__ == "__main__":
    main()
