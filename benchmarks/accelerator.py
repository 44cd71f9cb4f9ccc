"""The JAX engine on an accelerator: one and ten billion responses, and agreement with NumPy.

`python -m benchmarks.accelerator` measures everything in a few minutes and prints one JSON object;
`--small` tries it on any machine.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from typing import Any

from benchmarks.section import Column, Options, Row, Section, show_progress

# (respondents, items, seconds allowed with the data on the device, and from the host).
_SIZES = ((10_000, 100_000, 0.2, 0.6), (10_000, 1_000_000, 1.5, 4.0))
_SMALL = ((500, 2_000, 0.2, 0.6), (1_000, 4_000, 1.5, 4.0))
_FIRST_CALL = 3.0
_LIMIT = 460.0


def measure_all(small: bool = False) -> dict[str, Any]:
    """Run all stages, each in a process of its own, and compare them with what they should take."""
    sizes = _SMALL if small else _SIZES
    ends = time.monotonic() + _LIMIT
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as programs:
        for name in ("without programs on disk", "with programs on disk"):
            kept = {"ITEMCURVE_PROGRAMS": programs}
            found[f"first call {name}"] = _stage("first_call", *sizes[0][:2], ends, kept)
    found["agreement"] = _stage("agreement", *((300, 450) if small else (3000, 1500)), ends)
    for size in sizes:
        found[_name(size)] = _stage("fits", *size[:2], ends)
    found["products"] = _stage("products", *sizes[0][:2], ends)
    return {"bars": _bars(sizes, found), **found}


def _stage(
    name: str, respondents: int, items: int, ends: float, more: dict[str, str] | None = None
) -> dict[str, Any]:
    left = ends - time.monotonic()
    show_progress(f"  {name}, {respondents:,} × {items:,}; {left:.0f} s left")
    if left < 5:
        return {"failure": "no time left"}
    command = [sys.executable, "-m", "benchmarks.accelerator_stages", name]
    try:
        done = subprocess.run(
            [*command, str(respondents), str(items)],
            env={**os.environ, **(more or {})},
            capture_output=True,
            text=True,
            timeout=left,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return {"failure": "out of time"}
    for line in done.stdout.splitlines():
        if line.startswith("measured "):
            measured: dict[str, Any] = json.loads(line.removeprefix("measured "))
            return measured
    return {"failure": done.stderr[-1500:]}


def _name(size: tuple[int, int, float, float]) -> str:
    return f"{size[0]:,} × {size[1]:,}"


def _bars(
    sizes: tuple[tuple[int, int, float, float], ...], found: dict[str, Any]
) -> list[dict[str, Any]]:
    bars = []
    for size in sizes:
        own = found[_name(size)]
        for what, allowed in (("on_device", size[2]), ("from_host", size[3])):
            seconds = min(own.get(f"seconds_{what}", [None]), default=None)
            bars.append(_bar(f"{_name(size)} {what}", seconds, allowed))
    first = found["first call with programs on disk"].get("seconds")
    return [*bars, _bar("first call with programs on disk", first, _FIRST_CALL)]


def _bar(what: str, seconds: float | None, allowed: float) -> dict[str, Any]:
    is_reached = None if seconds is None else seconds < allowed
    return {"what": what, "seconds": seconds, "allowed": allowed, "is_reached": is_reached}


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Give the table's rows. Without an accelerator the cached rows stay."""
    import jax

    if jax.default_backend() == "cpu" and not options.small:
        show_progress("  no accelerator here; the cached rows stay")
        return cached
    return rows_of(measure_all(options.small), options.small)


def rows_of(found: dict[str, Any], small: bool = False) -> list[Row]:
    """Give the table's rows, of what `measure_all` printed on a machine with an accelerator."""
    rows: list[Row] = []
    for size in _SMALL if small else _SIZES:
        own = found[_name(size)]
        if "failure" in own:
            show_progress(f"  {_name(size)}: {own['failure']}")
            continue
        for where, seconds in (
            ("with compilation", own["seconds_with_compilation"]),
            ("on the device", min(own["seconds_on_device"])),
            ("from the host", min(own["seconds_from_host"])),
        ):
            rows.append(
                {
                    "device": own["device"],
                    "data": f"int8, {_name(size)}, {where}",
                    "seconds": seconds,
                    "iterations": own["iterations"],
                    "correlation": own["correlation"],
                    "peak": own["peak_device_gb"],
                    "gap": found["agreement"].get("gap"),
                    "status": own["status"],
                }
            )
    return rows


SECTION = Section(
    name="accelerator",
    title="The JAX engine on an accelerator",
    notes=(
        "2PL with default priors; seconds include standard errors and abilities, and from the host "
        "also checking the responses and moving them to the device. The last column is the largest "
        "difference of any item parameter between the engines at 3,000 × 1,500."
    ),
    columns=(
        Column("device", "device"),
        Column("data", "data"),
        Column("seconds", "seconds", ".2f"),
        Column("iterations", "iterations", "d"),
        Column("correlation", "θ: corr.", ".5f"),
        Column("status", "status"),
        Column("peak", "GB on the device", ".1f"),
        Column("gap", "engines differ by", ".1e"),
    ),
    measure=measure,
)

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="sizes that any machine can take")
    print(json.dumps(measure_all(parser.parse_args().small), indent=1))
