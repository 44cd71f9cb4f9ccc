"""`python -m benchmarks.faults.run [--amount 0.1] [--seed 1] [--only tables]`, or `make faults`.

Each part is a module with a function `measure(amount, seed)` that gives tallies: at an amount of 1
it tries its full number of inputs. Ends with 1 where anything broke.
"""

import argparse
import importlib
import sys
from importlib.util import find_spec

from benchmarks.faults.tally import Tally, print_table

PARTS = ("tables", "crashes", "memory", "numerics")


def main(arguments: list[str] | None = None) -> int:
    """Run the parts asked for; print what became of every input."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults.run")
    parser.add_argument("--amount", type=float, default=1.0, help="1 is the full number of inputs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=PARTS, action="append")
    asked = parser.parse_args(arguments)
    tallies: list[Tally] = []
    for part in asked.only or [name for name in PARTS if find_spec(f"benchmarks.faults.{name}")]:
        module = importlib.import_module(f"benchmarks.faults.{part}")
        tallies += module.measure(asked.amount, asked.seed)
    print_table(tallies)
    return int(any(tally.faults for tally in tallies))


if __name__ == "__main__":
    sys.exit(main())
