"""What a user waits for before anything is computed."""

import resource
import shutil
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.section import Column, Options, Row, Section, show_progress

_COMMANDS = {
    "import itemcurve": [sys.executable, "-c", "import itemcurve"],
    "import itemcurve and look up fit, simulate, Responses": [
        sys.executable,
        "-c",
        "from itemcurve import Responses, fit, simulate",
    ],
    "itemcurve --help": [str(Path(sys.executable).with_name("itemcurve")), "--help"],
}
_BARE = [sys.executable, "-c", "pass"]


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Time each command and bare Python, in turns so that noise hits all alike."""
    repetitions = 3 if options.small else 15
    commands = {"bare Python": _BARE} | _COMMANDS
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    failures: dict[str, str] = {}
    for _ in range(repetitions):
        for name, command in commands.items():
            if name not in failures:
                wall, cpu, failure = _time(command)
                times[name].append((wall, cpu))
                if failure:
                    failures[name] = failure
    bare_cpu = median(cpu for _, cpu in times["bare Python"])
    return [_row(name, times[name], bare_cpu, failures.get(name, "")) for name in commands]


def _time(command: list[str]) -> tuple[float, float, str]:
    if shutil.which(command[0]) is None:
        return 0.0, 0.0, "command not installed"
    before, started = _children_seconds(), perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wall, cpu = perf_counter() - started, _children_seconds() - before
    errors = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
    return wall, cpu, f"failed: {errors[-1][:100]}" if done.returncode else ""


def _children_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _row(name: str, times: list[tuple[float, float]], bare_cpu: float, failure: str) -> Row:
    if failure:
        row: Row = {"what": name, "note": failure}
    else:
        wall, cpu = median(wall for wall, _ in times), median(cpu for _, cpu in times)
        row = {"what": name, "wall": wall, "cpu": cpu, "extra": cpu - bare_cpu}
        row["best"] = min(wall for wall, _ in times)
    show_progress(f"  {row}")
    return row


SECTION = Section(
    name="start_up",
    title="Start-up",
    notes="Median of 15 fresh processes with warm disk caches.",
    columns=(
        Column("what", "what"),
        Column("wall", "wall seconds", ".3f"),
        Column("best", "best wall seconds", ".3f"),
        Column("cpu", "processor seconds", ".3f"),
        Column("extra", "of these beyond bare Python", ".3f"),
        Column("note", "note"),
    ),
    measure=measure,
)
