"""Ratings on five grades: do intervals hold the truth, and do thresholds keep their distances?"""

from collections import defaultdict
from time import process_time

import numpy as np

import itemcurve as ic
from benchmarks.section import Column, Options, Row, Section, show_progress
from itemcurve.datasets.simulation import Simulation
from itemcurve.estimation.result import FitResult

_MODELS = ("grm", "gpcm")
_SIZES = ((1_000, 20), (60, 200), (30, 40))
_SEEDS = 20
_WIDTH = 1.645


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Cover and slope of every model at every size."""
    sizes, seeds = (((30, 20),), 2) if options.small else (_SIZES, _SEEDS)
    rows: list[Row] = []
    for model in _MODELS:
        for size in sizes:
            rows.append(_measure_size(model, *size, seeds))
            show_progress(f"  {rows[-1]}")
    return rows


def _measure_size(model: str, n_respondents: int, n_items: int, seeds: int) -> Row:
    found: dict[str, list[float]] = defaultdict(list)
    for seed in range(1, seeds + 1):
        truth = ic.simulate(model, respondents=n_respondents, items=n_items, seed=seed)
        started = process_time()
        fit = ic.fit(truth.responses, model, on_failure="ignore")
        found["seconds"].append(process_time() - started)
        for key, value in _compared(fit, truth).items():
            found[key].append(value)
    means = {key: float(np.mean(own)) for key, own in found.items()}
    return {"model": model, "size": f"{n_respondents:,} × {n_items}", "seeds": seeds, **means}


def _compared(fit: FitResult, truth: Simulation) -> dict[str, float]:
    """Shares inside intervals, the slope of thresholds on the truth, and convergence."""
    names = [name for name in truth.items if name.startswith("threshold_")]
    found, true = (table.items[names].to_numpy().ravel() for table in (fit, truth))
    known = np.isfinite(found)
    errors = fit.items[[f"{name}_se" for name in names]].to_numpy().ravel()
    return {
        "ability": _cover(fit.respondents, truth.respondents, "ability"),
        "discrimination": _cover(fit.items, truth.items, "discrimination"),
        "difficulty": _cover(fit.items, truth.items, "difficulty"),
        "threshold": float(np.mean((np.abs(found - true) < _WIDTH * errors)[known])),
        "slope": float(np.polyfit(true[known], found[known], 1)[0]),
        "steepness": float(
            fit.items["discrimination"].mean() / truth.items["discrimination"].mean()
        ),
        "converged": float(fit.status.is_converged),
    }


def _cover(found: object, true: object, name: str) -> float:
    gap = np.abs(found[name] - true[name])  # type: ignore[index]
    return float(np.mean(gap < _WIDTH * found[f"{name}_se"]))  # type: ignore[index]


SECTION = Section(
    name="ratings",
    title="Ratings on five grades",
    notes="Simulated by the model that is fitted (log a ~ N(0, .3²), b ~ N(0, 1), thresholds about "
    ".8 apart), true abilities standardised in the sample, default settings. Cover is the share "
    f"with |estimate − truth| < {_WIDTH}·se, where 90 % is right; *thresholds rise* is the slope "
    "of estimated on true thresholds; *slopes* the mean estimated over the mean true "
    "discrimination.",
    columns=(
        Column("model", "model"),
        Column("size", "respondents × items"),
        Column("seeds", "seeds"),
        Column("ability", "ability covered", ".1%"),
        Column("threshold", "thresholds", ".1%"),
        Column("difficulty", "difficulty", ".1%"),
        Column("discrimination", "discrimination", ".1%"),
        Column("slope", "thresholds rise", ".3f"),
        Column("steepness", "slopes", ".3f"),
        Column("converged", "converged", ".0%"),
        Column("seconds", "CPU seconds", ".2f"),
    ),
    measure=measure,
)
