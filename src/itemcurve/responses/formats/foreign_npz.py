"""Responses in npz files that other programs wrote."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ResponsesError
from itemcurve.responses.input.array_input import parts_from_array
from itemcurve.responses.input.parts import Parts

MATRIX_NAMES = ("responses", "response", "y", "r", "values", "scores", "correct", "data")
RESPONDENT_NAMES = ("respondents", "respondent", "models", "model", "systems", "rows", "names")
ITEM_NAMES = ("items", "item", "questions", "question", "tasks", "columns")
WEIGHT_NAMES = ("weights", "weight")
# Unsigned bytes cannot hold NaN; 255 is what public response matrices use in its place.
MISSING_BYTE = 255
_LARGEST_SCORE = 127


def parts_from_foreign(arrays: Mapping[str, NDArray[Any]], shown: str) -> Parts:
    """Find the matrix of responses, and ids that fit it, by shape and by usual names."""
    lowered = {name.lower(): array for name, array in arrays.items()}
    matrix = _find_matrix(lowered, shown)
    weights = next((lowered[name] for name in WEIGHT_NAMES if name in lowered), None)
    return parts_from_array(
        _decode_missing(matrix),
        _find_ids(lowered, RESPONDENT_NAMES, matrix.shape[0]),
        _find_ids(lowered, ITEM_NAMES, matrix.shape[1]),
        weights,
    )


def _find_matrix(arrays: Mapping[str, NDArray[Any]], shown: str) -> NDArray[Any]:
    """Give the two-dimensional numeric array with a usual name, or the only one."""
    candidates = {
        name: array
        for name, array in arrays.items()
        if array.ndim == 2 and array.dtype.kind in "biuf" and name not in WEIGHT_NAMES
    }
    for name in MATRIX_NAMES:
        if name in candidates:
            return candidates[name]
    if len(candidates) == 1:
        return next(iter(candidates.values()))
    described = ", ".join(f"{name} {array.shape} {array.dtype}" for name, array in arrays.items())
    raise ResponsesError(
        "An npz file must hold one matrix of numbers, or one named `responses` or `Y`;",
        f"{shown!r} holds {len(candidates)} such: {described or 'nothing'}.",
        "Load it with `numpy.load` and pass the right array to `Responses.from_array`.",
    )


def _find_ids(
    arrays: Mapping[str, NDArray[Any]], names: Iterable[str], count: int
) -> list[str] | None:
    """Give the first array of ids that fits, or None."""
    for name in names:
        array = arrays.get(name)
        if array is not None and array.shape == (count,) and array.dtype.kind in "SUiu":
            if array.dtype.kind == "S":
                array = np.char.decode(array, "utf-8", "replace")
            return _number_repeats([str(value) for value in array])
    return None


def _number_repeats(ids: list[str]) -> list[str]:
    """Turn a second `gpt2` into `gpt2 (2)`: public matrices list some systems more than once."""
    seen: Counter[str] = Counter()
    numbered = []
    for name in ids:
        seen[name] += 1
        numbered.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return numbered


def _decode_missing(matrix: NDArray[Any]) -> NDArray[Any]:
    """Turn 255 into NaN where bytes hold nothing else beyond small scores."""
    if matrix.dtype != np.uint8:
        return matrix
    is_missing = matrix == MISSING_BYTE
    is_score = matrix <= _LARGEST_SCORE
    if not is_missing.any() or not np.all(is_missing | is_score):
        return matrix
    return np.where(is_missing, np.nan, matrix)
