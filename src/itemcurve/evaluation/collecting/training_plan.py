"""How estimators are trained: the same for classifiers, regressors and measures of robustness."""

from dataclasses import dataclass
from os import PathLike
from typing import Any, Literal

from itemcurve.errors import EvaluationError
from itemcurve.evaluation.collecting.answer_collection import Collected, Progress, collect
from itemcurve.evaluation.collecting.seeds import settle_seeds
from itemcurve.evaluation.collecting.splits import Split
from itemcurve.evaluation.collecting.targets import Classes
from itemcurve.evaluation.pools.pool import Pool
from itemcurve.evaluation.tables.table_columns import sort_columns
from itemcurve.evaluation.tables.table_preparation import prepare_tables

Prepare = Literal["auto", "always", "never"]


@dataclass(frozen=True)
class TrainingPlan:
    """What evaluations ask for besides their data, refused at once where it makes no sense.

    Attributes
    ----------
    seed, prepare, n_jobs, cache, report : as for `evaluate_classifiers`.
    """

    seed: int | None
    prepare: Prepare
    n_jobs: int | None
    cache: str | PathLike[str] | None
    report: Progress | None

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
        self, pool: Pool, split: Split, classes: Classes | None, fewest: int = 2
    ) -> tuple[Collected, tuple[str, ...]]:
        """Train on every fold; give the predictions, and what was done to the tables.

        Parameters
        ----------
        classes : all classes; None for regression.
        fewest : how many must answer.
        """
        settled = settle_seeds(pool, self.seed)
        ready, folds, notes = self._prepared(settled, split)
        found = collect(
            ready,
            folds,
            classes,
            n_jobs=self.n_jobs,
            cache=self.cache,
            report=self.report,
            fewest=fewest,
        )
        return found, notes

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
        if self.prepare == "never" or not hasattr(table, "iloc"):
            return pool, split, ()
        columns = sort_columns(table)
        if self.prepare == "auto" and not (columns.few or columns.many or columns.dates):
            return pool, split, ()
        return prepare_tables(pool, split)
