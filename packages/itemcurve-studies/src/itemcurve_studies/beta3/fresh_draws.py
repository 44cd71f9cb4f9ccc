"""Fresh draws of the three data sets, fitted by algorithm 1 as the paper's code runs it."""

from collections.abc import Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from itemcurve.analysis.predictions import Predictions
from itemcurve.estimation.result import FitResult
from itemcurve.estimation.variational.stochastic.settings import Stochastic
from itemcurve.evaluation.noise.added_noise import flip_labels
from itemcurve_studies.beta3.fits import (
    fit_way,
    predict_case,
    relabel,
    tabulate_items,
    tabulate_respondents,
)
from itemcurve_studies.beta3.sweep import PAPER_NOISE, draw_case
from itemcurve_studies.study.contract import Report
from itemcurve_studies.study.finished_parts import FinishedParts, Tables, join_parts

WAY = "algorithm 1"
# As the accuracies of the paper's table 2 imply; of its code, images get twice the rounds.
_DIGITS, _ROUNDS = 400, {"mnist": 2_000}
_FIRST_SEED = 1_000


def run_fresh(
    parts: FinishedParts, data: Path, names: Sequence[str], draws: int, report: Report
) -> Tables:
    """Give the tables `fresh_items` and `fresh_respondents`, without noise and at the paper's."""
    done = []
    for name in names:
        for seed in range(_FIRST_SEED, _FIRST_SEED + draws):
            # Of MOONS and CLUSTERS the paper says nothing without noise.
            for level in (0.0, PAPER_NOISE) if name == "mnist" else (PAPER_NOISE,):
                key = f"fresh-{name}-{seed}-{level:g}"
                done.append(parts.tables(key, partial(_fit_draw, data, name, seed, level)))
            report(f"{name}, seed {seed}: fitted by algorithm 1")
    return join_parts(done)


def _fit_draw(data: Path, name: str, seed: int, level: float) -> Tables:
    case = draw_case(data, name, seed, _DIGITS)
    noisy = flip_labels(case.y_test, level, seed)
    given = relabel(predict_case(case, seed), np.asarray(noisy.values))
    found = _fit(given, name, seed)
    items = tabulate_items(found, noisy.changed, case)
    if name == "mnist":
        fixed = _fit(given, name, seed, discrimination=1.0)
        items["fixed_difficulty"] = np.asarray(fixed.estimates.item_columns["difficulty"])
    tables = {"fresh_items": items, "fresh_respondents": tabulate_respondents(found, given)}
    keys: dict[str, Any] = {"data": name, "seed": seed, "noise": float(level), "way": WAY}
    for table in tables.values():
        for column, value in reversed(keys.items()):
            table.insert(0, column, value)
    return tables


def _fit(given: Predictions, name: str, seed: int, **settings: Any) -> FitResult:
    return fit_way(
        given,
        "published",
        method=Stochastic(seed=seed, rounds=_ROUNDS.get(name, 1_000)),
        # Compiled it takes a third of the time, and draws the same.
        engine="jax" if find_spec("jax") else "numpy",
        **settings,
    )
