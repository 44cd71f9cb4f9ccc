"""Run one measurement in a fresh process, with a time limit, and hand arrays back.

`python -m benchmarks.worker module:function input.npz output.npz` calls function(arrays), which
gives a dict of arrays or numbers.
"""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Arrays = dict[str, NDArray[Any]]
Job = Callable[[Arrays], Mapping[str, ArrayLike]]
_ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Outcome:
    """Arrays that came back, or in words why there are none."""

    arrays: Arrays
    failure: str = ""


def run_apart(
    job: str, arrays: Mapping[str, ArrayLike], limit: float, python: str | None = None
) -> Outcome:
    """Call the job `module:function` in a fresh interpreter; end it after the limit."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "input.npz"), Path(folder, "output.npz")
        np.savez(source, **{key: np.asarray(value) for key, value in arrays.items()})
        command = [python or sys.executable, "-m", "benchmarks.worker", job, source, target]
        process = subprocess.Popen(
            command, cwd=_ROOT, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        try:
            errors = process.communicate(timeout=limit)[1]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return Outcome({}, f"over {limit:.0f} s")
        if process.returncode:
            last = (errors.strip().splitlines() or [f"exit status {process.returncode}"])[-1]
            return Outcome({}, f"failed: {last[:120]}")
        with np.load(target) as found:
            return Outcome(dict(found))


def main(job: str, source: str, target: str) -> None:
    """Load the arrays, call the job, save what it gives."""
    module, function = job.split(":")
    call: Job = getattr(import_module(module), function)
    with np.load(source) as found:
        arrays = dict(found)
    np.savez(target, **{key: np.asarray(value) for key, value in call(arrays).items()})


if __name__ == "__main__":
    main(*sys.argv[1:])
