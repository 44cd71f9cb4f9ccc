"""Run one script of the first hour in this process, and say what it cost and found, as JSON."""

import json
import runpy
import sys
from contextlib import redirect_stdout
from io import StringIO
from time import process_time
from typing import Any


def _flagged(names: dict[str, Any]) -> list[int] | None:
    """Rows (from 0) whose label the script was told to be wrong; None if it did not ask."""
    if "lab" in names:
        found = names["lab"].get_issues("label")["is_label_issue"].to_numpy()
        return [int(row) for row in found.nonzero()[0]]
    if "audit" in names:
        table = names["audit"].frame()
        wrong = table["item"][table["verdict"] == "suspect label"]
        return [int(name.split("_")[1]) - 1 for name in wrong]
    return None


def main() -> None:
    """Run the script named first on the command line."""
    printed = StringIO()
    with redirect_stdout(printed):
        names = runpy.run_path(sys.argv[1])
    seconds = process_time()
    lines = [line for line in printed.getvalue().splitlines() if line.strip()]
    print(json.dumps({"seconds": seconds, "printed": len(lines), "flagged": _flagged(names)}))


if __name__ == "__main__":
    main()
