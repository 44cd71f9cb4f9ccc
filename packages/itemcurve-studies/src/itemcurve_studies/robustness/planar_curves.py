"""Moons, circles and a line once more: where the hard points lie, and curves of all families."""

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.robustness.system_curves import SystemCurves
from itemcurve.evaluation.difficulty.instance_difficulty import estimate_difficulty
from itemcurve.evaluation.difficulty.robustness import system_curves
from itemcurve.evaluation.pools.pool import Pool
from itemcurve_studies.robustness.families import robust_families
from itemcurve_studies.robustness.planar_shapes import build_shapes

# Points along each side of the map, and how far it goes beyond the data, in their widths.
_SIDE, _MARGIN = 90, 0.35


@dataclass(frozen=True, eq=False)
class Regions:
    """What each family says of every point of the plane, near the data and far from them.

    Attributes
    ----------
    x, y : where the points of the map lie.
    is_second : whether the second class is named (families × y × x).
    """

    names: tuple[str, ...]
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    is_second: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class PlanarShape:
    """A shape in the plane: its points, how hard each is (1PL), and the curves of the families."""

    name: str
    X: NDArray[np.float64]
    y: NDArray[Any]
    difficulty: NDArray[np.float64]
    curves: SystemCurves
    regions: Regions


def measure_planar(pool: Pool, cache: Path, rows: int, *, quick: bool) -> tuple[PlanarShape, ...]:
    """Measure the three shapes (figures 2 and A1 to A3); the pool's trainings are those of R18."""
    families, found = robust_families(2, quick=quick), []
    for name, (X, y) in build_shapes(rows).items():
        difficulty = estimate_difficulty(X, y, pool, cache=cache, n_jobs=-1, on_failure="ignore")
        curves = system_curves(
            families, X, y, difficulty=difficulty, name=name, cache=cache, n_jobs=-1
        )
        regions = map_regions(families, X, y)
        found.append(PlanarShape(name, X, y, np.asarray(difficulty.values), curves, regions))
    return tuple(found)


def map_regions(families: Pool, X: NDArray[np.float64], y: NDArray[Any]) -> Regions:
    """Train every family on all points, and ask it for the plane around them (figure 2)."""
    from sklearn.base import clone
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    reach = _MARGIN * np.ptp(X, axis=0)
    across, up = np.linspace(X.min(axis=0) - reach, X.max(axis=0) + reach, _SIDE).T
    points = np.stack(np.meshgrid(across, up), axis=-1).reshape(-1, 2)
    second = np.unique(y)[1]
    with warnings.catch_warnings():
        # Networks that stop at their last iteration are the paper's.
        warnings.simplefilter("ignore")
        named = [
            make_pipeline(StandardScaler(), clone(family)).fit(X, y).predict(points) == second
            for _, family in families
        ]
    return Regions(families.names, across, up, np.array(named).reshape(-1, _SIDE, _SIDE))
