"""What it costs to train estimators elsewhere: processes, Dask, Ray."""

import json
import os
import subprocess
import sys
from pathlib import Path

from benchmarks.section import Column, Options, Row, Section, show_progress

_BACKENDS = {
    "alone": "one process",
    "processes": "two processes of joblib",
    "dask": "Dask, two workers on this machine",
    "ray": "Ray, two workers on this machine",
}


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Run the same trainings on each, one after the other."""
    rows: list[Row] = []
    checks = []
    for backend, name in _BACKENDS.items():
        found = _run(backend, options)
        row: Row = {"what": name}
        if isinstance(found, str):
            row["note"] = found
        else:
            checks.append(found.pop("check"))
            row |= {key: float(value) for key, value in found.items()}
            row["same"] = "yes" if checks[-1] == checks[0] else "no"
        rows.append(row)
        show_progress(f"  {row}")
    return rows


def _run(backend: str, options: Options) -> "dict[str, object] | str":
    worker = Path(__file__).with_name("clusters_worker.py")
    # One thread for products of matrices: workers have no more, and last digits depend on it.
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, str(worker), backend, "small" if options.small else "whole"],
        capture_output=True,
        text=True,
        timeout=options.limit,
        env=environment,
        check=False,
    )
    if done.returncode:
        return f"left out: {(done.stderr.strip().splitlines() or ['?'])[-1][:100]}"
    return dict(json.loads(done.stdout.strip().splitlines()[-1]))


SECTION = Section(
    name="clusters",
    title="Evaluations on several processes, Dask and Ray",
    notes="Start: until two workers have trained a first estimator (imports of this process left "
    "out). Tiny: 400 naive Bayes classifiers on 200 × 20 numbers. Large table: 40 classifiers that "
    "look at nothing, on 200,000 × 25 numbers (40 MB): what sending the table costs. Wall time, "
    "best of three, which other work on the machine lengthens. Same: all predictions, of 40 small "
    "forests too, are those of one process, to the last bit.",
    columns=(
        Column("what", "workers"),
        Column("start", "start, s", ".1f"),
        Column("tiny_each", "tiny, ms each", ".1f"),
        Column("large_each", "large table, ms each", ".0f"),
        Column("same", "same"),
        Column("note", "note"),
    ),
    measure=measure,
)
