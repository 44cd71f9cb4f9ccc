"""Bins of equal size, from easy to hard, and the draw that says who is perturbed first."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import EvaluationError
from itemcurve.evaluation.difficulty.instance_difficulty import Difficulty


def read_difficulty(difficulty: Any, rows: int) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Give difficulties, and which count: those usable, or all finite ones of a list."""
    if isinstance(difficulty, Difficulty):
        values, counts = np.asarray(difficulty.values), difficulty.is_usable
    else:
        values = np.asarray(difficulty, dtype=np.float64)
        counts = np.isfinite(values)
    if values.shape != (rows,):
        raise EvaluationError(
            "There must be one difficulty per instance;",
            f"{rows} instances have difficulties of shape {values.shape}.",
            "Estimate them on the same data: itemcurve.robustness.estimate_difficulty(X, y).",
        )
    return values, counts


def check_bins(bins: int, instances: int) -> None:
    """Raise unless every bin can hold an instance."""
    if not 2 <= bins <= instances:
        raise EvaluationError(
            f"bins must be between 2 and the {instances} instances;",
            f"given is {bins}.",
            "Use 5 if unsure." if instances > 5 else "Give more data.",
        )


def part_by_difficulty(
    values: NDArray[np.float64], counts: NDArray[np.bool_], bins: int, rng: np.random.Generator
) -> NDArray[np.intp]:
    """Give the bin of each instance, 0 the easiest, −1 where it does not count.

    Bins hold equally many instances; equal difficulties at a border are parted by chance.
    """
    usable = np.flatnonzero(counts)
    check_bins(bins, len(usable))
    # Instances with the same answers differ in the last digits of the arithmetic; they are equal.
    order = usable[np.lexsort((rng.random(len(usable)), np.round(values[usable], 6)))]
    found = np.full(len(values), -1, dtype=np.intp)
    found[order] = np.arange(len(order)) * bins // len(order)
    return found


def draw_order(places: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.intp]:
    """Give the place of each instance in a random order within its bin; −1 outside of all."""
    found = np.full(len(places), -1, dtype=np.intp)
    for place in range(int(places.max()) + 1):
        inside = np.flatnonzero(places == place)
        found[inside] = rng.permutation(len(inside))
    return found
