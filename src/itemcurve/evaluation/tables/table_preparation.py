"""Tables made fit for any estimator: gaps filled, categories spread, numbers on one scale."""

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from itemcurve.evaluation.collecting.features import has_gaps
from itemcurve.evaluation.collecting.splits import Fold, Split
from itemcurve.evaluation.pools.pool import Pool
from itemcurve.evaluation.tables.table_columns import TableColumns, sort_columns

if TYPE_CHECKING:
    import pandas


def prepare_tables(pool: Pool, split: Split) -> tuple[Pool, Split, tuple[str, ...]]:
    """Prepare the tables of all folds, each as its training part says.

    Pipelines prepare for themselves and must see the table as it is; where there are some, every
    other estimator gets a preparation of its own instead.

    Returns
    -------
    The pool, the folds, and what was decided about the columns, in words.
    """
    from sklearn.pipeline import Pipeline

    if not hasattr(split.folds[0].X_train, "iloc"):
        return pool, split, ()
    columns = sort_columns(split.folds[0].X_train)
    if not (columns.numbers or columns.few or columns.many or columns.dates):
        return pool, split, ()
    first, numbers = split.folds[0], list(columns.numbers)
    is_gapped = any(has_gaps(part[numbers]) for part in (first.X_train, first.X_test))
    notes = describe_columns(columns, is_gapped)
    if not any(isinstance(estimator, Pipeline) for estimator in pool.estimators):
        try:
            # Once for all estimators: for quick ones it takes longer than their training.
            folds = tuple(_prepare_fold(fold, columns) for fold in split.folds)
            return pool, replace(split, folds=folds), notes
        except (TypeError, ValueError):
            # Told as the failure of every estimator, below.
            pass
    members = tuple(_prepared(estimator, columns) for estimator in pool.estimators)
    return Pool(pool.names, members, pool.references), split, notes


def _prepare_fold(fold: Fold, columns: TableColumns) -> Fold:
    preparation = build_preparation(columns)
    with warnings.catch_warnings():
        # A column without a value in this training part is dropped there, as it must be.
        warnings.filterwarnings("ignore", "Skipping features without any observed values")
        train = preparation.fit_transform(fold.X_train)
        return replace(fold, X_train=train, X_test=preparation.transform(fold.X_test))


def describe_columns(columns: TableColumns, is_gapped: bool) -> tuple[str, ...]:
    """Say what becomes of the columns; of gaps only where numbers have some."""
    numeric = "numeric: gaps filled by the median, scaled" if is_gapped else "numeric: scaled"
    notes = [f"Column {name!r} is left out: {reason}." for name, reason in columns.left_out]
    kinds = (
        (columns.numbers, numeric),
        (columns.few, "categorical: one column each"),
        (columns.many, "of many categories: ordered by name, scaled"),
        (columns.dates, "dates: seconds, scaled"),
    )
    notes += [f"{len(names)} {words}." for names, words in kinds if names]
    return tuple(notes)


def build_preparation(columns: TableColumns) -> Any:
    """Give a scikit-learn transformer for these columns.

    Numbers: gaps filled by the median, then scaled to mean 0 and variance 1. Up to 20 categories:
    one column each, gaps as a category of their own, unknown ones as none. More: their rank by
    name, unknown ones below, scaled. Dates: seconds, treated as numbers. All else is dropped.
    """
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import (
        FunctionTransformer,
        OneHotEncoder,
        OrdinalEncoder,
        StandardScaler,
    )

    numbers = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    texts = FunctionTransformer(_as_text)
    spread = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    ranks = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
    parts = [
        ("numbers", numbers, list(columns.numbers)),
        ("few", make_pipeline(texts, spread), list(columns.few)),
        ("many", make_pipeline(texts, ranks, StandardScaler()), list(columns.many)),
        ("dates", make_pipeline(FunctionTransformer(_as_seconds), numbers), list(columns.dates)),
    ]
    return ColumnTransformer([part for part in parts if part[2]])


def _prepared(estimator: Any, columns: TableColumns) -> Any:
    from sklearn.pipeline import Pipeline, make_pipeline

    if isinstance(estimator, Pipeline):
        return estimator
    return make_pipeline(build_preparation(columns), estimator)


def _as_text(table: "pandas.DataFrame") -> Any:
    """Categories as text, gaps included: mixed kinds cannot be sorted."""
    return table.astype(object).where(table.notna(), "(missing)").astype(str).to_numpy(dtype=object)


def _as_seconds(table: "pandas.DataFrame") -> Any:
    found = np.full(table.shape, np.nan)
    for place, name in enumerate(table.columns):
        column = table[name]
        present = column.notna().to_numpy()
        # Whatever unit and zone a date has, its distance to another one is in seconds.
        origin = column[present].iloc[0] * 0 if column.dtype.kind == "m" else _epoch(column)
        found[present, place] = (column[present] - origin).dt.total_seconds()
    return found


def _epoch(column: "pandas.Series") -> Any:
    import pandas

    return pandas.Timestamp(0, tz=getattr(column.dtype, "tz", None))
