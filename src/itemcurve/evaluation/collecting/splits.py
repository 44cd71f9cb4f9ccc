"""Which rows train and which are predicted: one hold-out, folds, or none where all are trained."""

from dataclasses import dataclass, replace
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import EvaluationError
from itemcurve.evaluation.collecting.copied_rows import (
    leave_out_copies,
    note_copies,
    number_copies,
)
from itemcurve.evaluation.collecting.features import (
    as_rows,
    check_columns,
    row_names,
    take_rows,
)
from itemcurve.evaluation.collecting.fold_choice import Rows, choose_folds
from itemcurve.evaluation.collecting.part_checks import check_weights
from itemcurve.evaluation.collecting.targets import check_rows

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class Fold:
    """One training set, and the rows to predict after it.

    Attributes
    ----------
    X_train, y_train : None where estimators are trained already.
    rows : positions of the predicted rows among the items.
    weights : of the rows to train on; None where all count alike.
    repeat : which repetition of a cross-validation it belongs to.
    """

    X_train: Any
    y_train: NDArray[Any] | None
    X_test: Any
    rows: NDArray[np.intp]
    weights: NDArray[np.float64] | None = None
    repeat: int = 0


@dataclass(frozen=True, eq=False)
class Split:
    """All folds; those of one repetition predict every item, once or several times.

    Attributes
    ----------
    answers : the given answer to each item.
    index : names of the items where the features carry any.
    description : in words.
    items : row of the table that each item is; None where all rows are items.
    notes : what to know about rows that were predicted never or several times.
    """

    folds: tuple[Fold, ...]
    answers: NDArray[Any]
    index: tuple[str, ...] | None
    description: str
    items: NDArray[np.intp] | None = None
    notes: tuple[str, ...] = ()


def hold_out(
    X_train: Any, y_train: NDArray[Any], X_test: Any, y_test: NDArray[Any], weights: Any = None
) -> Split:
    """Train on one part, predict the other."""
    X_train, X_test = as_rows(X_train, "X_train"), as_rows(X_test, "X_test")
    check_rows(X_train, y_train, "X_train and y_train")
    check_rows(X_test, y_test, "X_test and y_test")
    check_columns(X_train, X_test)
    known = check_weights(weights, len(y_train))
    fold = Fold(X_train, y_train, X_test, np.arange(len(y_test)), known)
    words = f"hold-out, {len(y_train):,} rows to train and {len(y_test):,} to predict"
    return Split((fold,), y_test, row_names(X_test), words)


def ask_only(X_test: Any, y_test: NDArray[Any]) -> Split:
    """Predict rows by estimators that are trained already."""
    features = as_rows(X_test, "X_test")
    check_rows(features, y_test, "X_test and y_test")
    fold = Fold(None, None, features, np.arange(len(y_test)))
    words = f"estimators trained before, {len(y_test)} rows to predict"
    return Split((fold,), y_test, row_names(features), words)


def cross_validate(
    X: Any,
    y: NDArray[Any],
    cv: Any,
    *,
    is_stratified: bool,
    seed: int,
    groups: Any = None,
    weights: Any = None,
    repeats: int = 1,
) -> Split:
    """Predict rows by estimators that were trained without them.

    Parameters
    ----------
    cv : number of folds, a scikit-learn splitter, or pairs of rows. Rows that it never predicts
        are no items; of rows that it predicts several times the mean prediction counts.
    groups : one per row; rows of a group are never on both sides.
    weights : of rows, when they are trained on.
    repeats : how often all rows are parted anew.
    """
    check_repeats(repeats, cv)
    X = as_rows(X, "X")
    check_rows(X, y, "X and y")
    known = check_weights(weights, len(y))
    pairs, words = choose_folds(X, y, cv, groups, is_stratified=is_stratified, seed=seed)
    pairs, copied = _part_copies(X, pairs, is_ours=isinstance(cv, Integral))
    counts = np.bincount(np.concatenate([test for _, test in pairs]), minlength=len(y))
    items = np.flatnonzero(counts)
    places = np.cumsum(counts > 0) - 1
    folds = tuple(
        Fold(
            take_rows(X, train),
            y[train],
            take_rows(X, test),
            places[test],
            None if known is None else known[train],
        )
        for train, test in pairs
    )
    names = row_names(X)
    if names is not None:
        names = tuple(names[row] for row in items)
    some = None if len(items) == len(y) else items
    notes = (*_note_counts(counts), *copied)
    first = Split(folds, y[items], names, words, some, notes)
    for repeat in range(1, repeats):
        again = cross_validate(
            *(X, y, cv),
            is_stratified=is_stratified,
            seed=_seed_again(seed, repeat),
            groups=groups,
            weights=weights,
        )
        more = tuple(replace(fold, repeat=repeat) for fold in again.folds)
        first = replace(first, folds=(*first.folds, *more))
    return first if repeats == 1 else _told(first, repeats)


def _seed_again(seed: int, repeat: int) -> int:
    """A seed of each repetition's own: runs with neighbouring seeds share no folds."""
    return int(np.random.SeedSequence([seed, repeat]).generate_state(1)[0])


def _told(split: Split, repeats: int) -> Split:
    """Say what several repetitions are for."""
    note = (
        f"Labels are judged by {repeats} cross-validations together, each with other folds; all "
        "else is of the first."
    )
    words = split.description.replace(" folds", f" folds, {repeats} times", 1)
    return replace(split, description=words, notes=(*split.notes, note))


def check_repeats(repeats: Any, cv: Any, groups: Any = None) -> None:
    """Raise unless rows can be parted so many times."""
    if isinstance(repeats, bool) or not isinstance(repeats, int) or repeats < 1:
        raise EvaluationError(
            "repeats must be a whole number, 1 or more;",
            f"given is {repeats!r}.",
            "Use 3 if unsure.",
        )
    if repeats > 1 and groups is not None:
        raise EvaluationError(
            "Repetitions judge labels together, and where rows come in groups none is judged;",
            f"given are {repeats} repetitions and groups.",
            "Leave one of them out.",
        )
    if repeats > 1 and not isinstance(cv, Integral):
        given = "none" if cv is None else f"a {type(cv).__name__}"
        raise EvaluationError(
            "Only cross-validation with a number of folds can be repeated;",
            f"given is {given}.",
            "Add cv=5 (--cv 5), or leave repeats out.",
        )


def _part_copies(
    X: Any, pairs: list[tuple[Rows, Rows]], *, is_ours: bool
) -> tuple[list[tuple[Rows, Rows]], list[str]]:
    """Train on no copy of what is predicted; splits that somebody else made stay as they are."""
    copies = number_copies(X)
    if copies is None:
        return pairs, []
    apart = [(leave_out_copies(train, test, copies), test) for train, test in pairs]
    if all(len(one[0]) == len(other[0]) for one, other in zip(apart, pairs, strict=True)):
        return pairs, []
    is_left_out = is_ours and all(len(train) for train, _ in apart)
    return apart if is_left_out else pairs, [note_copies(copies, is_left_out=is_left_out)]


def refuse_partial(split: Split) -> None:
    """Raise unless every row is predicted exactly once."""
    predicted = sum(len(fold.rows) for fold in split.folds)
    if split.items is not None or predicted != len(split.answers):
        raise EvaluationError(
            "Folds must predict every row exactly once here;",
            f"this splitter predicts {len(split.answers)} different rows, {predicted} times in "
            "all.",
            "Use a number of folds, or KFold.",
        )


def _note_counts(counts: NDArray[np.intp]) -> tuple[str, ...]:
    notes = []
    never = int((counts == 0).sum())
    if never:
        notes.append(f"{never} of {len(counts)} rows are never predicted by this split: no items.")
    if counts.max() > 1:
        least, most = counts[counts > 0].min(), counts.max()
        times = f"{most}" if least == most else f"{least} to {most}"
        notes.append(
            f"Rows are predicted {times} times; the mean of these predictions counts, which may be "
            "a little better than any single one."
        )
    return tuple(notes)


def check_training(y: "pandas.Series", train: np.typing.NDArray[np.intp]) -> None:
    """Raise where a table with several classes leaves one to train on."""
    found = y.iloc[train].unique()
    if y.nunique() > 1 and len(found) == 1:
        raise EvaluationError(
            "The rows to train on must have two classes or more;",
            f"{len(train)} of {len(y)} rows are to train on, all of class {str(found[0])!r}.",
            "Add rows of the other classes.",
        )


def can_stratify(y: "pandas.Series", test_share: float) -> bool:
    """Whether every class is large enough to be in both parts."""
    counts = y.value_counts()
    smaller = min(test_share, 1 - test_share) * len(y)
    return bool(counts.min() >= 2 and smaller >= len(counts))
