"""What the service was measured to do, as a section of RESULTS.md.

Start, latency and capacity are measured here; kills and hours of load by commands of their own,
which keep their rows beside.
"""

import asyncio
import os
import tempfile
import time
from pathlib import Path

from tests.running.postgres_server import PostgresServer

from benchmarks.report import load_rows, save_rows
from benchmarks.section import Column, Options, Row, Section, show_progress
from benchmarks.service.first_page import make_demo, measure_paint, measure_starts, say
from benchmarks.service.open_loop import Tested, begin_sessions, run_load
from benchmarks.service.running_service import RunningService, make_bank

_BARS = {10_000: 25, 100_000: 50}
_WINDOWS, _SECONDS, _RATE = 3, 20.0, 300.0


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Measure starts and load; what takes hours stays as it was."""
    rows = _measure_first_page(2 if options.small else 9)
    for kind in ("sqlite", "postgres"):
        for size in (1_000,) if options.small else _BARS:
            rows += _measure_load(kind, size, 2.0 if options.small else _SECONDS)
    return _replaced(cached, rows)


def keep(rows: list[Row]) -> None:
    """Keep rows that were measured apart."""
    save_rows(SECTION, _replaced(load_rows(SECTION), rows))


def make_row(what: str, measured: str, bar: str = "") -> Row:
    """Give a row, with how busy the machine is and at which priority this runs."""
    is_real_time = os.sched_getscheduler(0) != os.SCHED_OTHER
    priority = "real time" if is_real_time else f"nice {os.getpriority(os.PRIO_PROCESS, 0)}"
    load = f"{os.getloadavg()[0]:.1f}, {priority}"
    row: Row = {"what": what, "measured": measured, "bar": bar, "load": load}
    show_progress(f"  {row}")
    return row


def _replaced(before: list[Row], rows: list[Row]) -> list[Row]:
    names = {row["what"] for row in rows}
    return [*rows, *(row for row in before if row["what"] not in names)]


def _measure_first_page(times: int) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        run, data = make_demo(Path(folder)), Path(folder) / "data"
        starts, paint = measure_starts(run, data, times), measure_paint(run, data, times)
    return [
        make_row(
            f"first page after the start, {times} starts",
            f"{say(starts['wall'])}; processor {say(starts['cpu'])}",
            "1 s",
        ),
        make_row(
            f"first paint, {times} times",
            f"{say(paint['paint'])}; the run is named after {say(paint['run'])}",
            "0.5 s",
        ),
    ]


def _measure_load(kind: str, size: int, seconds: float) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        database = PostgresServer(is_durable=True) if kind == "postgres" else None
        service = RunningService(Path(folder), database.new_database() if database else None)
        mark = service.client().add_bank(make_bank(size)).mark
        tested = asyncio.run(begin_sessions(service.port, mark, 400))
        rows, name = [], f"{kind}, {size:,} items"
        for window in range(_WINDOWS + 1):
            load = asyncio.run(
                run_load(service.port, tested, rate=_RATE, seconds=seconds, connections=50)
            )
            if window:
                said = f"{load.line(load.inside)}, {len(load.failures)} failures"
                what = f"{name}: {_RATE:g} steps a second, window {window}, p50 / 90 / 99 / 99.9 ms"
                rows.append(make_row(what, said, f"p99 {_BARS.get(size)} ms"))
        rows.append(_measure_capacity(service, tested, name, seconds))
        service.stop()
        if database:
            database.stop()
    return rows


def _measure_capacity(
    service: RunningService, tested: list[Tested], name: str, seconds: float
) -> Row:
    """Ask for more than it can do, from a process that shares its cores."""
    used, wall, done = asyncio.run(_time_many(service, tested, int(250 * seconds)))
    said = f"{done / wall:.0f} steps a second, {1e3 * used / done:.2f} ms of processor each"
    return make_row(f"{name}: capacity, clients on the same two cores", said)


async def _time_many(
    service: RunningService, tested: list[Tested], steps: int
) -> tuple[float, float, int]:
    cpu, start = service.cpu_seconds(), time.perf_counter()
    load = await run_load(service.port, tested, rate=1e6, seconds=steps / 1e6, connections=50)
    return service.cpu_seconds() - cpu, time.perf_counter() - start, len(load.inside)


SECTION = Section(
    name="service",
    title="The service",
    notes=(
        "Durable commits on both databases (SQLite `synchronous=FULL`, PostgreSQL `fsync` on). "
        "Open loop: requests come at their times whatever the answers do, from 50 connections and "
        "400 sessions; milliseconds are from the request read to the response written. Clients, "
        "service and database share the cores with whatever else runs (load average); `real time` "
        "is `chrt -r 10` for all three.\n\n"
        "`chrt -r 10 python -m benchmarks.run --only service`; `make kills`, `make soak` "
        "and `python -m benchmarks.item_map` keep their rows here, too."
    ),
    columns=(
        Column("what", "what"),
        Column("measured", "measured"),
        Column("bar", "bar"),
        Column("load", "load average, priority"),
    ),
    measure=measure,
)
