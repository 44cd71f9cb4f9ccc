"""Real Estate (section V of the Γ paper): 414 houses, thirteen respondents, repeated splits."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import StorageError
from itemcurve.storage.safe_npz import read_npz, write_npz
from itemcurve.studies.contract import Report
from itemcurve.studies.gamma_regressors import FittedErrors, fit_errors, predict_all

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


def run_real_estate(data: Path, count: int, report: Report, work: Path | None) -> RealEstate:
    """Train on 80 % of the houses with all attributes standardised, test on the others.

    The component is that of the features as they are, as the paper's picture shows it: distance to
    the station dominates it. It serves for looking only.
    """
    X, y = _read(data)
    component = _first_component(X)
    spread = _local_spread(component, y)
    parts = []
    for seed in range(count):
        parts.append(_one(seed, X, y, work) | {})
        test = parts[-1].pop("test").astype(np.int64)
        parts[-1] |= {"component": component[test], "spread": spread[test], "targets": y[test]}
    report(f"Real Estate: {count} splits fitted")
    names = [field.name for field in fields(RealEstate)]
    return RealEstate(**{name: np.stack([part[name] for part in parts]) for name in names})


def _one(seed: int, X: Floats, y: Floats, work: Path | None) -> dict[str, NDArray[Any]]:
    path = None if work is None else work / f"real-estate-{seed:02d}.npz"
    if path is not None and path.exists():
        return read_npz(path)
    order = np.random.default_rng([seed, 1]).permutation(len(y))
    n_test = len(y) // 5
    test, train = order[:n_test], order[n_test:]
    mean, sd = X[train].mean(axis=0), X[train].std(axis=0)
    predictions = predict_all((X[train] - mean) / sd, y[train], (X[test] - mean) / sd, seed)
    found = fit_errors(predictions, y[test])
    part = {field.name: getattr(found, field.name) for field in fields(FittedErrors)}
    part["test"] = test
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_npz(path, part)
    return part


def _read(data: Path) -> tuple[Floats, Floats]:
    """Features as they are and the standardised price."""
    path = data / "data" / "core" / "real_estate_valuation.csv"
    if not path.exists():
        raise StorageError(
            "The study needs the Real Estate data;",
            f"there is no data/core/real_estate_valuation.csv under {str(data)!r}.",
            "Set ITEMCURVE_DATA to the folder that has it.",
        )
    table = np.genfromtxt(path, delimiter=",", skip_header=1)
    y = table[:, -1]
    return table[:, :-1], (y - y.mean()) / y.std()


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
