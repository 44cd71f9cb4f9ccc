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


def read_covariates(frame: Any, respondents: tuple[str, ...]) -> Covariates:
    """Read a table with one row per respondent.

    Parameters
    ----------
    frame : a pandas or polars DataFrame or a mapping from names to columns. Rows are found by a
        column `respondent` or an index of their ids where there is one, else taken in order.
    """
    import pandas

    table = frame.to_pandas() if hasattr(frame, "to_pandas") else pandas.DataFrame(frame)
    table = _in_order(table, respondents)
    if not table.shape[1]:
        raise ResponsesError(
            "Covariates need at least one column.", "Got none.", "Leave covariates out."
        )
    names: list[str] = []
    columns: list[Array] = []
    for name in table.columns:
        own_names, own = _terms(str(name), table[name])
        names += own_names
        columns += own
    values = np.column_stack(columns).astype(float)
    centres, units = values.mean(axis=0), values.std(axis=0)
    found = Covariates(tuple(names), (values - centres) / np.maximum(units, 1e-300), centres, units)
    _refuse_dependent(found)
    return found


def _in_order(table: Any, respondents: tuple[str, ...]) -> Any:
    if "respondent" in table.columns:
        table = table.set_index("respondent")
    table.index = table.index.map(str)
    if set(respondents) <= set(table.index):
        if table.index.has_duplicates:
            raise ResponsesError(
                "Covariates need one row per respondent.",
                f"{table.index[table.index.duplicated()][0]!r} has several.",
                "Keep one of them.",
            )
        return table.loc[list(respondents)]
    if len(table) != len(respondents):
        raise ResponsesError(
            "Covariates need one row per respondent.",
            f"Got {len(table)} rows for {len(respondents)} respondents.",
            "Give rows in their order, or with a column 'respondent' of their ids.",
        )
    return table


def _terms(name: str, column: Any) -> tuple[list[str], list[Array]]:
    if column.isna().any():
        raise ResponsesError(
            "Covariates must be known for each respondent.",
            f"{name!r} is missing for {int(column.isna().sum())} of {len(column)}.",
            "Fill them in, or drop these respondents with responses.select(respondents=...).",
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
            f"A covariate of names may have at most {_MOST_LEVELS} different ones.",
            f"{name!r} has {len(levels)}.",
            "Join rare ones, or give numbers.",
        )
    values = column.to_numpy()
    return (
        [f"{name}[{level}]" for level in levels[1:]],
        [np.asarray(values == level, dtype=float) for level in levels[1:]],
    )


def _refuse_dependent(found: Covariates) -> None:
    flat = [name for name, unit in zip(found.names, found.units, strict=True) if unit < 1e-12]
    if flat:
        raise ResponsesError(
            "A covariate must differ between respondents.",
            f"{flat[0]!r} is the same for all.",
            "Leave it out.",
        )
    if np.linalg.matrix_rank(found.values) < len(found.names):
        raise ResponsesError(
            "Covariates must not follow from one another.",
            f"Of {', '.join(map(repr, found.names[:6]))} one is a sum of multiples of others.",
            "Leave one of them out.",
        )
