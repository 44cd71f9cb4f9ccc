"""Odd data sets through every model and method: our own errors, flagged numbers, honest statuses.

`python -m benchmarks.faults.numerics --log FILE` goes on where FILE ends and prints the table.
"""

import argparse
import json
import traceback
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

import itemcurve as ic
from benchmarks.faults.odd_sets import OddSet, draw_odd_set
from benchmarks.faults.processor_time import TooLongError, at_most, peak_memory
from benchmarks.faults.summits import GAIN, Summits
from benchmarks.faults.tally import Tally, print_table
from itemcurve.errors import ConvergenceWarning, ItemcurveError
from itemcurve.estimation.checkpoint import MemoryCheckpoint
from itemcurve.estimation.status import FitStatus

SETS = 2000
# Processor seconds that a fit of so little may take; sampling compiles first.
PATIENCE, SAMPLING_PATIENCE = 20.0, 60.0
# A standard error or a parameter beyond this says that nothing is known.
ABSURD = 1e4
EVERY_RESTARTED = 4
_TOGETHER = 50
# Where weights make the objective large, its own rounding and that of quadrature.
RELATIVE_GAIN = 1e-5
# In units of log-likelihood, more than rounding along a way that only rises.
LEAST_VALLEY = 1e-4
Record = dict[str, Any]


def units(amount: float, seed: int) -> dict[str, Callable[[], list[Tally]]]:
    """Try the first sets of a seed, some dozens at a time."""
    last = max(1, round(SETS * amount))
    starts = range(0, last, _TOGETHER)
    return {f"sets from {start}": partial(_some, seed, start, last) for start in starts}


def _some(seed: int, start: int, last: int) -> list[Tally]:
    numbers = range(start, min(start + _TOGETHER, last))
    return tally([try_set(seed, number) for number in numbers])


def tally(records: list[Record]) -> list[Tally]:
    """Add up what became of each."""
    fits, warned = Tally("odd numbers: fits"), Tally("odd numbers: warnings of others")
    near, gains = Tally("odd numbers: new starts nearby"), Tally("odd numbers: finite differences")
    for record in records:
        fits.add(record["outcome"], f"{record['set']}: {record['why']}")
        for name, row in (("restart", near), ("gradient", gains)):
            if name in record:
                is_sound = record[name] <= record["allowed"] or _is_elsewhere(record, name)
                row.add("fine" if is_sound else "silent", f"{record['set']}: {record[name]:.3g}")
        if record["outcome"] == "fine":
            said = record["warnings"]
            warned.add("traceback" if said else "fine", f"{record['set']}: {said}")
    return [fits, gains, near, warned]


def _is_elsewhere(record: Record, name: str) -> bool:
    """Whether what is higher is another summit, beyond a valley: this one is none the less one."""
    return name == "restart" and float(record.get("valley", 0.0)) > LEAST_VALLEY


def try_set(seed: int, number: int) -> Record:
    """Fit one set, and look at what came of it."""
    odd = draw_odd_set(seed, number)
    record: Record = {"number": number, "set": str(odd), "why": "", "warnings": []}
    began = process_time()
    record |= _try(odd)
    return record | {"seconds": round(process_time() - began, 2)}


def _try(odd: OddSet) -> Record:
    watch, summits, began = MemoryCheckpoint(), Summits(), process_time()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            limit = SAMPLING_PATIENCE if odd.method == "mcmc" else PATIENCE
            with at_most(limit), summits.watched():
                fit = _fit(odd, watch)
                problems = _problems(fit, odd)
            summits.belong_to(fit)
        except ItemcurveError as error:
            return {"outcome": "clean error", "why": str(error)[:200]}
        except TooLongError:
            return {"outcome": "hang", "why": f"over {limit:g} s"}
        except Exception:
            return {"outcome": "traceback", "why": traceback.format_exc()[-600:]}
    foreign = [each for each in caught if not issubclass(each.category, ConvergenceWarning)]
    record: Record = {
        "outcome": "silent" if problems else "fine",
        "why": "; ".join(problems),
        "status": fit.status.name,
        "warnings": sorted({f"{w.message} {Path(w.filename).name}:{w.lineno}" for w in foreign}),
    }
    if fit.status.is_converged and odd.method != "mcmc" and process_time() - began < 2:
        record |= _check_summit(odd, fit, watch, summits)
    return record


def _fit(odd: OddSet, checkpoint: MemoryCheckpoint) -> Any:
    responses = ic.Responses.from_array(odd.values, weights=odd.weights)
    prior: Any = "default" if odd.has_priors else None
    return ic.fit(
        responses,
        odd.model,
        method=odd.settings,
        prior=prior,
        on_failure="ignore",
        checkpoint=checkpoint,
    )


def _problems(fit: Any, odd: OddSet) -> list[str]:
    """Name what nobody would be warned of."""
    found = []
    if fit.status.is_converged and not np.isfinite(fit.log_likelihood):
        found.append(f"log-likelihood {fit.log_likelihood} with status {fit.status.name}")
    # Values themselves may be absurd where the data are: only their errors and gaps count there.
    is_scaled = {"tiny", "subnormal", "huge", "scales apart"} & set(odd.oddities)
    for table in (fit.items, fit.respondents):
        for row in table.to_dict("records"):
            numbers = {name: v for name, v in row.items() if isinstance(v, float)}
            # A status of its own (flat, at a bound) says so for all rows of a fit.
            is_said = fit.status is not FitStatus.CONVERGED
            bad = [
                f"{name} = {value:.3g}"
                for name, value in numbers.items()
                # An item never given a category has no threshold of it, as its page says.
                if (not np.isfinite(value) and not name.startswith("threshold_"))
                or (abs(value) > ABSURD and not is_said and (name.endswith("_se") or not is_scaled))
                or (name.endswith("_se") and value < 0)
            ]
            if bad and not row["flags"] and fit.status.is_converged:
                found.append(f"{', '.join(bad)} without a flag, {fit.status.name}")
    return found[:3]


def _check_summit(odd: OddSet, fit: Any, watch: MemoryCheckpoint, summits: Summits) -> Record:
    """Say how much higher differences and a start nearby find the objective."""
    height = float(fit.estimates.objective_value)
    record: Record = {"allowed": max(GAIN, RELATIVE_GAIN * abs(height))}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            with at_most(PATIENCE):
                gain = summits.gain(height)
                if gain is not None:
                    record["gradient"] = gain
                if odd.number % EVERY_RESTARTED == 0 and watch.reached:
                    record |= _restarted(odd, height, watch, summits)
        except (TooLongError, np.linalg.LinAlgError, ItemcurveError, ArithmeticError) as error:
            # Noise in a matrix may leave none that is one: nothing can be said of such a start.
            record["not checked"] = type(error).__name__
    return record


def _restarted(odd: OddSet, height: float, watch: MemoryCheckpoint, summits: Summits) -> Record:
    """Say how much higher a start nearby ends, and how deep the valley before that is."""
    others = Summits()
    with others.watched():
        again = _fit(odd, MemoryCheckpoint(_moved(odd, watch)))
    others.belong_to(again)
    higher = float(again.estimates.objective_value)
    found: Record = {"restart": higher - height}
    if higher - height > GAIN:
        found["valley"] = summits.valley(height, others, higher)
    return found


def _moved(odd: OddSet, watch: MemoryCheckpoint) -> list[Any]:
    """Give where the searches ended, all entities moved; widths and precisions cannot be."""
    rng = np.random.default_rng(odd.number)
    return [
        (np.asarray(first) + 0.02 * rng.normal(size=np.shape(first)), *others)
        for first, *others in watch.reached
    ]


def main() -> None:
    """Go on with a study that may be interrupted at any time."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults.numerics")
    parser.add_argument("--log", type=Path, required=True, help="JSON lines, one per set")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sets", type=int, default=SETS)
    parser.add_argument("--again", action="store_true", help="first repeat those that broke")
    asked = parser.parse_args()
    lines = asked.log.read_text().splitlines() if asked.log.exists() else []
    known = {record["number"]: record for record in map(json.loads, lines)}
    if asked.again:
        known = {n: r for n, r in known.items() if not any(row.faults for row in tally([r]))}
    with asked.log.open("a") as log:
        for number in range(asked.sets):
            if number not in known:
                known[number] = try_set(asked.seed, number)
                log.write(json.dumps(known[number]) + "\n")
                log.flush()
    print_table(tally(list(known.values())))
    elsewhere = [r["set"] for r in known.values() if _is_elsewhere(r, "restart")]
    print(f"other, higher summits beyond a valley: {len(elsewhere)}", *elsewhere, sep="\n- ")
    print("slowest:", *sorted((r["seconds"] for r in known.values()), reverse=True)[:10])
    print("peak memory of what was tried now, MiB:", round(peak_memory()))
    print("processor minutes:", round(sum(r["seconds"] for r in known.values()) / 60, 1))


if __name__ == "__main__":
    main()
