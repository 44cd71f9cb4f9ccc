"""Covariates of style: how much longer, or more formatted, the answer on side a is."""

from typing import Any

import numpy as np

from itemcurve.errors import ResponsesError
from itemcurve.pairs.votes.vote_data import Floats
from itemcurve.responses.input.column_numbers import Column, column_numbers


def read_style(columns: tuple[Column, ...], name: str) -> Floats:
    """Give a covariate, side a less side b, not yet in units of its spread.

    Two columns of sizes (characters, headings) become (a − b) / (a + b), as arenas do: twice as
    long is as much for short answers as for long ones, and nothing lies beyond ±1. One column is
    taken as the difference it is.
    """
    numbers = [_numbers(column, name) for column in columns]
    if len(numbers) == 1:
        return numbers[0]
    a, b = numbers
    if min(a.min(initial=0.0), b.min(initial=0.0)) < 0:
        raise ResponsesError(
            f"Sizes of the style {name!r} must not be negative;",
            f"the least is {min(a.min(), b.min()):g}.",
            f"Give a column {name} of differences (a less b) instead.",
        )
    total = a + b
    return np.divide(a - b, total, out=np.zeros_like(total), where=total > 0)


def standardise(style: Floats, name: str, weights: Floats | None) -> tuple[Floats, float]:
    """Give a covariate in units of its spread, and that unit.

    The unit is the root mean square. Nothing is subtracted: two answers of the same length differ
    by 0, whatever is usual.
    """
    unit = float(np.sqrt(np.average(style**2, weights=weights)))
    if not unit > 0:
        raise ResponsesError(
            f"The style {name!r} must differ between some answers;",
            "it is the same on both sides of every vote.",
            "Leave it out.",
        )
    return style / unit, unit


def _numbers(column: Column, name: str) -> Floats:
    def locate(row: int) -> str:
        return f"row {row + 1}"

    found: Any = column_numbers(column, name, locate, parse_text=True)
    values = np.asarray(found, dtype=np.float64)
    is_bad = ~np.isfinite(values)
    if is_bad.any():
        raise ResponsesError(
            f"The style {name!r} must be known of every vote that counts;",
            f"{is_bad.sum():,} have none, the first in row {int(np.argmax(is_bad)) + 1}.",
            "Fill it in, or remove these votes.",
        )
    return values
