"""Health of real benchmarks: what is found, beside what permuted answers give, and how fast."""

import os
from pathlib import Path
from time import process_time

import numpy as np

import itemcurve
from benchmarks.section import Column, Options, Row, Section, show_progress
from itemcurve.analysis.health.benchmark_health import BenchmarkHealth
from itemcurve.responses.chosen_options import ChosenOptions

_SEEDS = 24


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Health of every matrix, then how often clean data are blamed."""
    folder = Path(os.environ.get("ITEMCURVE_DATA", "nowhere"), "data", "llm")
    if not folder.is_dir():
        show_progress("  ITEMCURVE_DATA names no folder with data/llm")
        return cached
    rows = [_measure(path) for path in sorted(folder.glob("*.npz"))]
    return rows + [
        _measure_clean(model, 4 if options.small else _SEEDS) for model in ("2pl", "3pl")
    ]


def _measure(path: Path) -> Row:
    stored = np.load(path)
    values = stored["R"].astype(float)
    values[values == 255] = np.nan
    responses = itemcurve.Responses.from_array(values)
    known, groups = None, None
    if "choice" in stored:
        codes = stored["choice"].astype("U1").view(np.uint32).astype(np.int64) - ord("A")
        codes = np.where(stored["choice"] == "", -1, codes).astype(np.int32)
        known = ChosenOptions(responses.respondents, responses.items, tuple("ABCDEFGHIJ"), codes)
        groups = stored["scenario"].tolist()
    started = process_time()
    found = itemcurve.health(responses, options=known, item_groups=groups)
    row = _describe(found) | {"seconds": process_time() - started}
    name = path.stem.removeprefix("benchpred_")
    show_progress(f"  {name} {row}")
    return {"data": f"{name}, {values.shape[0]} × {values.shape[1]:,}"} | row


def _measure_clean(model: str, seeds: int) -> Row:
    """Means over simulated data with one ability, right keys and no copies."""
    runs = []
    for seed in range(seeds):
        respondents, items = ((30, 200), (80, 300), (200, 100), (25, 1000))[seed % 4]
        drawn = itemcurve.simulate(model, respondents=respondents, items=items, seed=seed)
        runs.append(_describe(itemcurve.health(drawn.responses, seed=seed)))
    row: Row = {key: float(np.mean([float(run[key]) for run in runs])) for key in runs[0]}
    return {"data": f"simulated {model}, mean of {seeds}"} | row


def _describe(found: BenchmarkHealth) -> Row:
    checks = found.checks().set_index("check")
    row: Row = {}
    for name in checks.index:
        row[name] = int(checks.loc[name, "items"])
    row["redundant_chance"] = float(checks.loc["redundant", "by_chance"])
    row["key_chance"] = float(checks.loc["suspect key", "by_chance"])
    row["best5"] = found.cohorts[0].headroom
    row["dimensions"] = 1 if found.dimensions is None else found.dimensions.best
    row["gain"] = 0.0 if found.dimensions is None else found.dimensions.gain
    return row


SECTION = Section(
    name="health",
    title="Health of real benchmarks",
    notes=f"""\
`itemcurve.health` on response matrices of language models: items found, and beside them how many \
the same rule finds when answers are permuted within margins (and chosen options drawn anew). \
Headroom is what the five best models lack. Abilities: the number that predicts left-out cells \
best, and how much better than one. Processor seconds, one thread. The last rows are simulated \
with one ability, right keys and no copies (means of {_SEEDS} data sets of 30 × 200, 80 × 300, \
200 × 100 and 25 × 1,000 in turn): redundant items, suspect keys and further abilities found there \
are false.""",
    columns=(
        Column("data", "data"),
        Column("all right", "all right", ".3g"),
        Column("all wrong", "all wrong", ".3g"),
        Column("saturated", "saturated", ".3g"),
        Column("redundant", "redundant", ".3g"),
        Column("redundant_chance", "by chance", ".1f"),
        Column("suspect key", "suspect keys", ".3g"),
        Column("key_chance", "by chance", ".1f"),
        Column("best5", "headroom of the best 5", ".1%"),
        Column("dimensions", "abilities", ".3g"),
        Column("gain", "gain", ".1%"),
        Column("seconds", "seconds", ".1f"),
    ),
    measure=measure,
)
