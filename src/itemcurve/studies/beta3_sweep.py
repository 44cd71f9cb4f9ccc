"""Items and abilities of one data set along the share of wrong test labels."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from itemcurve.evaluation.noise import flip_labels
from itemcurve.studies.beta3_data import (
    Case,
    draw_clusters,
    draw_digits,
    draw_moons,
)
from itemcurve.studies.beta3_fits import (
    fit_way,
    predict_case,
    relabel,
    tabulate_items,
    tabulate_respondents,
)
from itemcurve.studies.contract import Report
from itemcurve.studies.finished_parts import FinishedParts, Tables, join_parts

SWEPT = ("published", "log-loss")
SLOW = ("bound", "density")
PAPER_NOISE = 0.2
# Levels at which the tables of items are kept and refitted with discrimination fixed.
DETAILED = (0.0, PAPER_NOISE)


def sweep_noise(
    parts: FinishedParts,
    data: Path,
    names: Sequence[str],
    seeds: int,
    levels: Sequence[float],
    digits: int,
    slow_seeds: int,
    report: Report,
) -> Tables:
    """Give the tables `items` and `respondents` of all data sets, seeds, levels and ways.

    Parameters
    ----------
    names : among `moons`, `clusters`, `mnist`.
    digits : images to test on.
    slow_seeds : seeds with two more ways at the paper's noise, which take long.
    """
    done = []
    for name in names:
        for seed in range(seeds):
            size = f"-{digits}" if name == "mnist" else ""
            ways = "-slow" if seed < slow_seeds else ""
            key = f"sweep-{name}{size}-{seed}{ways}-{'-'.join(f'{level:g}' for level in levels)}"
            done.append(
                parts.get(key, partial(_sweep, data, name, seed, levels, digits, seed < slow_seeds))
            )
            report(f"{name}, seed {seed}: {len(levels)} shares of wrong labels fitted")
    return join_parts(done)


def draw_case(data: Path, name: str, seed: int, digits: int) -> Case:
    """Draw a data set by name."""
    if name == "mnist":
        return draw_digits(data, seed, sizes=(1000, digits))
    return draw_moons(seed) if name == "moons" else draw_clusters(seed)


def _sweep(
    data: Path, name: str, seed: int, levels: Sequence[float], digits: int, is_slow: bool
) -> Tables:
    case = draw_case(data, name, seed, digits)
    truth = predict_case(case, seed)
    done: list[Tables] = []
    for place, level in enumerate(levels):
        noisy = flip_labels(case.y_test, level, 1000 * seed + place)
        given = relabel(truth, np.asarray(noisy.values))
        for way in (*SWEPT, *SLOW) if is_slow and level == PAPER_NOISE else SWEPT:
            found = fit_way(given, way)
            keys: dict[str, Any] = {"data": name, "seed": seed, "noise": float(level), "way": way}
            tables = {"respondents": tabulate_respondents(found, given)}
            if level in DETAILED:
                items = tabulate_items(found, noisy.changed, case)
                if way in SWEPT:
                    fixed = fit_way(given, way, discrimination=1.0)
                    difficulty = np.asarray(fixed.estimates.item_columns["difficulty"])
                    items["fixed_difficulty"] = difficulty
                tables["items"] = items
            for table in tables.values():
                for column, value in reversed(keys.items()):
                    table.insert(0, column, value)
            done.append(tables)
    return join_parts(done)
