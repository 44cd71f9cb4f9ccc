"""Covariates of respondents as columns of numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from itemcurve.errors import ResponsesError
from itemcurve.numerics.engine import Array

_MOST_LEVELS = 30


@dataclass(frozen=True, eq=False)
class Covariates:
    """Covariates, centred and in units of their standard deviation.

    Attributes
    ----------
    names : of the terms: a column's name, or `column[level]` for each level beyond the first.
    values : respondents × terms.
    centres, units : what was taken away from each term, and what it was divided by.
    """

    names: tuple[str, ...]
    values: Array
    centres: Array
    units: Array


def no_covariates(n_respondents: int) -> Covariates:
    """None at all."""
    return Covariates((), np.zeros((n_respondents, 0)), np.zeros(0), np.zeros(0))


def read_covariates(
    frame: Any, ids: tuple[str, ...], what: str = "respondent", word: str = "covariates"
) -> Covariates:
    """Read a table with one row per respondent, or per item.

    Parameters
    ----------
    frame : a pandas or polars DataFrame or a mapping from names to columns. Rows are found by a
        column named as `what` or an index of their ids where there is one, else taken in order.
    what, word : what the rows are of, and what the columns are called.
    """
    import pandas

    table = frame.to_pandas() if hasattr(frame, "to_pandas") else pandas.DataFrame(frame)
    table = _in_order(table, ids, what, word)
    if not table.shape[1]:
        raise ResponsesError(
            f"{word.capitalize()} need at least one column.", "Got none.", f"Leave {word} out."
        )
    names: list[str] = []
    columns: list[Array] = []
    for name in table.columns:
        own_names, own = _terms(str(name), table[name], what, word)
        names += own_names
        columns += own
    values = np.column_stack(columns).astype(float)
    centres, units = values.mean(axis=0), values.std(axis=0)
    found = Covariates(tuple(names), (values - centres) / np.maximum(units, 1e-300), centres, units)
    _refuse_dependent(found, what, word)
    return found


def _in_order(table: Any, ids: tuple[str, ...], what: str, word: str) -> Any:
    if what in table.columns:
        table = table.set_index(what)
    table.index = table.index.map(str)
    if set(ids) <= set(table.index):
        if table.index.has_duplicates:
            raise ResponsesError(
                f"{word.capitalize()} need one row per {what}.",
                f"{table.index[table.index.duplicated()][0]!r} has several.",
                "Keep one of them.",
            )
        return table.loc[list(ids)]
    if len(table) != len(ids):
        raise ResponsesError(
            f"{word.capitalize()} need one row per {what}.",
            f"Got {len(table)} rows for {len(ids)} {what}s.",
            f"Give rows in their order, or with a column {what!r} of their ids.",
        )
    return table


def _terms(name: str, column: Any, what: str, word: str) -> tuple[list[str], list[Array]]:
    if column.isna().any():
        raise ResponsesError(
            f"{word.capitalize()} must be known for each {what}.",
            f"{name!r} is missing for {int(column.isna().sum())} of {len(column)}.",
            f"Fill them in, or drop these {what}s with responses.select({what}s=...).",
        )
    if column.dtype.kind in "iufb":
        return [name], [column.to_numpy(dtype=float)]
    if column.dtype.kind == "M":
        # Years: a slope per nanosecond is nothing that people read.
        days = column.to_numpy().astype("datetime64[D]").astype(float)
        return [f"{name} (years)"], [days / 365.25]
    levels: Sequence[object] = list(dict.fromkeys(column.tolist()))
    if len(levels) > _MOST_LEVELS:
        raise ResponsesError(
            f"{word.capitalize()} of names may have at most {_MOST_LEVELS} different ones each.",
            f"{name!r} has {len(levels)}.",
            "Join rare ones, or give numbers.",
        )
    values = column.to_numpy()
    return (
        [f"{name}[{level}]" for level in levels[1:]],
        [np.asarray(values == level, dtype=float) for level in levels[1:]],
    )


def _refuse_dependent(found: Covariates, what: str, word: str) -> None:
    flat = [name for name, unit in zip(found.names, found.units, strict=True) if unit < 1e-12]
    if flat:
        raise ResponsesError(
            f"{word.capitalize()} must differ between {what}s.",
            f"{flat[0]!r} is the same for all.",
            "Leave it out.",
        )
    if np.linalg.matrix_rank(found.values) < len(found.names):
        raise ResponsesError(
            f"{word.capitalize()} must not follow from one another.",
            f"Of {', '.join(map(repr, found.names[:6]))} one is a sum of multiples of others.",
            "Leave one of them out.",
        )
