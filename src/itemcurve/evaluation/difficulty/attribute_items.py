"""Attributes as items: what models keep of their accuracy when one attribute is scrambled.

An attribute that all models can do without is an easy item, one that none can do without a hard
one; it discriminates where able models keep more than weak ones, and runs the wrong way where they
lose more, since they are able by what it says (Moraes et al. name this use of item response theory
for the choice of features).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import EvaluationError
from itemcurve.estimation.fit import fit
from itemcurve.estimation.result import FitResult
from itemcurve.evaluation.collecting.answer_collection import Failure, Progress
from itemcurve.evaluation.collecting.features import take_rows
from itemcurve.evaluation.collecting.splits import Fold, Split, cross_validate, refuse_partial
from itemcurve.evaluation.collecting.targets import check_labels, find_classes
from itemcurve.evaluation.collecting.training_plan import Prepare, TrainingPlan
from itemcurve.evaluation.pools.pool import Pool, as_pool, check_kind
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes
from itemcurve.responses.matrix import Responses

if TYPE_CHECKING:
    import pandas

# The item where nothing is scrambled.
AS_IT_IS = "(as it is)"
_FEWEST_MODELS = 3


@dataclass(frozen=True, eq=False)
class AttributeItems:
    """What each model keeps when an attribute is scrambled.

    Attributes
    ----------
    respondents, attributes : names.
    accuracy : of every model as the table is, out of fold.
    scrambled : the same with each attribute scrambled among the rows predicted.
    failures : models that were left out.
    """

    respondents: tuple[str, ...]
    attributes: tuple[str, ...]
    accuracy: Annotated[Array, axes("respondents")]
    scrambled: Annotated[Array, axes("respondents attributes")]
    failures: tuple[Failure, ...] = ()

    @property
    def losses(self) -> Annotated[Array, axes("respondents attributes")]:
        """Accuracy lost by each model with each attribute."""
        return np.asarray(self.accuracy[:, None] - self.scrambled)

    @cached_property
    def fit(self) -> FitResult:
        """Abilities of models and parameters of attributes, by the logit-normal model of scores.

        Its first item is the table as it is.
        """
        values = np.column_stack([self.accuracy, self.scrambled])
        responses = Responses.from_array(
            values, respondents=list(self.respondents), items=[AS_IT_IS, *self.attributes]
        )
        return fit(responses, "logit-normal", on_failure="ignore")

    def frame(self) -> "pandas.DataFrame":
        """One row per attribute, the most needed first.

        `loss` is the mean loss of accuracy with its 95 % interval over models, `largest` that of
        the model that needs it most; `discrimination` that of the item, with its standard error,
        to be compared with that of the table as it is: smaller where able models lose more.
        """
        import pandas
        from scipy.stats import t

        count = len(self.respondents)
        mean = self.losses.mean(axis=0)
        reach = t.ppf(0.975, count - 1) * self.losses.std(axis=0, ddof=1) / np.sqrt(count)
        slopes = self.fit.slopes
        table = pandas.DataFrame(
            {
                "attribute": self.attributes,
                "loss": mean,
                "lower": mean - reach,
                "upper": mean + reach,
                "largest": self.losses.max(axis=0),
                "most_for": [self.respondents[k] for k in self.losses.argmax(axis=0)],
                "discrimination": slopes.values[1:],
                "discrimination_se": slopes.errors[1:],
            }
        )
        return table.sort_values("loss", ascending=False, kind="stable", ignore_index=True)

    def __repr__(self) -> str:
        return f"AttributeItems({len(self.respondents)} models × {len(self.attributes)} attributes)"


def measure_attributes(
    estimators: Pool | Mapping[str, Any] | Sequence[Any],
    X: Any,
    y: Any,
    *,
    cv: Any = 5,
    seed: int = 0,
    prepare: Prepare = "auto",
    n_jobs: int | None = None,
    cache: str | PathLike[str] | None = None,
    progress: bool | Progress | None = None,
) -> AttributeItems:
    """Take attributes for items: scramble each among the rows predicted, and see what is lost.

    Models are trained on the table as it is, once; nothing is trained anew per attribute.

    Parameters
    ----------
    estimators : classifiers, as for `evaluate_classifiers`; three or more.
    X, y : the data set.
    cv : number of folds, or a scikit-learn splitter.
    seed, prepare, n_jobs, cache, progress : as for `evaluate_classifiers`.

    Examples
    --------
    >>> import itemcurve as ic
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(120, 5, n_informative=2, random_state=0)
    >>> found = ic.robustness.measure_attributes(ic.pools.random_pool(4), X, y, cv=2)
    >>> len(found.frame())
    5
    """
    plan, pool = TrainingPlan(seed, prepare, n_jobs, cache, progress), as_pool(estimators)
    check_kind(pool, "classification")
    labels = check_labels(y, "y")
    classes = find_classes(labels)
    split = cross_validate(X, labels, cv, is_stratified=True, seed=seed)
    refuse_partial(split)
    names = _name_attributes(split.folds[0].X_test)
    found, _ = plan.collect(pool, _add_scrambled(split, seed), classes, fewest=_FEWEST_MODELS)
    truth = np.tile(classes.positions(labels), len(names) + 1)
    chosen = found.values.argmax(axis=2)
    # Who names one class whatever comes has no attribute to lose.
    looks = np.flatnonzero((chosen != chosen[:, :1]).any(axis=1))
    if len(looks) < _FEWEST_MODELS:
        raise EvaluationError(
            f"Attributes are items for {_FEWEST_MODELS} models that look at them, or more;",
            f"{len(looks)} of {len(found.names)} do not name one class whatever comes.",
            "Add models.",
        )
    shares = (chosen == truth)[looks].reshape(len(looks), len(names) + 1, len(labels)).mean(axis=2)
    return AttributeItems(
        tuple(found.names[place] for place in looks),
        names,
        shares[:, 0],
        shares[:, 1:],
        found.failures,
    )


def _name_attributes(X: Any) -> tuple[str, ...]:
    if len(getattr(X, "shape", ())) != 2 or X.shape[1] < 2:
        raise EvaluationError(
            "Attributes are the columns of a table or an array, two at least;",
            f"given are data of the shape {getattr(X, 'shape', None)}.",
            "Give a table.",
        )
    if hasattr(X, "iloc"):
        return tuple(map(str, X.columns))
    return tuple(f"x{place}" for place in range(X.shape[1]))


def _add_scrambled(split: Split, seed: int) -> Split:
    """Add a copy of all predicted rows per attribute, after the rows as they are."""
    count, folds = len(split.answers), []
    width = split.folds[0].X_test.shape[1]
    for place, fold in enumerate(split.folds):
        rng = np.random.default_rng([seed, 4, place])
        copies = [fold.X_test, *(_scramble(fold.X_test, column, rng) for column in range(width))]
        rows = np.concatenate([fold.rows + count * copy for copy in range(width + 1)])
        folds.append(Fold(fold.X_train, fold.y_train, _stack(copies), rows, fold.weights))
    answers = np.tile(split.answers, width + 1)
    return Split(tuple(folds), answers, None, f"{split.description}, each attribute scrambled")


def _scramble(X: Any, column: int, rng: np.random.Generator) -> Any:
    """Give the rows with the values of one column among one another."""
    order: NDArray[np.intp] = rng.permutation(X.shape[0])
    if hasattr(X, "iloc"):
        found = X.copy()
        moved = X.iloc[order, column]
        moved.index = X.index
        found[X.columns[column]] = moved
        return found
    values = np.array(take_rows(X, np.arange(X.shape[0])), copy=True)
    values[:, column] = values[order, column]
    return values


def _stack(copies: list[Any]) -> Any:
    if hasattr(copies[0], "iloc"):
        import pandas

        return pandas.concat(copies, ignore_index=True)
    return np.concatenate(copies)
