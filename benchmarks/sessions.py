"""Adaptive sessions: recording and saving one answer, and reading a session back."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

import numpy as np

import itemcurve as ic
from benchmarks.section import Column, Options, Row, Section, show_progress

_ITEMS = 10_000
_ANSWERS = 200
_MEMORY = Path("/dev/shm")


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Both questions, on the disk of temporary files and on one in memory."""
    size = 1_000 if options.small else _ITEMS
    rng = np.random.default_rng(1)
    bank = ic.Bank.from_parameters(
        "2pl", discrimination=rng.lognormal(0, 0.25, size), difficulty=rng.normal(size=size)
    )
    known = ic.Responses.from_array((rng.random((100, size)) < 0.6).astype(float))
    questions: dict[str, tuple[Callable[[], Any], Callable[[Path], Any]]] = {
        "ability": (lambda: ic.AdaptiveTest(bank), ic.AdaptiveTest.load),
        "score": (lambda: ic.ScoreTest(known, 500), ic.ScoreTest.load),
    }
    rows = []
    for where in [Path(tempfile.gettempdir()), *([_MEMORY] if _MEMORY.is_dir() else [])]:
        for question, (begin, load) in questions.items():
            with tempfile.TemporaryDirectory(dir=where) as folder:
                row = _measure(begin(), load, Path(folder))
            place = "in memory" if where == _MEMORY else "disk"
            rows.append({"question": question, "where": place, **row})
            show_progress(f"  {rows[-1]}")
    return rows


def _measure(test: Any, load: Callable[[Path], Any], folder: Path) -> Row:
    path = folder / "session.json"
    begun = process_time()
    test.save(path)
    first = process_time() - begun
    wall, cpu = [], []
    items = getattr(test, "bank", test).items
    for number, item in enumerate(items[:: len(items) // _ANSWERS][:_ANSWERS]):
        started, begun = perf_counter(), process_time()
        test.record(item, float(number % 3 > 0))
        test.save(path)
        wall.append(perf_counter() - started)
        cpu.append(process_time() - begun)
    times = []
    for _ in range(5):
        begun = process_time()
        back = load(path)
        times.append(process_time() - begun)
    assert back.answers == test.answers
    return {
        "first": 1e3 * first,
        "cpu": 1e3 * median(cpu),
        "wall": 1e3 * median(wall),
        "sync": 1e3 * _time_of_sync(folder / "sync"),
        "resume": 1e3 * min(times),
    }


def _time_of_sync(path: Path) -> float:
    """Median time to add 300 bytes to a file and have them on disk, without itemcurve."""
    times = []
    with path.open("ab", buffering=0) as file:
        for _ in range(_ANSWERS):
            started = perf_counter()
            file.write(b"x" * 300)
            os.fsync(file.fileno())
            times.append(perf_counter() - started)
    return median(times)


SECTION = Section(
    name="sessions",
    title="Adaptive sessions on disk",
    notes=f"{_ITEMS:,} items (for the score: 100 calibrated respondents). Recording one answer and "
    f"saving, median of {_ANSWERS}; every saving waits until its line is safe (`fsync`), which the "
    "disk alone takes as long for as the column beside says. First saving: it writes bank or "
    f"calibration. Reading: a session of {_ANSWERS} answers, best of five.",
    columns=(
        Column("question", "question"),
        Column("where", "files"),
        Column("cpu", "answer, processor ms", ".2f"),
        Column("wall", "answer, wall ms", ".2f"),
        Column("sync", "of these fsync alone, ms", ".2f"),
        Column("first", "first saving, processor ms", ".0f"),
        Column("resume", "reading, processor ms", ".0f"),
    ),
    measure=measure,
)
