"""The IRT confusion matrix: what the hits and misses of a classifier are made of."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.confusion.error_kinds import list_errors, say_errors
from itemcurve.analysis.confusion.item_scores import ItemScores, item_scores
from itemcurve.analysis.confusion.malformed_items import list_malformed
from itemcurve.analysis.evaluated_fits import takes_evaluations
from itemcurve.analysis.items.item_direction import judge_directions
from itemcurve.bank.ability_estimation import ScoringMethod
from itemcurve.bank.item_bank import Bank
from itemcurve.errors import EvaluationError
from itemcurve.estimation.result import FitResult
from itemcurve.models.parameters import Role
from itemcurve.numerics.engine import Array
from itemcurve.responses.matrix import Responses

if TYPE_CHECKING:
    import pandas

# With more classes a matrix of panels is unreadable: errors of a class are put together.
MOST_FOR_MATRIX = 4


@dataclass(frozen=True, eq=False)
class Confusion:
    """Items sorted into the cells of each classifier's confusion matrix.

    Attributes
    ----------
    bank : the calibrated items, in the order of the arrays.
    parameters : `discrimination`, `difficulty` and, where the model has it, `guessing` per item.
    classes : names; `positive` is the position of the positive one, of two.
    y_true, y_pred : positions of classes (items; respondents × items).
    scores : abilities, True Score and Total Score of the classifiers.
    cells : position in `cell_names` (respondents × items).
    pool_right : share of the calibrating respondents that hit each item.
    pool_p_values : of malformed items, that by chance alone those of the pool who miss them are so
        much abler than those who hit them; NaN of other items, and where all or none hit.
    """

    bank: Bank
    parameters: Mapping[str, Array]
    classes: tuple[str, ...]
    positive: int
    y_true: NDArray[np.integer]
    y_pred: NDArray[np.integer]
    scores: ItemScores
    cells: NDArray[np.int64]
    pool_right: Array
    pool_p_values: Array

    @property
    def respondents(self) -> tuple[str, ...]:
        """Names of the classifiers."""
        return self.scores.respondents

    @cached_property
    def cell_names(self) -> tuple[str, ...]:
        """TP, FP, FN, TN; "a as b" up to four classes; "hits of a", "errors of a" beyond."""
        return name_cells(self.classes)

    @cached_property
    def is_right(self) -> NDArray[np.bool_]:
        """Whether each classifier named the given class (respondents × items)."""
        return np.asarray(self.y_pred == self.y_true)

    @cached_property
    def is_malformed(self) -> NDArray[np.bool_]:
        """Items with negative discrimination: the abler, the likelier to be counted wrong."""
        return np.asarray(self.parameters["discrimination"] < 0)

    @cached_property
    def chances(self) -> Array:
        """Probability of a right answer at each classifier's ability (respondents × items)."""
        return self.bank.expected_response(self.scores.abilities.ability)

    @cached_property
    def information(self) -> Array:
        """Information of each item at each classifier's ability (respondents × items)."""
        return self.bank.information(self.scores.abilities.ability)

    def frame(self) -> "pandas.DataFrame":
        """One row per classifier and cell: means over the items in it.

        `total_score` is the mean of P over hits and of −(1 − P) over misses; `negative_share` the
        share of items with negative discrimination. Empty cells have NaN.
        """
        import pandas

        rows = [
            self._describe(place, cell)
            for place in range(len(self.respondents))
            for cell in range(len(self.cell_names))
        ]
        return pandas.DataFrame(rows)

    def members(self, respondent: str, cell: str) -> tuple[str, ...]:
        """Name the items in one cell of one classifier."""
        place = self.respondents.index(respondent)
        inside = self.cells[place] == self.cell_names.index(cell)
        return tuple(self.bank.items[i] for i in np.flatnonzero(inside))

    def agreed_items(self) -> "pandas.DataFrame":
        """List malformed items that every classifier hits: hits that speak for nobody."""
        import pandas

        found = np.flatnonzero(self.is_malformed & self.is_right.all(axis=0))
        return pandas.DataFrame(
            {
                "item": [self.bank.items[i] for i in found],
                "class": [self.classes[self.y_true[i]] for i in found],
                "discrimination": self.parameters["discrimination"][found],
                "difficulty": self.parameters["difficulty"][found],
            }
        )

    def malformed_items(self) -> "pandas.DataFrame":
        """List items with negative discrimination, the surest first, and where to find them.

        See `itemcurve.analysis.confusion.malformed_items.list_malformed`.
        """
        return list_malformed(self)

    def errors(self) -> "pandas.DataFrame":
        """List every error with its row and its kind: the classifier's own, shared, or in doubt.

        See `itemcurve.analysis.confusion.error_kinds.list_errors`.
        """
        return list_errors(self)

    def say(self) -> tuple[str, ...]:
        """Say of each classifier what its errors are made of, a text each."""
        return say_errors(self)

    def _describe(self, place: int, cell: int) -> dict[str, Any]:
        inside = self.cells[place] == cell
        worth = self.chances[place] - ~self.is_right[place]
        columns = {
            **self.parameters,
            "total_score": worth,
            "information": self.information[place],
            "negative_share": self.is_malformed,
        }
        means = {
            name: float(values[inside].mean()) if inside.any() else np.nan
            for name, values in columns.items()
        }
        head = {"respondent": self.respondents[place], "cell": self.cell_names[cell]}
        return {**head, "items": int(inside.sum()), **means}

    def __repr__(self) -> str:
        return (
            f"Confusion({len(self.respondents)} classifiers, {len(self.bank)} items, "
            f"{len(self.classes)} classes, {int(self.is_malformed.sum())} malformed items)"
        )


@takes_evaluations
def confusion(
    fit: FitResult,
    y_true: Iterable[object],
    y_pred: Iterable[object] | Mapping[str, Iterable[object]],
    *,
    items: Iterable[str] | None = None,
    positive: object = None,
    method: ScoringMethod = "eap",
) -> Confusion:
    """Open the confusion matrix of classifiers: which items are in each cell, and what they are.

    The classifiers are scored against the frozen items of the fit; they need not be, and for an
    honest picture should not be, among its respondents.

    Parameters
    ----------
    fit : a calibration of right and wrong answers.
    y_true : the class given to each item.
    y_pred : the class that a classifier names for each item, or a dict of such by name.
    items : ids of the items, in the order of the labels; those of the fit when left out.
    positive : with two classes, the positive one; the second in sorted order when left out.
    method : how abilities are estimated, as for `score`.

    Examples
    --------
    >>> import numpy as np
    >>> import itemcurve as ic
    >>> truth = ic.simulate("2pl", respondents=100, items=30, seed=1)
    >>> fit = ic.fit(truth.responses, "2pl")
    >>> y_true = np.arange(30) % 2
    >>> ic.confusion(fit, y_true, y_true ^ (np.arange(30) < 4)).frame()["items"].tolist()
    [13, 2, 2, 13]
    """
    _check_answers(fit)
    names = tuple(fit.bank.items if items is None else items)
    named = y_pred if isinstance(y_pred, Mapping) else {"classifier": y_pred}
    labels = [_as_text(y_true, "y_true", len(names))]
    labels += [_as_text(values, name, len(names)) for name, values in named.items()]
    classes, codes = _code_labels(labels)
    answers = Responses.from_array((codes[1:] == codes[0]).astype(np.int8), list(named), names)
    place = _positive(classes, positive)
    bank = fit.bank.select(names)
    known = {item: index for index, item in enumerate(fit.bank.items)}
    order = [known[name] for name in names]
    parameters = _parameters(fit, order)
    return Confusion(
        bank,
        parameters,
        classes,
        place,
        codes[0],
        codes[1:],
        item_scores(bank, answers, method=method),
        find_cells(codes[0], codes[1:], len(classes), place),
        np.asarray(fit.responses.means(axis=0))[order],
        judge_directions(fit.responses, names, parameters["discrimination"] < 0),
    )


def _check_answers(fit: FitResult) -> None:
    """Raise unless the fit is of right and wrong answers, of which the pool's shares are read."""
    family = fit.estimates.model.family
    if family.is_continuous or family.is_quasi:
        raise EvaluationError(
            "A confusion matrix is opened by a fit of right and wrong answers;",
            f"this one is of {fit.model}, whose responses are no answers.",
            'Evaluate with response="correct" (--response correct) for it.',
        )


def name_cells(classes: Sequence[str]) -> tuple[str, ...]:
    """Name the cells: TP, FP, FN, TN; each true and predicted class; or hits and errors of each."""
    if len(classes) == 2:
        return ("TP", "FP", "FN", "TN")
    if len(classes) <= MOST_FOR_MATRIX:
        return tuple(f"{true} as {named}" for true in classes for named in classes)
    return tuple(f"{what} of {name}" for name in classes for what in ("hits", "errors"))


def find_cells(
    y_true: NDArray[np.integer], y_pred: NDArray[np.integer], classes: int, positive: int
) -> NDArray[np.int64]:
    """Give each item's position in `name_cells` (respondents × items).

    Parameters
    ----------
    y_true, y_pred : positions of classes (items; respondents × items).
    positive : with two classes, the one that counts as positive.
    """
    if classes == 2:
        is_given, is_chosen = y_true == positive, y_pred == positive
        # TP 0, FP 1, FN 2, TN 3.
        return np.asarray(2 * (~is_chosen).astype(int) + ~is_given, dtype=np.int64)
    if classes <= MOST_FOR_MATRIX:
        return np.asarray(y_true * classes + y_pred, dtype=np.int64)
    return np.asarray(2 * y_true + (y_true != y_pred), dtype=np.int64)


def _parameters(fit: FitResult, order: list[int]) -> dict[str, Array]:
    """Reported item parameters in this order; guessing only where the model has it."""
    found = {
        "discrimination": np.asarray(fit.slopes.values)[order],
        "difficulty": np.asarray(fit.locations.values)[order],
    }
    guessing = fit.estimates.column(Role.ASYMPTOTE)
    # A guessing that is held, as in a 2PL, tells nothing about the items.
    if guessing is not None and np.ptp(guessing.values) > 0:
        found["guessing"] = np.asarray(guessing.values)[order]
    return found


def _as_text(values: Iterable[object], name: str, expected: int) -> list[str]:
    listed = values.tolist() if isinstance(values, np.ndarray) else list(values)
    found = [str(value) for value in listed]
    if len(found) != expected:
        raise EvaluationError(
            f"There must be one label per item, {expected};",
            f"{name!r} has {len(found)}.",
            "Give labels in the order of the items of the fit, or name the items with `items`.",
        )
    return found


def _code_labels(labels: list[list[str]]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Give the classes in order, and each label's position among them."""
    classes = tuple(sorted(set().union(*labels), key=_sort_key))
    if len(classes) < 2:
        raise EvaluationError(
            "Labels must name at least two classes;",
            f"all are {classes[0]!r}.",
            "Give the labels, not whether they are right.",
        )
    place = {name: index for index, name in enumerate(classes)}
    return classes, np.array([[place[label] for label in row] for row in labels])


def _sort_key(label: str) -> tuple[int, float, str]:
    """Numbers by value before text by letters, so that class 10 comes after class 2."""
    try:
        return (0, float(label), label)
    except ValueError:
        return (1, 0.0, label)


def _positive(classes: tuple[str, ...], positive: object) -> int:
    if positive is None:
        return 1
    if str(positive) not in classes:
        raise EvaluationError(
            "The positive class must be one of the labels;",
            f"given is {positive!r}, the labels are {', '.join(classes[:5])}.",
            "Name one of them.",
        )
    return classes.index(str(positive))
