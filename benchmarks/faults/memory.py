"""Readers of whose allocations one fails: an error, or the same values, never others.

Each reading is done in a process of its own, since what comes after a failed allocation in an
interpreter cannot be trusted. Data of arrays are outside what is made to fail. Python and NumPy
themselves report some failed allocations as another error (SystemError, TypeError, a
segmentation fault of `numpy.fromiter`): loud, too, and named beside the table.
"""

import hashlib
import os
import pickle
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import itemcurve as ic
from benchmarks.faults.crashes import _quiet
from benchmarks.faults.tally import Outcome, Tally
from benchmarks.faults.writing_commands import make_base, run_command
from itemcurve.adaptive.session_folder import SessionFolder
from itemcurve.errors import ItemcurveError
from itemcurve.storage.run_folder import read_run

# At an amount of 1, for each reader: allocations spread evenly over all that it makes.
FAILURES = 150
_FAR = 2**30
_ENDINGS: tuple[Outcome, ...] = ("fine", "clean error", "clean error", "traceback", "silent")
_OF_OTHERS = 2
Reader = Callable[[], bytes]


def units(amount: float, seed: int) -> dict[str, Callable[[], list[Tally]]]:
    """Let allocations fail, one in each reading."""
    del seed
    return {"readers": partial(_all_readers, amount)}


def _all_readers(amount: float) -> list[Tally]:
    with tempfile.TemporaryDirectory() as place, _quiet(Path(place)):
        base = Path(place).resolve() / "base"
        make_base(base)
        run_command("fit a.csv --out run", base)
        run_command("adapt start s.json --bank run --max-items 4", base)
        for ending in ("npz", "jsonl", "parquet", "csv.gz"):
            ic.Responses.read(base / "a.csv").save(base / f"a.{ending}")
        return [fail_everywhere(n, r, FAILURES * amount) for n, r in _readers(base).items()]


def fail_everywhere(name: str, read: Reader, count: float) -> Tally:
    """Let allocations of a reader fail, spread over all that it makes."""
    row = Tally(f"memory: {name}")
    # What is imported and kept at the first reading is no part of the next.
    expected = [hashlib.sha256(read()).digest() for _ in range(2)]
    assert expected[0] == expected[1]
    total, of_others = _count(read), 0
    for at in np.unique(np.linspace(1, total, max(3, round(count))).astype(int)):
        ending = _fail(read, int(at), expected[0])
        of_others += ending == _OF_OTHERS
        row.add(_ENDINGS[ending], f"allocation {at} of {total}")
    if of_others:
        print(f"{row.name}: {of_others} in another error than MemoryError", file=sys.stderr)
    return row


def _readers(base: Path) -> dict[str, Reader]:
    def responses(name: str) -> Reader:
        return lambda: _packed(ic.Responses.read(base / name))

    def run() -> bytes:
        found = read_run(base / "run")
        return pickle.dumps([found.document("fit"), found.arrays("fit")])

    def logs() -> bytes:
        return _packed(ic.read_logs(base / "logs", cache=False, n_jobs=1).select())

    readers = {name: responses(name) for name in ("a.csv", "a.npz", "a.jsonl", "a.csv.gz")}
    session = SessionFolder(base)
    return readers | {
        "run folder": run,
        "session": lambda: repr(session.read("s.json").documents).encode(),
        "logs": logs,
    }


def _packed(responses: Any) -> bytes:
    return pickle.dumps([responses.respondents, responses.items, responses.array().tolist()])


def _count(read: Reader) -> int:
    """How many allocations a reading makes: the first number at which none fails, by halving."""
    low, high = 1, 2
    while _fail(read, high, None):
        low, high = high, 2 * high
        assert high < _FAR
    while high - low > max(1, high // 100):
        middle = (low + high) // 2
        low, high = (middle, high) if _fail(read, middle, None) else (low, middle)
    return low


def _fail(read: Reader, at: int, expected: bytes | None) -> int:
    """Read in a process of its own whose allocation of this number fails; give its ending."""
    child = os.fork()
    if not child:
        os._exit(_read_failing(read, at, expected))
    _, status = os.waitpid(child, 0)
    return _OF_OTHERS if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def _is_ours(error: Exception) -> bool:
    """Whether it was raised by a line of the library, and not below it."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = "" if trace is None else trace.tb_frame.f_code.co_filename
    return Path(ic.__file__).parent in Path(place).parents and not isinstance(error, SystemError)


def _read_failing(read: Reader, at: int, expected: bytes | None) -> int:
    import _testcapi

    try:
        _testcapi.set_nomemory(at, at + 1)
        found = read()
    except (ItemcurveError, MemoryError):
        return 1
    except Exception as error:
        return 3 if _is_ours(error) else _OF_OTHERS
    finally:
        _testcapi.remove_mem_hooks()
    return 0 if expected is None or hashlib.sha256(found).digest() == expected else 4
