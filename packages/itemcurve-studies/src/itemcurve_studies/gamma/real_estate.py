"""Real Estate (section V of the Γ paper): 414 houses, thirteen respondents, repeated splits."""

from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve_studies.gamma.regressors import FittedErrors, fit_errors, predict_all
from itemcurve_studies.study.contract import Report
from itemcurve_studies.study.data_files import find_data
from itemcurve_studies.study.finished_parts import FinishedParts

Floats = NDArray[np.float64]

SPLITS = 20
# Neighbours along the component whose targets show how noisy a region is.
_NEIGHBOURS = 20


@dataclass(frozen=True, eq=False)
class RealEstate(FittedErrors):
    """Fits of repeated 80/20 splits; the first axis is the split.

    Attributes
    ----------
    component : first principal component of the features, standardised (splits × items).
    spread : standard deviation of the targets of the nearest houses along it (splits × items).
    targets : splits × items; the others as in `FittedErrors`.
    """

    component: Floats
    spread: Floats
    targets: Floats


@dataclass(frozen=True, eq=False)
class HouseTable:
    """All houses: features as they are, standardised price, and what serves for looking.

    The component is that of the features as they are, as the paper's picture shows it: distance to
    the station dominates it.
    """

    X: Floats
    y: Floats
    component: Floats
    spread: Floats


@dataclass(frozen=True, eq=False)
class HouseSplit:
    """Which houses are tested, and what the ten regressors predict for them."""

    test: NDArray[np.int_]
    predictions: Floats


def run_real_estate(data: Path, count: int, report: Report, work: Path | None) -> RealEstate:
    """Train on 80 % of the houses with all attributes standardised, test on the others."""
    houses = read_houses(data)
    parts = []
    for seed in range(count):
        make = partial(_fit_split, seed, houses)
        parts.append(dict(FinishedParts(work).arrays(f"real-estate-{seed:02d}", make)))
        test = parts[-1].pop("test").astype(np.int64)
        parts[-1] |= {
            "component": houses.component[test],
            "spread": houses.spread[test],
            "targets": houses.y[test],
        }
    report(f"Real Estate: {count} splits fitted")
    names = [field.name for field in fields(RealEstate)]
    return RealEstate(**{name: np.stack([part[name] for part in parts]) for name in names})


def split_houses(houses: HouseTable, seed: int) -> HouseSplit:
    """Train on four fifths of the houses, attributes standardised, and predict the rest."""
    order = np.random.default_rng([seed, 1]).permutation(len(houses.y))
    n_test = len(houses.y) // 5
    test, train = order[:n_test], order[n_test:]
    mean, sd = houses.X[train].mean(axis=0), houses.X[train].std(axis=0)
    X = (houses.X - mean) / sd
    return HouseSplit(test, predict_all(X[train], houses.y[train], X[test], seed))


def _fit_split(seed: int, houses: HouseTable) -> dict[str, NDArray[Any]]:
    made = split_houses(houses, seed)
    found = fit_errors(made.predictions, houses.y[made.test])
    part = {field.name: getattr(found, field.name) for field in fields(FittedErrors)}
    return part | {"test": made.test}


def read_houses(data: Path) -> HouseTable:
    """Read the 414 houses."""
    path = find_data(data, "core/real_estate_valuation.csv", "the Real Estate data")[0]
    table = np.genfromtxt(path, delimiter=",", skip_header=1)
    X, y = table[:, :-1], table[:, -1]
    y = (y - y.mean()) / y.std()
    component = _first_component(X)
    return HouseTable(X, y, component, _local_spread(component, y))


def _first_component(X: Floats) -> Floats:
    centred = X - X.mean(axis=0)
    direction = np.linalg.svd(centred, full_matrices=False)[2][0]
    found = centred @ direction
    # The sign is arbitrary; larger means further from the station, as in the paper's picture.
    sign = np.sign(np.corrcoef(found, X[:, 2])[0, 1])
    return np.asarray(sign * found / found.std())


def _local_spread(component: Floats, y: Floats) -> Floats:
    gaps = np.abs(component[:, None] - component)
    nearest = np.argsort(gaps, axis=1, kind="stable")[:, :_NEIGHBOURS]
    return np.asarray(y[nearest].std(axis=1))
