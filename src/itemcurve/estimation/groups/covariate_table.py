"""Covariates of respondents, or features of items, as columns of numbers."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from itemcurve.estimation.groups.covariate_columns import (
    CovariateColumn,
    Rows,
    Terms,
    describe_column,
    refuse_flat,
)
from itemcurve.numerics.engine import Array

if TYPE_CHECKING:
    import pandas

# Less of a spread than this, beside the numbers themselves, is lost in their rounding.
_FLAT = 1e-12
# Beyond these a variance, or a coefficient's, is no number any more.
_LEAST_UNIT, _LARGEST_UNIT = 1e-100, 1e100


@dataclass(frozen=True, eq=False)
class Covariates:
    """Covariates, centred and in units of their standard deviation.

    Attributes
    ----------
    names : of the terms: a column's name, or `column[level]` for each level beyond the first.
    values : respondents × terms.
    centres, units : what was taken away from each term, and what it was divided by.
    columns : how they were made; unknown of what was saved.
    """

    names: tuple[str, ...]
    values: Array
    centres: Array
    units: Array
    columns: tuple[CovariateColumn, ...] = ()

    def of(self, table: "pandas.DataFrame", rows: Rows) -> Terms:
        """Give the same terms, centred and in the same units, in another table.

        Parameters
        ----------
        table : with at least the columns of the fit.
        rows : what its rows are of.
        """
        for column in self.columns:
            if column.name not in table.columns:
                raise rows.refuse(
                    "must be those of the fit.",
                    f"There is no column {column.name!r} among "
                    f"{', '.join(map(str, table.columns))}.",
                    "Add it.",
                )
        read = [column.read(table[column.name], rows) for column in self.columns]
        return np.asarray((np.column_stack(read) - self.centres) / self.units)


def no_covariates(n_respondents: int) -> Covariates:
    """None at all."""
    return Covariates((), np.zeros((n_respondents, 0)), np.zeros(0), np.zeros(0))


def read_covariates(frame: Any, ids: tuple[str, ...], rows: Rows | None = None) -> Covariates:
    """Read a table with one row per respondent, or per item.

    Parameters
    ----------
    frame : a pandas or polars DataFrame or a mapping from names to columns. Rows are found by a
        column named as what they are of, or an index of their ids, where there is one; else they
        are taken in order.
    rows : what they are of; respondents when left out.
    """
    rows = rows or Rows()
    table = _in_order(as_table(frame, rows), ids, rows, has_index=hasattr(frame, "index"))
    if not table.shape[1]:
        raise rows.refuse("need at least one column.", "Got none.", f"Leave {rows.word} out.")
    columns = tuple(describe_column(table[name], rows) for name in table.columns)
    values = np.column_stack(
        [own.read(table[name], rows) for own, name in zip(columns, table.columns, strict=True)]
    )
    names = tuple(term for own in columns for term in own.terms)
    centres, units = _moments(values, names, rows)
    found = Covariates(names, (values - centres) / units, centres, units, columns)
    _refuse_dependent(found, rows)
    return found


def as_table(frame: Any, rows: Rows) -> "pandas.DataFrame":
    """Take a table of any kind, or a mapping of columns, as one of pandas.

    Parameters
    ----------
    rows : what its rows are of.
    """
    import pandas

    try:
        table = frame.to_pandas() if hasattr(frame, "to_pandas") else pandas.DataFrame(frame)
    except (TypeError, ValueError, OverflowError) as error:
        raise rows.refuse(
            f"come as a table with one row per {rows.what}.",
            f"Got a {type(frame).__name__} that is none: {error}.",
            "Give a DataFrame, or a mapping from names to columns of equal length.",
        ) from error
    table = table.set_axis(table.columns.map(str), axis=1)
    if table.columns.has_duplicates:
        name = table.columns[table.columns.duplicated()][0]
        raise rows.refuse(
            "need a name of its own for each column.", f"{name!r} stands twice.", "Rename one."
        )
    return table


def _in_order(
    table: "pandas.DataFrame", ids: tuple[str, ...], rows: Rows, *, has_index: bool
) -> "pandas.DataFrame":
    """Rows by their ids where there are ids, be it that some are others; else as they come."""
    is_named = rows.what in table.columns
    if is_named:
        table = table.set_index(rows.what)
    is_named |= has_index and table.index.dtype.kind not in "iufb"
    table.index = table.index.map(str)
    if (is_named or has_index) and set(ids) <= set(table.index):
        if table.index.has_duplicates:
            raise rows.refuse(
                f"need one row per {rows.what}.",
                f"{table.index[table.index.duplicated()][0]!r} has several.",
                "Keep one of them.",
            )
        return table.loc[list(ids)]
    if is_named:
        missing = [name for name in ids if name not in set(table.index)]
        raise rows.refuse(
            f"need one row per {rows.what}.",
            f"{len(missing)} of {len(ids)} have none, the first is {missing[0]!r}.",
            f"Add them, or drop these {rows.what}s with responses.select({rows.what}s=...).",
        )
    if len(table) != len(ids):
        raise rows.refuse(
            f"need one row per {rows.what}.",
            f"Got {len(table)} rows for {len(ids)} {rows.what}s.",
            f"Give rows in their order, or with a column {rows.what!r} of their ids.",
        )
    return table


def _moments(values: Terms, names: tuple[str, ...], rows: Rows) -> tuple[Array, Array]:
    """Centres and units of terms that are neither all the same nor beyond all measure."""
    largest = np.abs(values).max(axis=0)
    sizes = np.where(largest > 0, largest, 1.0)
    # Squares of numbers as they are may be beyond the largest.
    centres, units = sizes * (values / sizes).mean(axis=0), sizes * (values / sizes).std(axis=0)
    for name, unit, size in zip(names, units, largest, strict=True):
        if unit <= _FLAT * size:
            raise refuse_flat(name, rows)
        if not _LEAST_UNIT <= unit <= _LARGEST_UNIT:
            raise rows.refuse(
                f"must have a standard deviation between {_LEAST_UNIT:g} and {_LARGEST_UNIT:g}.",
                f"That of {name!r} is {unit:.3g}.",
                "Give it in another unit.",
            )
    return centres, units


def _refuse_dependent(found: Covariates, rows: Rows) -> None:
    if np.linalg.matrix_rank(found.values) < len(found.names):
        raise rows.refuse(
            "must not follow from one another.",
            f"Of {', '.join(map(repr, found.names[:6]))} one is a sum of multiples of others.",
            "Leave one of them out.",
        )
