"""What each item cost the models in the logs: kept beside responses."""

import csv
import io
import os
from collections import Counter
from pathlib import Path

import numpy as np

from itemcurve.errors import StorageError
from itemcurve.logs.table.long_table import LogResponses
from itemcurve.storage.atomic_files import write_bytes
from itemcurve.storage.spreadsheet_text import quote_formula, unquote_formula

SUFFIX = ".costs.csv"
_HEADER = ["item", "cost", "unit"]
_LARGEST = 2**28


def mean_costs(logs: LogResponses) -> tuple[dict[str, float], str]:
    """Mean cost of every item over models, and its unit: the commonest; empty without costs."""
    rows = logs.rows
    units = np.array(logs.cost_units, dtype=object)[rows.source]
    known = np.isfinite(rows.cost) & (rows.cost > 0)
    if not known.any():
        return {}, ""
    unit = Counter(units[known].tolist()).most_common(1)[0][0]
    kept = known & (units == unit)
    codes = rows.item[kept]
    sums = np.bincount(codes, weights=rows.cost[kept], minlength=len(logs.items))
    counts = np.bincount(codes, minlength=len(logs.items))
    return {
        logs.items[code].name: float(sums[code] / counts[code]) for code in np.flatnonzero(counts)
    }, str(unit)


def save_costs(costs: dict[str, float], unit: str, path: str | os.PathLike[str]) -> None:
    """Write costs as CSV, atomically."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow(_HEADER)
    writer.writerows((quote_formula(item), f"{cost:.6g}", unit) for item, cost in costs.items())
    write_bytes(path, stream.getvalue().encode("utf-8", "replace"))


def load_costs(path: str | os.PathLike[str]) -> tuple[dict[str, float], str]:
    """Read costs that `save_costs` wrote, checked."""
    file = Path(path)
    try:
        if file.stat().st_size > _LARGEST:
            raise ValueError("it is too large")
        rows = list(csv.reader(io.StringIO(file.read_text(encoding="utf-8"), newline="")))
        if not rows or rows[0] != _HEADER or any(len(row) != len(_HEADER) for row in rows):
            raise ValueError(f"its columns are not {', '.join(_HEADER)}")
        costs = {unquote_formula(row[0]): float(row[1]) for row in rows[1:]}
        if not all(0 < cost < float("inf") for cost in costs.values()):
            raise ValueError("a cost is not above 0")
    except (OSError, ValueError, csv.Error) as error:
        raise StorageError(
            "A list of costs must be as `itemcurve import` wrote it;",
            f"{str(file)!r} is not: {error}.",
            "Import the logs again.",
        ) from None
    return costs, rows[1][2] if len(rows) > 1 else ""
