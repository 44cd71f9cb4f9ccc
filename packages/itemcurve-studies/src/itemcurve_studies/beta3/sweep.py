"""Items and abilities of one data set along the share of wrong test labels."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from itemcurve.evaluation.noise.added_noise import flip_labels
from itemcurve_studies.beta3.data import (
    Case,
    draw_clusters,
    draw_digits,
    draw_moons,
)
from itemcurve_studies.beta3.fits import (
    fit_way,
    predict_case,
    relabel,
    tabulate_items,
    tabulate_respondents,
)
from itemcurve_studies.beta3.settings import Beta3Settings
from itemcurve_studies.study.contract import Report
from itemcurve_studies.study.finished_parts import FinishedParts, Tables, join_parts

PAPER_NOISE = 0.2
# Levels at which the tables of items are kept and refitted with discrimination fixed.
DETAILED = (0.0, PAPER_NOISE)
# Ways along all levels; what is slower stands beside them at those levels, or at one for few seeds.
FOLLOWED = ("published", "log-loss joint")
SIDE_BY_SIDE = ("log-loss",)
SLOW = ("bound", "density")


def sweep_noise(
    parts: FinishedParts, data: Path, names: Sequence[str], settings: Beta3Settings, report: Report
) -> Tables:
    """Give the tables `items` and `respondents` of all data sets, seeds, levels and ways.

    Parameters
    ----------
    names : among `moons`, `clusters`, `mnist`.
    """
    levels, done = settings.levels, []
    shares = "-".join(f"{level:g}" for level in levels)
    for seed in range(settings.seeds):
        for name in names:
            key = f"sweep-{_sized(name, settings)}-{seed}-{shares}"
            ways = {level: _list_ways(level) for level in levels}
            make = partial(_sweep, data, name, seed, settings.digits, ways)
            done.append(parts.tables(key, make))
            report(f"{name}, seed {seed}: {len(levels)} shares of wrong labels fitted")
    return join_parts(done)


def sweep_slowly(
    parts: FinishedParts, data: Path, names: Sequence[str], settings: Beta3Settings, report: Report
) -> Tables:
    """Give the same tables by the ways that take long: at the paper's noise, for few seeds."""
    done, place = [], settings.levels.index(PAPER_NOISE)
    for seed in range(settings.slow_seeds):
        for name in names:
            key = f"slow-{_sized(name, settings)}-{seed}-{place}"
            ways = {level: SLOW if level == PAPER_NOISE else () for level in settings.levels}
            done.append(parts.tables(key, partial(_sweep, data, name, seed, settings.digits, ways)))
            report(f"{name}, seed {seed}: {' and '.join(SLOW)} fitted")
    return join_parts(done)


def _sized(name: str, settings: Beta3Settings) -> str:
    return f"{name}-{settings.digits}" if name == "mnist" else name


def _list_ways(level: float) -> tuple[str, ...]:
    return (*FOLLOWED, *SIDE_BY_SIDE) if level in DETAILED else FOLLOWED


def draw_case(data: Path, name: str, seed: int, digits: int) -> Case:
    """Draw a data set by name."""
    if name == "mnist":
        return draw_digits(data, seed, sizes=(1000, digits))
    return draw_moons(seed) if name == "moons" else draw_clusters(seed)


def _sweep(
    data: Path, name: str, seed: int, digits: int, ways: Mapping[float, Sequence[str]]
) -> Tables:
    case = draw_case(data, name, seed, digits)
    truth = predict_case(case, seed)
    done: list[Tables] = []
    for place, level in enumerate(ways):
        noisy = flip_labels(case.y_test, level, 1000 * seed + place)
        given = relabel(truth, np.asarray(noisy.values))
        for way in ways[level]:
            found = fit_way(given, way)
            keys: dict[str, Any] = {"data": name, "seed": seed, "noise": float(level), "way": way}
            tables = {"respondents": tabulate_respondents(found, given)}
            if level in DETAILED:
                items = tabulate_items(found, noisy.changed, case)
                if way not in SLOW:
                    fixed = fit_way(given, way, discrimination=1.0)
                    difficulty = np.asarray(fixed.estimates.item_columns["difficulty"])
                    items["fixed_difficulty"] = difficulty
                tables["items"] = items
            for table in tables.values():
                for column, value in reversed(keys.items()):
                    table.insert(0, column, value)
            done.append(tables)
    return join_parts(done)
