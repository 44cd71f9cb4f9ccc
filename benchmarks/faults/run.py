"""`python -m benchmarks.faults.run [--amount 0.1] [--seed 1] [--only tables] [--log FILE]`.

`make faults` runs all parts with a log: what is interrupted goes on where it was; remove the log to
begin anew. Each part is a module with a function `units(amount, seed)`: what it tries, piece by
piece, each a call that gives tallies; at an amount of 1 the full number of inputs. Ends with 1
where anything broke.
"""

import argparse
import importlib
import json
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.faults.tally import Tally, print_table

PARTS = ("tables", "crashes", "memory", "numerics", "analyses")
Record = dict[str, Any]


def main(arguments: list[str] | None = None) -> int:
    """Run the parts asked for; print what became of every input."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults.run")
    parser.add_argument("--amount", type=float, default=1.0, help="1 is the full number of inputs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=PARTS, action="append")
    parser.add_argument("--log", type=Path, help="JSON lines, one per piece; goes on where it ends")
    asked = parser.parse_args(arguments)
    known = _known(asked.log)
    for part in asked.only or PARTS:
        module = importlib.import_module(f"benchmarks.faults.{part}")
        for name, unit in module.units(asked.amount, asked.seed).items():
            key = f"{part}, {name}, {asked.amount:g} of seed {asked.seed}"
            if key not in known:
                known[key] = _tried(key, unit)
                _keep(asked.log, known[key])
    tallies = added(list(known.values()))
    print_table(tallies)
    print("processor minutes:", round(sum(record["seconds"] for record in known.values()) / 60, 1))
    return int(any(tally.faults for tally in tallies))


def added(records: list[Record]) -> list[Tally]:
    """Tallies of the same name in all records put together, in the order they came.

    Parameters
    ----------
    records : of the log.
    """
    found: dict[str, Tally] = {}
    for record in records:
        for one in record["tallies"]:
            row = found.setdefault(one["name"], Tally(one["name"]))
            row.counts += Counter(one["counts"])
            row.examples += one["examples"]
    return list(found.values())


def _known(log: Path | None) -> dict[str, Record]:
    if log is None or not log.exists():
        return {}
    # A line that a crash cut off is done again.
    lines = [line for line in log.read_text().splitlines(keepends=True) if line.endswith("\n")]
    log.write_text("".join(lines))
    return {record["key"]: record for record in map(json.loads, lines)}


def _tried(key: str, unit: Callable[[], list[Tally]]) -> Record:
    print(key, file=sys.stderr, flush=True)
    began = process_time()
    tallies = [
        {"name": row.name, "counts": dict(row.counts), "examples": row.examples} for row in unit()
    ]
    return {"key": key, "tallies": tallies, "seconds": round(process_time() - began, 1)}


def _keep(log: Path | None, record: Record) -> None:
    if log is not None:
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("a") as file:
            file.write(json.dumps(record) + "\n")


if __name__ == "__main__":
    sys.exit(main())
