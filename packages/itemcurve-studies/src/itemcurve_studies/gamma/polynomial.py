"""The polynomial of the Γ paper (section IV): noise in the test targets, 21 levels."""

from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve_studies.gamma.regressors import FittedErrors, fit_errors, predict_all
from itemcurve_studies.study.contract import Report
from itemcurve_studies.study.finished_parts import FinishedParts

Floats = NDArray[np.float64]

SIGMAS = np.round(np.linspace(0.0, 0.5, 21), 3)
DATA_SETS = 40
_POINTS, _TEST = 300, 60


@dataclass(frozen=True, eq=False)
class Polynomial(FittedErrors):
    """All fits of the study; the axes are data sets, levels of noise, then methods.

    Attributes
    ----------
    x : standardised feature of the test items (data sets × items).
    targets : with noise (data sets × levels × items).
    The others are as in `FittedErrors`, with data sets and levels as first axes.
    """

    x: Floats
    targets: Floats


def run_polynomial(count: int, report: Report, work: Path | None) -> Polynomial:
    """Draw the data sets, train on clean targets, add noise to those of the test, and fit.

    Each data set is trained on once and tested at all levels with noise of its own, so that a
    change along the levels is one of noise alone.

    Parameters
    ----------
    count : data sets.
    work : folder that keeps every finished data set, so that an interrupted run resumes.
    """
    parts = []
    for seed in range(count):
        name = f"polynomial-{seed:02d}"
        parts.append(FinishedParts(work).arrays(name, partial(_fit_levels, seed)))
        if (seed + 1) % 5 == 0 or seed + 1 == count:
            report(f"polynomial: {seed + 1} of {count} data sets fitted at {len(SIGMAS)} levels")
    names = [field.name for field in fields(Polynomial)]
    return Polynomial(**{name: np.stack([part[name] for part in parts]) for name in names})


def _fit_levels(seed: int) -> dict[str, NDArray[Any]]:
    """Train on one data set and fit its errors at every level."""
    rng = np.random.default_rng([seed, 0])
    x, y, train, test = draw_points(rng)
    predictions = predict_all(x[train, None], y[train], x[test, None], seed)
    noise = rng.normal(size=(len(SIGMAS), _TEST))
    targets = y[test] + SIGMAS[:, None] * noise
    found = [fit_errors(predictions, level) for level in targets]
    names = [field.name for field in fields(FittedErrors)]
    part = {name: np.stack([getattr(each, name) for each in found]) for name in names}
    return part | {"x": x[test], "targets": targets}


def measure_tube(count: int, width: float) -> float:
    """Noise-free mean absolute error of RBF support vectors whose tube is this wide."""
    from sklearn.svm import SVR

    errors = []
    for seed in range(count):
        x, y, train, test = draw_points(np.random.default_rng([seed, 0]))
        machine = SVR(kernel="rbf", gamma="scale", C=5, epsilon=width)
        predicted = machine.fit(x[train, None], y[train]).predict(x[test, None])
        errors.append(np.abs(predicted - y[test]).mean())
    return float(np.mean(errors))


def draw_points(
    rng: np.random.Generator,
) -> tuple[Floats, Floats, NDArray[np.int_], NDArray[np.int_]]:
    """Draw a data set: x and y, standardised, and the rows to train and to test on."""
    x = rng.uniform(-4.0, 6.0, _POINTS)
    y = -x + x**3
    order = rng.permutation(_POINTS)
    x, y = (x - x.mean()) / x.std(), (y - y.mean()) / y.std()
    return x, y, order[_TEST:], order[:_TEST]
