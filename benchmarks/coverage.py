"""How often 90 % intervals contain the truth."""

from time import perf_counter

import numpy as np

import itemcurve
from benchmarks.section import Column, Options, Row, Section, show_progress
from itemcurve.datasets.simulation import Simulation
from itemcurve.estimation.result import FitResult

_SIZES = ((30, 1_000), (200, 81), (1_000, 2_000), (300, 20_000))
_SMALL = ((30, 50), (100, 20))
_SEEDS = 20
_WIDTH = 1.645


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Mean coverage over seeds at every size."""
    if options.small:
        return [_measure_size(*size, n_seeds=3) for size in _SMALL]
    return [_measure_size(*size, n_seeds=_SEEDS) for size in _SIZES]


def _measure_size(n_respondents: int, n_items: int, n_seeds: int) -> Row:
    shares = []
    seconds = 0.0
    for seed in range(1, n_seeds + 1):
        truth = itemcurve.simulate("2pl", respondents=n_respondents, items=n_items, seed=seed)
        started = perf_counter()
        result = itemcurve.fit(truth.responses, "2pl", on_failure="ignore")
        seconds += perf_counter() - started
        shares.append([*_shares(result, truth), result.status.is_converged])
    ability, difficulty, discrimination, converged = np.mean(shares, axis=0)
    row: Row = {
        "size": f"{n_respondents:,} × {n_items:,}",
        "ability": float(ability),
        "worst": float(min(share[0] for share in shares)),
        "difficulty": float(difficulty),
        "discrimination": float(discrimination),
        "converged": float(converged),
        "seconds": seconds / n_seeds,
    }
    show_progress(f"  {row}")
    return row


def _shares(result: FitResult, truth: Simulation) -> list[float]:
    """Shares of abilities, difficulties and discriminations inside their intervals."""
    tables = (
        (result.respondents, truth.respondents, "ability"),
        (result.items, truth.items, "difficulty"),
        (result.items, truth.items, "discrimination"),
    )
    shares = []
    for found, true, key in tables:
        error = (found[key] - true[key]).abs()
        shares.append(float((error < _WIDTH * found[f"{key}_se"]).mean()))
    return shares


SECTION = Section(
    name="coverage",
    title="Coverage of 90 % intervals",
    notes=f"Share with |estimate − truth| < {_WIDTH}·se, 2PL with the default priors, mean over "
    f"{_SEEDS} simulated data sets (seeds 1 to {_SEEDS}); 90 % is right. True abilities are "
    "standardised to the sample.",
    columns=(
        Column("size", "respondents × items"),
        Column("ability", "ability", ".1%"),
        Column("worst", "ability, worst seed", ".1%"),
        Column("difficulty", "difficulty", ".1%"),
        Column("discrimination", "discrimination", ".1%"),
        Column("converged", "converged", ".0%"),
        Column("seconds", "seconds per fit", ".2f"),
    ),
    measure=measure,
)
