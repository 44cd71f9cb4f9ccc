"""Ways to fit β³ to the probabilities of classifiers: the paper's, and others beside it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.metrics.usual_metrics import measure_classes
from itemcurve.analysis.predictions import Predictions
from itemcurve.estimation.fit import fit
from itemcurve.estimation.joint.settings import Joint
from itemcurve.estimation.marginal.settings import Marginal
from itemcurve.estimation.result import FitResult
from itemcurve.estimation.variational.settings import Variational
from itemcurve.evaluation.classifiers import evaluate_classifiers
from itemcurve.evaluation.grading.grades import grade_classes
from itemcurve.responses.matrix import Responses
from itemcurve_studies.beta3.data import Case, build_pool

if TYPE_CHECKING:
    import pandas

# Locations change by less than a thousandth of a posterior standard deviation from here on.
_TOLERANCE = 1e-6
# The bound of sums has a long flat ridge; more steps may still move single items.
_BOUND_ITERATIONS = 150
WAYS: Mapping[str, Mapping[str, Any]] = {
    # The authors' objective and clipping at 0.001.
    "published": {
        "model": "beta3",
        "boundary": "clip",
        "method": Variational(as_published=True, tolerance=_TOLERANCE),
    },
    # The bound as the paper writes it: sums instead of means.
    "bound": {
        "model": "beta3",
        "boundary": "clip",
        "method": Variational(
            posterior="mean-field", tolerance=_TOLERANCE, max_iterations=_BOUND_ITERATIONS
        ),
    },
    # The Beta density with the items integrated out.
    "density": {"model": "beta3", "method": Marginal(over="items")},
    # The same curves under log-loss: what `evaluate_classifiers` does.
    "log-loss": {"model": "fractional-beta3", "method": Marginal(over="items")},
    # And with abilities and items maximised together: alike, and 30 times as fast.
    "log-loss joint": {"model": "fractional-beta3", "method": Joint()},
}
FIXED = ("Constant 0.5", "Always positive", "Always negative")


def predict_case(case: Case, seed: int, y_train: NDArray[np.int64] | None = None) -> Predictions:
    """Train the twelve classifiers and predict the test part, beside its true labels.

    Parameters
    ----------
    y_train : labels to train on in place of the true ones.
    """
    labels = case.y_train if y_train is None else y_train
    study = evaluate_classifiers(
        build_pool(seed),
        case.X_train,
        labels,
        case.X_test,
        case.y_test,
        seed=seed,
        model="fractional-beta3",
        method="joint",
        on_failure="ignore",
    )
    assert isinstance(study.predictions, Predictions)
    return study.predictions


def relabel(predictions: Predictions, labels: NDArray[np.int64]) -> Predictions:
    """Grade the same predictions against other labels."""
    return replace(predictions, labels=labels)


def fit_way(predictions: Predictions, way: str, **settings: Any) -> FitResult:
    """Fit the probabilities given to the labels.

    Parameters
    ----------
    way : a name of `WAYS`.
    settings : further arguments of `fit`, such as `discrimination=1.0`.
    """
    matrix = grade_classes(predictions, "probability")
    responses = Responses.from_array(matrix, predictions.respondents, predictions.items)
    found: FitResult = fit(responses, on_failure="ignore", **{**WAYS[way], **settings})
    return found


def tabulate_items(found: FitResult, flipped: NDArray[np.bool_], case: Case) -> "pandas.DataFrame":
    """One row per item: parameters, mean response, whether its label was flipped."""
    import pandas

    columns = found.estimates.item_columns
    unknown = np.full(len(flipped), np.nan)
    return pandas.DataFrame(
        {
            "item": found.responses.items,
            "flipped": flipped,
            "distance": case.distance,
            "line_distance": case.line_distance,
            "mean_response": found.responses.means(axis=0),
            "difficulty": np.asarray(columns["difficulty"]),
            "discrimination": np.asarray(columns["discrimination"]),
            "probability_negative": found.items.get("probability_negative", unknown),
        }
    )


def tabulate_respondents(found: FitResult, predictions: Predictions) -> "pandas.DataFrame":
    """One row per respondent: ability and the usual metrics."""
    import pandas

    metrics = measure_classes(predictions)
    order = np.argsort(-found.estimates.abilities, kind="stable")
    columns = {
        "respondent": np.array(found.responses.respondents),
        "ability": np.asarray(found.estimates.abilities),
        "ability_se": np.asarray(found.estimates.ability_errors),
        **metrics,
        "mean_response": found.responses.means(axis=1),
    }
    if found.estimates.model.latent.is_absolute:
        columns["ability_01"] = 1 / (1 + np.exp(-columns["ability"]))
    return pandas.DataFrame({name: values[order] for name, values in columns.items()})


def measure_detection(
    discrimination: NDArray[np.float64], flipped: NDArray[np.bool_]
) -> dict[str, float]:
    """Precision and recall of negative discrimination for flipped labels.

    Examples
    --------
    >>> import numpy as np
    >>> slopes, flipped = np.array([-1.0, -1.0, 2.0]), np.array([True, False, False])
    >>> measure_detection(slopes, flipped)["precision"]
    0.5
    """
    found = discrimination < 0
    hits = int((found & flipped).sum())
    return {
        "negative": float(found.mean()),
        "precision": hits / int(found.sum()) if found.any() else float("nan"),
        "recall": hits / int(flipped.sum()) if flipped.any() else float("nan"),
    }
