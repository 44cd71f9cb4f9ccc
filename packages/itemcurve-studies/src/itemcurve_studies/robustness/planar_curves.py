"""Moons, circles and a line once more: where the hard points lie, and curves of all families."""

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


@dataclass(frozen=True, eq=False)
class PlanarShape:
    """A shape in the plane: its points, how hard each is (1PL), and the curves of the families."""

    name: str
    X: NDArray[np.float64]
    y: NDArray[Any]
    difficulty: NDArray[np.float64]
    curves: SystemCurves


def measure_planar(pool: Pool, cache: Path, rows: int, *, quick: bool) -> tuple[PlanarShape, ...]:
    """Measure the three shapes (figures A1 to A3); the pool's trainings are those of R18."""
    families, found = robust_families(2, quick=quick), []
    for name, (X, y) in build_shapes(rows).items():
        difficulty = estimate_difficulty(X, y, pool, cache=cache, n_jobs=-1, on_failure="ignore")
        curves = system_curves(
            families, X, y, difficulty=difficulty, name=name, cache=cache, n_jobs=-1
        )
        found.append(PlanarShape(name, X, y, np.asarray(difficulty.values), curves))
    return tuple(found)
