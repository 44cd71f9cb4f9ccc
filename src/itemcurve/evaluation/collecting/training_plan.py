"""How estimators are trained: the same for classifiers, regressors and measures of robustness."""

import warnings
from dataclasses import dataclass
from os import PathLike
from typing import Any, Literal

from itemcurve.errors import EvaluationError, EvaluationWarning
from itemcurve.evaluation.collecting.answer_collection import (
    Collected,
    Progress,
    collect,
    say_remedy,
)
from itemcurve.evaluation.collecting.estimator_training import is_surely_fitted, weight_name
from itemcurve.evaluation.collecting.features import are_texts
from itemcurve.evaluation.collecting.seeds import settle_seeds
from itemcurve.evaluation.collecting.splits import Split
from itemcurve.evaluation.collecting.targets import Classes
from itemcurve.evaluation.pools.pool import Pool
from itemcurve.evaluation.tables.gap_filling import as_tables, fill_gaps
from itemcurve.evaluation.tables.table_columns import sort_columns
from itemcurve.evaluation.tables.table_preparation import prepare_tables
from itemcurve.showing.progress_bars import progress_bar

Prepare = Literal["auto", "always", "never"]
# Estimators named one by one in notes and warnings.
_MOST_NAMED = 3


@dataclass(frozen=True)
class TrainingPlan:
    """What evaluations ask for besides their data, refused at once where it makes no sense.

    Attributes
    ----------
    seed, prepare, n_jobs, cache, progress : as for `evaluate_classifiers`.
    """

    seed: int | None
    prepare: Prepare
    n_jobs: int | None
    cache: str | PathLike[str] | None
    progress: bool | Progress | None

    def __post_init__(self) -> None:
        """Refuse before anything is split or trained."""
        if self.prepare not in ("auto", "always", "never"):
            raise EvaluationError(
                "prepare must be 'auto', 'always' or 'never';",
                f"given is {self.prepare!r}.",
                "Leave it out to prepare tables with columns that are not numbers.",
            )
        if self.n_jobs == 0:
            raise EvaluationError(
                "The number of processes must not be 0;",
                "given is 0.",
                "Use 1 for one at a time, or -1 for all cores.",
            )

    @property
    def split_seed(self) -> int:
        """Of the folds, which are always drawn by a seed."""
        return 0 if self.seed is None else self.seed

    def collect(
        self, pool: Pool, split: Split, classes: Classes | None, fewest: int | None = None
    ) -> tuple[Collected, tuple[str, ...]]:
        """Train on every fold; give the predictions, and what was done to the tables.

        Warns of estimators that failed while others answered.

        Parameters
        ----------
        classes : all classes; None for regression.
        fewest : how many must answer; two, or one where there is only one, when left out.
        """
        is_trained = split.folds[0].X_train is None
        settled = pool if is_trained else settle_seeds(pool, self.seed)
        ready, folds, notes = self._prepared(settled, split)
        with progress_bar(self.progress, "Training") as told:
            found = collect(
                ready,
                folds,
                classes,
                n_jobs=self.n_jobs,
                cache=self.cache,
                progress=told,
                fewest=min(2, len(pool)) if fewest is None else fewest,
            )
        warn_of_failures(found, len(pool), are_texts(split.folds[0].X_test))
        notes = (*split.notes, *notes, *_note_weights(ready, split))
        return found, notes if is_trained else (*notes, *_note_trained(pool))

    def describe(self, split: Split, found: Collected) -> dict[str, Any]:
        """What an evaluation keeps about its making."""
        return {
            "split": split.description,
            "seed": self.seed,
            "prepare": self.prepare,
            "seconds": found.seconds,
            "resumed": found.resumed,
        }

    def _prepared(self, pool: Pool, split: Split) -> tuple[Pool, Split, tuple[str, ...]]:
        """Prepare the folds where the table asks for it."""
        table = split.folds[0].X_train
        if self.prepare == "never" or table is None:
            return pool, split, ()
        if self.prepare == "always":
            return prepare_tables(pool, as_tables(split))
        if hasattr(table, "iloc"):
            columns = sort_columns(table)
            if columns.few or columns.many or columns.dates:
                return prepare_tables(pool, split)
        return fill_gaps(pool, split)


def warn_of_failures(found: Collected, count: int, have_texts: bool) -> None:
    """Warn of estimators that are left out, so that nobody overlooks them."""
    if not found.failures:
        return
    told = "; ".join(f"{f.respondent} ({f.reason})" for f in found.failures[:_MOST_NAMED])
    more = f"; and {len(found.failures) - _MOST_NAMED} more" * (len(found.failures) > _MOST_NAMED)
    said = (
        f"{len(found.failures)} of {count} estimators failed and are left out: {told}{more}.",
        say_remedy(found.failures, have_texts),
        "All are in evaluation.failures.",
    )
    warnings.warn(" ".join(part for part in said if part), EvaluationWarning, stacklevel=4)


def _note_weights(pool: Pool, split: Split) -> list[str]:
    if split.folds[0].weights is None:
        return []
    without = [name for name, estimator in pool if weight_name(estimator) is None]
    if not without:
        return ["sample_weight is used in training; in the leaderboard all items count alike."]
    named = ", ".join(without[:_MOST_NAMED]) + (", …" if len(without) > _MOST_NAMED else "")
    return [
        f"sample_weight is used in training where an estimator takes it; not by {named}. In the "
        "leaderboard all items count alike."
    ]


def _note_trained(pool: Pool) -> list[str]:
    """Say that estimators which came trained were trained anew."""
    trained = [name for name, estimator in pool if is_surely_fitted(estimator)]
    if not trained:
        return []
    named = ", ".join(trained[:_MOST_NAMED]) + (", …" if len(trained) > _MOST_NAMED else "")
    return [
        f"Trained anew, on the rows given: {named}. To ask estimators as they are, give X_test and "
        "y_test alone, or their predictions to from_predictions."
    ]
