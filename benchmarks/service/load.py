"""Latency of answers + next at a fixed rate, and capacity: `python -m benchmarks.service.load`."""

import argparse
import asyncio
import os
import tempfile
import time
from pathlib import Path

from tests.running.postgres_server import PostgresServer

from benchmarks.service.open_loop import Load, begin_sessions, run_load
from benchmarks.service.running_service import RunningService, make_bank


def measure(service: RunningService, mark: str, given: argparse.Namespace) -> None:
    """Measure one service and print what was found."""
    tested = asyncio.run(begin_sessions(service.port, mark, given.sessions))
    for name, rate, seconds in (("warm-up", given.rate, 3), ("load", given.rate, given.seconds)):
        cpu, start, before = service.cpu_seconds(), time.perf_counter(), os.getloadavg()[0]
        load = asyncio.run(
            run_load(service.port, tested, rate=rate, seconds=seconds, connections=50)
        )
        used = service.cpu_seconds() - cpu
        _print(name, load, used, time.perf_counter() - start, before)


def _print(name: str, load: Load, cpu: float, seconds: float, others: float) -> None:
    done = len(load.inside)
    print(
        f"  {name}: {done / seconds:.0f} steps/s, cpu {1e3 * cpu / max(done, 1):.2f} ms/step, "
        f"load average before {others:.1f}, failures {len(load.failures)} {load.failures[:2]}\n"
        f"    inside  p50/p90/p99/p99.9 ms: {load.line(load.inside)}\n"
        f"    outside p50/p90/p99/p99.9 ms: {load.line(load.outside)}",
        flush=True,
    )


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--databases", nargs="+", default=["sqlite", "postgres"])
    parser.add_argument("--rate", type=float, default=300.0)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--sessions", type=int, default=400)
    given = parser.parse_args()
    for kind in given.databases:
        for size in given.items:
            with tempfile.TemporaryDirectory() as folder:
                server = PostgresServer(is_durable=True) if kind == "postgres" else None
                url = server.new_database() if server else None
                service = RunningService(Path(folder), url)
                print(f"{kind}, {size} items, {given.rate:g} steps/s asked for", flush=True)
                measure(service, service.client().add_bank(make_bank(size)).mark, given)
                service.stop()
                if server:
                    server.stop()


if __name__ == "__main__":
    main()
