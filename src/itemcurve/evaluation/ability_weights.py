"""Ability-weighted ensembles of classifiers, compared with the plain average on held-out items."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.evaluated_fits import takes_evaluations
from itemcurve.analysis.metrics.usual_metrics import measure_classes
from itemcurve.analysis.predictions import Predictions
from itemcurve.errors import EvaluationError
from itemcurve.estimation.refitting import fit_again
from itemcurve.estimation.result import FitResult
from itemcurve.evaluation.evaluation_result import Evaluation

if TYPE_CHECKING:
    import pandas

_FOLDS = 5
_NAMES = ("plain average", "ability-weighted", "best single")


@dataclass(frozen=True, eq=False)
class EnsembleComparison:
    """Metrics of three ways to combine classifiers, on items that chose no weight.

    Attributes
    ----------
    metrics : by name of the metric, one value per way.
    weights : mean weight of each respondent over the folds.
    """

    metrics: dict[str, NDArray[np.float64]]
    weights: dict[str, float]
    folds: int

    def frame(self) -> "pandas.DataFrame":
        """One row per way to combine."""
        import pandas

        return pandas.DataFrame({"ensemble": _NAMES, **self.metrics})


@takes_evaluations
def weigh_abilities(result: FitResult) -> dict[str, float]:
    """Give a weight to each respondent by its ability; weights sum to 1.

    The weight is what the respondent is expected to score over all items above what the weakest
    is, E[y | θ] averaged over the items whose discrimination is positive: items that run the wrong
    way, as mislabelled ones do, have no say. For scikit-learn's
    `VotingClassifier(voting="soft", weights=...)`.

    Examples
    --------
    >>> import itemcurve as ic
    >>> truth = ic.simulate("2pl", respondents=20, items=50, seed=1)
    >>> round(sum(weigh_abilities(ic.fit(truth.responses)).values()), 6)
    1.0
    """
    if result.estimates.model.orientation < 0:
        raise EvaluationError(
            "Weights need responses that rise with ability;",
            f"{result.model} models errors.",
            "Use an evaluation of classifiers.",
        )
    upright = result.slopes.values > 0
    expected = result.expected_response(result.estimates.abilities)
    height = expected[:, upright].mean(axis=1) if upright.any() else expected.mean(axis=1)
    above = height - height.min()
    total = above.sum()
    shares = above / total if total > 0 else np.full(len(above), 1 / len(above))
    return dict(zip(result.responses.respondents, shares.tolist(), strict=True))


def compare_ensembles(
    evaluation: Evaluation, *, folds: int | None = None, seed: int = 0
) -> EnsembleComparison:
    """Compare an ability-weighted ensemble with the plain average and the best single classifier.

    Abilities, weights and the best single classifier come from the items outside a fold, metrics
    from the items inside it, so that no item judges itself.

    Parameters
    ----------
    evaluation : of classifiers.
    folds : parts of the items; 5, or as many as leave two items in each, when None.
    """
    predictions = evaluation.predictions
    if not isinstance(predictions, Predictions):
        raise EvaluationError(
            "Ensembles of class probabilities need an evaluation of classifiers;",
            "this one is of regressors.",
            "Use itemcurve.evaluate_classifiers.",
        )
    count = len(predictions.items)
    if folds is None:
        folds = max(min(_FOLDS, count // 2), 2)
    if not 2 <= folds <= count // 2:
        raise EvaluationError(
            "folds must be 2 or more, with two items in each;",
            f"given are {folds} for {count} items.",
            "Leave folds out if unsure, and have four items at least.",
        )
    parts = np.array_split(np.random.default_rng(seed).permutation(count), folds)
    # Constant answers are no members: they are left out of the fit unless a model was named.
    places = {name: row for row, name in enumerate(predictions.respondents)}
    rows = [places[name] for name in evaluation.responses.respondents]
    mixed = np.empty((3, count, len(predictions.classes)))
    weights = np.zeros(len(rows))
    for part in parts:
        outside = np.setdiff1d(np.arange(count), part)
        known = fit_again(evaluation.fit, evaluation.responses.take(columns=outside.tolist()))
        shares = np.array(list(weigh_abilities(known).values()))
        inside = predictions.probabilities[rows][:, part]
        mixed[0, part] = inside.mean(axis=0)
        mixed[1, part] = np.einsum("r,rik->ik", shares, inside)
        mixed[2, part] = inside[int(np.argmax(known.estimates.abilities))]
        weights += shares / folds
    ensembles = replace(predictions, respondents=_NAMES, probabilities=mixed, others=())
    metrics = measure_classes(ensembles)
    named = dict(zip(evaluation.responses.respondents, weights.tolist(), strict=True))
    return EnsembleComparison(metrics, named, folds)
