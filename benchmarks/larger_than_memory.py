"""Data as sparse as EdNet, and ten thousand million single bits: seconds and peak memory."""

import os
import resource
import tempfile
from collections.abc import Mapping
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
from numpy.typing import ArrayLike

from benchmarks.evaluator import rmse
from benchmarks.larger_than_memory_data import EDNET, write_bits, write_sparse_answers
from benchmarks.machine import peak_memory_mb
from benchmarks.section import Column, Options, Row, Section, show_progress
from benchmarks.worker import Arrays, run_apart


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Write the files, fit each in a process of its own, and remove them."""
    sparse = (2_000, 300, 40_000) if options.small else EDNET
    bits = (5_000, 300) if options.small else (1_000_000, 10_000)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "answers.parquet")
        truth = write_sparse_answers(file, *sparse)
        what = f"sparse, {sparse[0]:,} × {sparse[1]:,}, {sparse[2]:,} answers"
        rows = [_measured(what, "fit_sparse", file, truth["slope"], options)]
        file.unlink()
        blocks = Path(folder, "bits")
        truth = write_bits(blocks, *bits)
        what = f"bits on disk, {bits[0]:,} × {bits[1]:,}"
        rows.append(_measured(what, "fit_bits", blocks, truth["slope"], options))
    return rows


def fit_sparse(arrays: Arrays) -> Mapping[str, ArrayLike]:
    """Read a long Parquet table and fit it (runs apart)."""
    import itemcurve

    started = perf_counter()
    responses = itemcurve.Responses.read(str(arrays["path"]))
    reading = perf_counter() - started
    found = _fitted(responses, started)
    order = np.array([int(item) for item in responses.items])
    return found | {"reading": reading, "slope": found["slope"][np.argsort(order)]}


def fit_bits(arrays: Arrays) -> Mapping[str, ArrayLike]:
    """Fit blocks of bits with a cold cache, beside reading the files alone (runs apart)."""
    import itemcurve

    files = sorted(Path(str(arrays["path"])).glob("*.bin"))
    _forget(files)
    started = perf_counter()
    for file in files:
        file.read_bytes()
    alone = perf_counter() - started
    _forget(files)
    started = perf_counter()
    responses = itemcurve.Responses.scan(str(arrays["path"]))
    return _fitted(responses, started) | {"alone": alone}


def _fitted(responses: object, started: float) -> dict[str, np.ndarray]:
    import itemcurve

    passes: list[tuple[float, float]] = []

    def note(*_: object) -> None:
        passes.append((perf_counter(), process_time()))

    fit = itemcurve.fit(responses, "2pl", on_failure="ignore", progress=note)
    steps = np.diff(np.array(passes), axis=0)
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "seconds": np.array(perf_counter() - started),
        "cpu": np.array(usage.ru_utime + usage.ru_stime),
        "pass_seconds": np.median(steps[:, 0]),
        "pass_cpu": np.median(steps[:, 1]),
        "peak_mb": np.array(peak_memory_mb()),
        "slope": fit.items["discrimination"].to_numpy(float),
        "converged": np.array("yes" if fit.status.is_converged else "no"),
    }


def _forget(files: list[Path]) -> None:
    """Let the operating system forget what it keeps of files."""
    for file in files:
        place = os.open(file, os.O_RDONLY)
        os.fsync(place)
        os.posix_fadvise(place, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(place)


def _measured(what: str, job: str, path: Path, slope: np.ndarray, options: Options) -> Row:
    outcome = run_apart(f"benchmarks.larger_than_memory:{job}", {"path": str(path)}, options.limit)
    if outcome.failure:
        show_progress(f"  {what}: {outcome.failure}")
        return {"what": what, "note": outcome.failure}
    found = outcome.arrays
    keys = ("seconds", "cpu", "pass_seconds", "pass_cpu", "peak_mb", "reading", "alone")
    row: Row = {"what": what} | {key: float(found[key]) for key in keys if key in found}
    row |= {"rmse_a": rmse(found["slope"], slope), "converged": str(found["converged"])}
    show_progress(f"  {what}: {row['seconds']:.1f} s, {row['peak_mb']:.0f} MB")
    return row


SECTION = Section(
    name="larger_than_memory",
    title="Sparse data, and data larger than memory",
    notes="2PL with the default priors, in a fresh process; seconds include reading, "
    "standard errors and abilities. A pass is the median step of the fit; bits are read from disk "
    "on each, the first time with a cold cache.",
    columns=(
        Column("what", "data"),
        Column("seconds", "seconds", ".1f"),
        Column("cpu", "CPU seconds", ".1f"),
        Column("reading", "of these reading", ".1f"),
        Column("pass_seconds", "a pass", ".2f"),
        Column("pass_cpu", "a pass, CPU", ".2f"),
        Column("alone", "reading the files alone", ".2f"),
        Column("peak_mb", "MB at the peak", ",.0f"),
        Column("rmse_a", "a: RMSE", ".3f"),
        Column("converged", "says it converged"),
        Column("note", "note"),
    ),
    measure=measure,
)
