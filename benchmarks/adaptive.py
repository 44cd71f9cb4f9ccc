"""Adaptive tests: simulated examinees per second against catsim, and time to the next item."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time

import numpy as np

import itemcurve
from benchmarks.section import Column, Options, Row, Section, show_progress
from itemcurve.adaptive.selection.catalogue import RULES
from itemcurve.bank.item_bank import Bank

_N_ITEMS = 500
_LENGTH = 30
_LARGE = 10_000


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """One bank, the same true abilities for every tool, one after the other."""
    n_peer, n_own = (20, 500) if options.small else (300, 20_480)
    bank = _bank(_N_ITEMS)
    abilities = np.random.default_rng(2).normal(size=n_own)
    peer = _catsim(bank, abilities[:n_peer], options)
    rows: list[Row] = [] if peer is None else [peer]
    for engine in ("numpy", "jax"):
        # Once before, to load and compile.
        itemcurve.simulate_tests(bank, abilities=abilities, max_items=_LENGTH, engine=engine)
        started = process_time()
        found = itemcurve.simulate_tests(
            bank, abilities=abilities, max_items=_LENGTH, engine=engine, seed=1
        )
        rate = n_own / (process_time() - started)
        rows.append(_row(f"itemcurve {engine}", "tests a second", rate, found.rmse, peer))
    rows += [_next_item(_bank(_LARGE), select) for select in RULES]
    for row in rows:
        show_progress(f"  {row}")
    return rows


def _bank(size: int) -> Bank:
    rng = np.random.default_rng(1)
    return Bank.from_parameters(
        "2pl", discrimination=rng.lognormal(0, 0.25, size), difficulty=rng.normal(size=size)
    )


def _row(tool: str, what: str, value: float, rmse: float | None, peer: Row | None) -> Row:
    base = None if peer is None else float(str(peer["value"]))
    times = None if base is None or what != "tests a second" else value / base
    return {"tool": tool, "what": what, "value": value, "rmse": rmse, "times": times}


def _catsim(bank: Bank, abilities: np.ndarray, options: Options) -> Row | None:
    """Measure catsim with the interpreter that CATSIM_PYTHON names, or this one."""
    values = bank.parts[0].values
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bank.npz"
        np.savez(path, bank=values, abilities=abilities)
        worker = Path(__file__).with_name("catsim_worker.py")
        python = os.environ.get("CATSIM_PYTHON", sys.executable)
        done = subprocess.run(
            [python, str(worker), str(path), str(_LENGTH)],
            capture_output=True,
            text=True,
            timeout=options.limit,
            check=False,
        )
    if done.returncode:
        show_progress(f"  catsim left out: {done.stderr.strip().splitlines()[-1]}")
        return None
    seconds, rmse = map(float, done.stdout.split()[-2:])
    rate = len(abilities) / seconds
    return {"tool": "catsim", "what": "tests a second", "value": rate, "rmse": rmse, "times": 1.0}


def _next_item(bank: Bank, select: str) -> Row:
    """Median milliseconds of the processor from an answer to the next item, over a test."""
    test = itemcurve.AdaptiveTest(bank, select, itemcurve.stopping.max_items(_LENGTH), seed=1)
    rng, times = np.random.default_rng(3), []
    while True:
        started = process_time()
        item = test.next_item()
        times.append(1e3 * (process_time() - started))
        if item is None:
            break
        test.record(item, float(rng.random() < 0.6))
    what = f"ms to the next item, {_LARGE:,} items"
    return _row(f"itemcurve {select}", what, float(np.median(times[1:])), None, None)


SECTION = Section(
    name="adaptive",
    title="Adaptive tests",
    notes=f"Simulated 2PL tests of {_LENGTH} items from a bank of {_N_ITEMS}, maximum information; "
    "catsim by its numerical search, itemcurve by posterior mean; same true abilities. Next items "
    f"from a bank of {_LARGE:,}, ability included, median over a test. Processor seconds, which "
    "other work on the machine hardly changes.",
    columns=(
        Column("tool", "tool"),
        Column("value", "value", ".4g"),
        Column("rmse", "RMSE of ability", ".3f"),
        Column("times", "times catsim", ".0f"),
    ),
    measure=measure,
    group_by="what",
)
