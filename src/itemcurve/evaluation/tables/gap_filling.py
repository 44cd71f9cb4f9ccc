"""Gaps in tables of numbers, filled for estimators that cannot take them."""

from dataclasses import replace
from typing import Any

import numpy as np

from itemcurve.evaluation.collecting.features import has_gaps
from itemcurve.evaluation.collecting.splits import Fold, Split
from itemcurve.evaluation.pools.pool import Pool

_MOST_NAMED = 3


def fill_gaps(pool: Pool, split: Split) -> tuple[Pool, Split, tuple[str, ...]]:
    """Put the median in place of gaps for estimators that cannot take any, where there are gaps.

    Pipelines prepare for themselves, and estimators that say they take gaps see them as they are.

    Returns
    -------
    The pool, the folds, and what was done, in words.
    """
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import Pipeline, make_pipeline

    if not any(has_gaps(part) for fold in split.folds for part in (fold.X_train, fold.X_test)):
        return pool, split, ()
    members, filled = [], []
    for name, estimator in pool:
        if isinstance(estimator, Pipeline) or _takes_gaps(estimator):
            members.append(estimator)
            continue
        imputer = SimpleImputer(strategy="median", keep_empty_features=True)
        members.append(make_pipeline(imputer, estimator))
        filled.append(name)
    if not filled:
        return pool, split, ()
    named = ", ".join(filled[:_MOST_NAMED]) + (", …" if len(filled) > _MOST_NAMED else "")
    note = f"Gaps are filled by the median of the rows trained on, for: {named}."
    return Pool(pool.names, tuple(members), pool.references), split, (note,)


def as_tables(split: Split) -> Split:
    """Give arrays of numbers as tables, which can be prepared; whatever else stays as it is."""
    return replace(split, folds=tuple(_as_table(fold) for fold in split.folds))


def _as_table(fold: Fold) -> Fold:
    import pandas

    is_array = isinstance(fold.X_train, np.ndarray) and fold.X_train.ndim == 2
    if not is_array:
        return fold
    train, test = (pandas.DataFrame(part) for part in (fold.X_train, fold.X_test))
    if fold.X_train.dtype == object:
        train, test = train.infer_objects(), test.infer_objects()
    return replace(fold, X_train=train, X_test=test)


def _takes_gaps(estimator: Any) -> bool:
    from sklearn.utils import get_tags

    try:
        return bool(get_tags(estimator).input_tags.allow_nan)
    except (AttributeError, TypeError, ValueError):
        # Objects that only look like estimators carry no tags.
        return False
