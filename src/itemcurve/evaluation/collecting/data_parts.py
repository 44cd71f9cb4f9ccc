"""The data of an evaluation as they were given, and how they become a split."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import EvaluationError
from itemcurve.evaluation.collecting.estimator_training import is_fitted
from itemcurve.evaluation.collecting.features import are_texts, as_rows, take_rows
from itemcurve.evaluation.collecting.fold_choice import check_groups
from itemcurve.evaluation.collecting.part_checks import refuse_contradiction, refuse_other_order
from itemcurve.evaluation.collecting.splits import Split, ask_only, cross_validate, hold_out
from itemcurve.evaluation.pools.pool import Pool
from itemcurve.evaluation.tables.row_words import describe_rows, describe_texts

# Beyond this many items nobody reads them one by one.
_MOST_DESCRIBED = 100_000


@dataclass(frozen=True, eq=False)
class DataParts:
    """What evaluations take: `evaluate_classifiers` has the meaning of each.

    Refused at once where parts are missing, contradict each other or come in another order.
    """

    X_train: Any
    y_train: Any
    X_test: Any
    y_test: Any
    cv: Any
    groups: Any
    weights: Any

    def __post_init__(self) -> None:
        """Look at the parts before anything is split or trained."""
        refuse_contradiction(self.X_train, self.X_test, self.y_test, self.cv)
        refuse_other_order(self.X_train, self.y_train, self.X_test, self.y_test)
        if (self.X_train is None) != (self.y_train is None):
            given, missing = ("X", "y") if self.y_train is None else ("y", "X")
            raise EvaluationError(
                "Features and answers to train on come together;",
                f"{given} is given without {missing}.",
                "Give both; of estimators that are trained already, neither.",
            )
        if self.is_trained and self.weights is not None:
            raise EvaluationError(
                "sample_weight counts in training;",
                "there is nothing to train on.",
                "Leave it out, or give X_train and y_train.",
            )

    @property
    def is_trained(self) -> bool:
        """Whether estimators are asked as they are."""
        return self.X_train is None

    def cross_validate(
        self, answers: NDArray[Any], *, is_stratified: bool, seed: int, repeats: int = 1
    ) -> Split:
        """Predict rows by estimators trained without them."""
        return cross_validate(
            self.X_train,
            answers,
            self.cv,
            is_stratified=is_stratified,
            seed=seed,
            groups=self.groups,
            weights=self.weights,
            repeats=repeats,
        )

    def hold_out(self, known: NDArray[Any], asked: NDArray[Any]) -> Split:
        """Train on one part, predict the other."""
        return hold_out(self.X_train, known, self.X_test, asked, self.weights)

    def ask_only(self, pool: Pool, asked: NDArray[Any]) -> Split:
        """Predict by estimators that are trained already; raise where one is not."""
        untrained = [name for name, estimator in pool if is_fitted(estimator) is False]
        if untrained:
            raise EvaluationError(
                "Without X_train and y_train every estimator must be trained already;",
                f"{', '.join(map(repr, untrained[:3]))} is not.",
                "Give the rows to train on, or cv; or predictions made elsewhere to "
                "from_predictions.",
            )
        return ask_only(self.X_test, asked)

    def describe_items(self, split: Split) -> tuple[str, ...]:
        """Say what each item is, where features are a table or texts."""
        if len(split.answers) > _MOST_DESCRIBED:
            return ()
        features = as_rows(self.X_train if self.cv is not None else self.X_test, "X")
        if not (hasattr(features, "columns") or are_texts(features)):
            return ()
        if split.items is not None:
            features = take_rows(features, split.items)
        return describe_texts(features) if are_texts(features) else describe_rows(features)

    def groups_of_items(self, split: Split) -> tuple[str, ...]:
        """Give the group of each item; none where groups were not given."""
        if self.groups is None:
            return ()
        rows = len(self.y_train) if self.cv is not None else len(split.answers)
        found = check_groups(self.groups, rows)
        items = np.arange(rows) if split.items is None else split.items
        return tuple(str(name) for name in found[items])
