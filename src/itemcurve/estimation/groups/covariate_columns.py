"""One column of a table as terms of a regression: a number, or a switch for each further name."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np

from itemcurve.errors import ResponsesError
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes

if TYPE_CHECKING:
    import pandas

Terms = Annotated[Array, axes("rows terms")]
_MOST_LEVELS = 30
_DAYS_OF_A_YEAR = 365.25


@dataclass(frozen=True)
class Rows:
    """What the rows of a table are of, and what its columns are called."""

    what: str = "respondent"
    word: str = "covariates"

    def refuse(self, must_hold: str, given: str, advice: str) -> ResponsesError:
        """Say what is wrong with them."""
        return ResponsesError(f"{self.word.capitalize()} {must_hold}", given, advice)


@dataclass(frozen=True)
class CovariateColumn:
    """A column, and how its cells become numbers.

    Attributes
    ----------
    name : of the column.
    kind : numbers as they are, dates in years, or names.
    levels : of names, in order of appearance; each but the first is a term.
    """

    name: str
    kind: Literal["numbers", "years", "names"]
    levels: tuple[str, ...] = ()

    @property
    def terms(self) -> tuple[str, ...]:
        """What its terms are called."""
        if self.kind == "names":
            return tuple(f"{self.name}[{level}]" for level in self.levels[1:])
        return (f"{self.name} (years)" if self.kind == "years" else self.name,)

    def read(self, column: "pandas.Series", rows: Rows) -> Terms:
        """Give its terms in another table that has it.

        Parameters
        ----------
        column : the cells, none of them missing.
        rows : what they are of.
        """
        _refuse_missing(column, self.name, rows)
        if self.kind == "names":
            cells = column.map(str).to_numpy()
            strange = [cell for cell in cells if cell not in self.levels]
            if strange:
                raise rows.refuse(
                    "of names must be among those of the fit.",
                    f"{self.name!r} has {strange[0]!r}, not one of {', '.join(self.levels[:8])}.",
                    "Leave these rows out, or fit with such ones.",
                )
            return np.column_stack([cells == level for level in self.levels[1:]]).astype(float)
        return self._numbers(column, rows)[:, None]

    def _numbers(self, column: "pandas.Series", rows: Rows) -> Array:
        try:
            if self.kind == "years":
                # Years: a slope per nanosecond is nothing that people read.
                days = column.to_numpy(dtype="datetime64[D]")
                numbers = days.astype(float) / _DAYS_OF_A_YEAR
            else:
                numbers = column.to_numpy(dtype=float)
        except (TypeError, ValueError) as error:
            kind = "dates" if self.kind == "years" else "numbers"
            raise rows.refuse(
                f"must be {kind} where those of the fit are.",
                f"{self.name!r} is of type {column.dtype}.",
                f"Give {kind}.",
            ) from error
        is_infinite = ~np.isfinite(numbers)
        if is_infinite.any():
            raise rows.refuse(
                f"must be finite for each {rows.what}.",
                f"{self.name!r} is not for {int(is_infinite.sum())} of {len(column)}.",
                f"Correct them, or drop these {rows.what}s.",
            )
        return numbers


def describe_column(column: "pandas.Series", rows: Rows) -> CovariateColumn:
    """Say how the cells of a column become numbers.

    Parameters
    ----------
    column : of the table that is fitted.
    rows : what its cells are of.
    """
    name = str(column.name)
    _refuse_missing(column, name, rows)
    if column.dtype.kind in "iufb":
        return CovariateColumn(name, "numbers")
    if column.dtype.kind == "M":
        return CovariateColumn(name, "years")
    levels = tuple(dict.fromkeys(column.map(str)))
    if len(levels) > _MOST_LEVELS:
        raise rows.refuse(
            f"of names may have at most {_MOST_LEVELS} different ones each.",
            f"{name!r} has {len(levels)}.",
            "Join rare ones, or give numbers.",
        )
    if len(levels) < 2:
        raise refuse_flat(name, rows)
    return CovariateColumn(name, "names", levels)


def refuse_flat(name: str, rows: Rows) -> ResponsesError:
    """Say that a column tells nobody apart."""
    return rows.refuse(
        f"must differ between {rows.what}s.", f"{name!r} is the same for all.", "Leave it out."
    )


def _refuse_missing(column: "pandas.Series", name: str, rows: Rows) -> None:
    if column.isna().any():
        raise rows.refuse(
            f"must be known for each {rows.what}.",
            f"{name!r} is missing for {int(column.isna().sum())} of {len(column)}.",
            f"Fill them in, or drop these {rows.what}s with responses.select({rows.what}s=...).",
        )
