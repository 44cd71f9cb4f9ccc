"""Perturbed inputs: numbers drawn around themselves, categories drawn anew."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import EvaluationError

if TYPE_CHECKING:
    import pandas

Perturbation = Callable[[Any, Any, np.random.Generator], Any]
"""Called with the rows to perturb, the training rows and a generator; gives the noisy rows."""


def perturb_features(
    X: Any,
    reference: Any,
    level: float,
    rng: np.random.Generator,
    *,
    columns: Sequence[Any] | None = None,
) -> Any:
    """Give all rows with noise in every feature; what is missing stays missing.

    A number x is drawn from N(x, (level · sd)²), with the sample standard deviation of its column
    in `reference`; whole numbers become fractions. A category t is drawn from
    p' = α·p + (1 − α)·t, with α = 1 − exp(−level) and p the frequencies in `reference`. Dates are
    numbers. Columns that are constant in `reference`, or that it has no value of, stay as they are.

    Parameters
    ----------
    X : array, table or sparse matrix (whose zeros are numbers like others: it becomes dense).
    reference : rows that standard deviations and frequencies come from: the training part.
    level : how much noise, from 0.
    columns : names, or positions in an array, of those to perturb; all when left out.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> train = np.array([[1.0, 5.0], [2.0, 5.0], [4.0, 5.0]])
    >>> perturb_features(train, train, 0.2, rng)[:, 1].tolist()
    [5.0, 5.0, 5.0]
    """
    check_level(level)
    if hasattr(X, "iloc"):
        return _perturb_table(X, reference, level, rng, columns)
    values, known = _dense(X), _dense(reference)
    if values.dtype.kind in "biuf" and known.dtype.kind in "biuf":
        return _perturb_numbers(values, known, level, rng, columns)
    import pandas

    table = pandas.DataFrame(values).infer_objects()
    known_table = pandas.DataFrame(known).infer_objects()
    return _perturb_table(table, known_table, level, rng, columns).to_numpy(dtype=object)


def check_level(level: float) -> None:
    """Raise unless the level of noise is a finite number from 0."""
    if not (level >= 0 and np.isfinite(level)):
        raise EvaluationError(
            "The level of noise must be a finite number from 0;",
            f"given is {level}.",
            "Use 0.2 for a fifth of a standard deviation.",
        )


def _dense(X: Any) -> NDArray[Any]:
    return np.asarray(X.toarray() if hasattr(X, "toarray") else X)


def _perturb_numbers(
    values: NDArray[Any],
    known: NDArray[Any],
    level: float,
    rng: np.random.Generator,
    columns: Sequence[Any] | None,
) -> NDArray[np.float64]:
    found = values.astype(np.float64)
    places = np.arange(found.shape[1]) if columns is None else np.asarray(columns, dtype=np.intp)
    spread = np.array([_spread(known[:, place]) for place in places])
    found[:, places] += rng.normal(size=(len(found), len(places))) * level * spread
    return found


def _perturb_table(
    table: "pandas.DataFrame",
    reference: "pandas.DataFrame",
    level: float,
    rng: np.random.Generator,
    columns: Sequence[Any] | None,
) -> "pandas.DataFrame":
    import pandas

    chosen = set(table.columns if columns is None else columns)
    unknown = sorted(map(str, chosen - set(table.columns)))
    if unknown:
        raise EvaluationError(
            "Columns to perturb must be columns of the table;",
            f"{unknown[0]!r} is none of them.",
            "Leave columns out to perturb all.",
        )
    parts = {
        name: _perturb_column(table[name], reference[name], level, rng)
        if name in chosen
        else table[name]
        for name in table.columns
    }
    return pandas.DataFrame(parts, index=table.index)


def _perturb_column(
    column: "pandas.Series", known: "pandas.Series", level: float, rng: np.random.Generator
) -> "pandas.Series":
    from pandas.api import types

    if types.is_bool_dtype(column) or not (
        types.is_numeric_dtype(column) or types.is_datetime64_any_dtype(column)
    ):
        return _redraw(column, known, level, rng)
    noise = rng.normal(size=len(column)) * level
    if types.is_numeric_dtype(column):
        return column.astype(np.float64) + noise * _spread(
            known.to_numpy(np.float64, na_value=np.nan)
        )
    import pandas

    origin = known.min()
    if pandas.isna(origin):
        return column
    seconds = (known - origin).dt.total_seconds().to_numpy(np.float64)
    return column + pandas.to_timedelta(noise * _spread(seconds), unit="s").as_unit("us")


def _spread(known: NDArray[Any]) -> float:
    """Sample standard deviation of what is there; 0 where fewer than two values are."""
    present = known[np.isfinite(known.astype(np.float64))].astype(np.float64)
    return float(present.std(ddof=1)) if present.size > 1 else 0.0


def _redraw(
    column: "pandas.Series", known: "pandas.Series", level: float, rng: np.random.Generator
) -> "pandas.Series":
    """Draw from p' in two steps: whether to draw anew, and if so from the frequencies."""
    anew = rng.random(len(column)) < 1 - np.exp(-level)
    present = known.dropna()
    if present.empty:
        return column
    drawn = present.take(rng.integers(len(present), size=len(column)))
    change = anew & column.notna().to_numpy()
    found = column.astype(object).to_numpy(copy=True)
    found[change] = drawn.astype(object).to_numpy()[change]
    import pandas

    redrawn = pandas.Series(found, index=column.index, name=column.name)
    if hasattr(column, "cat") and not set(redrawn.dropna()) <= set(column.cat.categories):
        return redrawn.astype("category")
    return redrawn.astype(column.dtype)
