"""The Γ paper's own protocol: algorithm 1, averaged over 40 draws of noise, and on Real Estate."""

from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.estimation.fit import fit
from itemcurve.estimation.variational.stochastic.settings import Stochastic
from itemcurve.models.boundary import Boundary
from itemcurve.responses.matrix import Responses
from itemcurve_studies.gamma.polynomial import SIGMAS, draw_points
from itemcurve_studies.gamma.real_estate import HouseTable, read_houses, split_houses
from itemcurve_studies.gamma.regressors import RESPONDENTS, Graded, grade_errors, predict_all
from itemcurve_studies.study.contract import Report
from itemcurve_studies.study.finished_parts import FinishedParts

Floats = NDArray[np.float64]

DRAWS, SPLITS, SEEDS = 40, 20, 5
# Levels that the paper's figures 6 and 7 show come first: they decide most.
SHOWN = (0, 10, 20)
_ORDER = (*SHOWN, *(level for level in range(len(SIGMAS)) if level not in SHOWN))
# Nothing that our own rule looked at is drawn from these.
_FRESH = 1_000
_CLIP = Boundary("clip", 1e-4)


@dataclass(frozen=True, eq=False)
class Averages:
    """Runs on one split of the polynomial: levels × draws of noise × respondents or items.

    Attributes
    ----------
    levels : which of `SIGMAS` were run, in their order.
    x : standardised feature of the test items.
    errors, absolute : mean normalised and mean absolute error of each respondent.
    """

    levels: NDArray[np.int64]
    x: Floats
    abilities: Floats
    difficulty: Floats
    discrimination: Floats
    errors: Floats
    absolute: Floats


@dataclass(frozen=True, eq=False)
class EstateRuns:
    """Runs on Real Estate: splits × seeds × respondents or items.

    Attributes
    ----------
    errors, item_errors : mean normalised errors, the same for all seeds of a split.
    component, spread : of the houses tested, see `RealEstate`.
    """

    abilities: Floats
    difficulty: Floats
    discrimination: Floats
    errors: Floats
    item_errors: Floats
    component: Floats
    spread: Floats


def run_averages(draws: int | None, report: Report, work: Path | None) -> Averages:
    """Fit every level as the paper does; with a number of draws, the three levels it shows.

    Parameters
    ----------
    work : folder that keeps every fit, so that an interrupted run resumes.
    """
    order = _ORDER if draws is None else SHOWN
    count = DRAWS if draws is None else draws
    rng = np.random.default_rng([_FRESH, 2])
    x, y, train, test = draw_points(rng)
    predictions = predict_all(x[train, None], y[train], x[test, None], _FRESH)
    noise = rng.normal(size=(len(SIGMAS), DRAWS, len(test)))
    found: dict[int, list[dict[str, Any]]] = {}
    for level in order:
        found[level] = []
        for draw in range(count):
            graded = grade_errors(predictions, y[test] + SIGMAS[level] * noise[level, draw])
            name = f"paper-level-{level:02d}-{draw:02d}"
            make = partial(_fit_once, graded, draw)
            found[level].append(dict(FinishedParts(work).arrays(name, make)))
        report(f"as in the paper, σ = {SIGMAS[level]:g}: {count} draws of noise fitted")
    levels = sorted(found)
    return Averages(
        np.array(levels),
        x[test],
        **{
            name: np.array([[part[name] for part in found[level]] for level in levels])
            for name in ("abilities", "difficulty", "discrimination", "errors", "absolute")
        },
    )


def run_estate(data: Path, splits: int | None, report: Report, work: Path | None) -> EstateRuns:
    """Fit every split with several seeds; with a number of splits, one seed each."""
    count, seeds = (SPLITS, SEEDS) if splits is None else (splits, 1)
    houses = read_houses(data)
    parts = []
    for split in range(count):
        parts.append(_fit_seeds(houses, split, seeds, work))
        report(f"as in the paper, Real Estate: {split + 1} of {count} splits, {seeds} seeds each")
    return EstateRuns(**{name: np.array([part[name] for part in parts]) for name in parts[0]})


def _fit_seeds(houses: HouseTable, split: int, seeds: int, work: Path | None) -> dict[str, Floats]:
    made = split_houses(houses, _FRESH + split)
    graded = grade_errors(made.predictions, houses.y[made.test])
    runs = [
        FinishedParts(work).arrays(
            f"paper-estate-{split:02d}-{seed}", partial(_fit_once, graded, seed)
        )
        for seed in range(seeds)
    ]
    found = {
        name: np.array([run[name] for run in runs])
        for name in ("abilities", "difficulty", "discrimination")
    }
    return found | {
        "errors": graded.errors,
        "item_errors": graded.item_errors,
        "component": houses.component[made.test],
        "spread": houses.spread[made.test],
    }


def _fit_once(graded: Graded, seed: int) -> dict[str, NDArray[Any]]:
    """One run of algorithm 1 on the scores 1/(1 + e)."""
    found = fit(
        Responses.from_array(graded.scores, RESPONDENTS),
        "beta3",
        method=Stochastic(seed=seed),
        boundary=_CLIP,
        # Compiled it takes a third of the time, and draws the same.
        engine="jax" if find_spec("jax") else "numpy",
        on_failure="ignore",
    )
    return {
        "abilities": found.respondents["ability_01"].to_numpy(),
        "difficulty": found.items["difficulty"].to_numpy(),
        "discrimination": found.items["discrimination"].to_numpy(),
        "errors": graded.errors,
        "absolute": graded.absolute,
    }
