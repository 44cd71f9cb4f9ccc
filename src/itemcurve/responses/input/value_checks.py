"""Checks on numbers: responses finite, weights finite and not negative."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ResponsesError

# Sums of squares of larger ones lose every digit of the others, and then overflow.
LARGEST_WEIGHT = 1e12
# Says where the value at a flat position stands, in the user's own names.
Locate = Callable[[int], str]


def refuse_infinite(values: NDArray[Any], locate: Locate) -> None:
    """Raise when a response is infinite, naming the first such cell."""
    if values.dtype.kind == "f" and np.isinf(values).any():
        raise ResponsesError(
            "Responses must be finite numbers, or NaN where not observed;",
            _say_first(values, np.isinf(values), "infinite", locate),
            "Replace them by NaN, or by the largest value the scale allows.",
        )


def refuse_other_numbers(dtype: np.dtype[Any], what: str) -> None:
    """Raise when a type is not boolean, integer or real."""
    if dtype.kind not in "biuf":
        raise ResponsesError(
            f"{what} must be real numbers;",
            f"given is an array of type {dtype}.",
            "Score the answers as numbers first, such as 1 for right and 0 for wrong.",
        )


def check_weights(weights: NDArray[Any], locate: Locate) -> None:
    """Raise when a weight is negative or not finite, naming the first such cell."""
    refuse_other_numbers(weights.dtype, "Weights")
    if weights.dtype.kind in "bu":
        return
    is_bad = ~((weights >= 0) & (weights <= LARGEST_WEIGHT))
    if is_bad.any():
        raise ResponsesError(
            "Weights must be finite and at least 0 (0 means not observed), and at most 1e12;",
            _say_first(weights, is_bad, "not", locate),
            "Use 0 for a response that should not count, and divide all by the same number where "
            "they are too large.",
        )


def _say_first(values: NDArray[Any], is_bad: NDArray[np.bool_], what: str, locate: Locate) -> str:
    places = np.flatnonzero(is_bad)
    first = int(places[0])
    return f"{places.size} are {what}, the first is {values.ravel()[first]} at {locate(first)}."
