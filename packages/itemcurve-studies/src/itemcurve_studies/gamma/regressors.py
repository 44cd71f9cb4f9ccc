"""Thirteen respondents on a regression task: what they predict, how it is graded and fitted."""

import time
import warnings
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.predictions import Forecasts
from itemcurve.estimation.fit import fit
from itemcurve.estimation.joint.settings import Joint
from itemcurve.estimation.method import Method
from itemcurve.estimation.variational.settings import Variational
from itemcurve.evaluation.grading.assembly import add_references
from itemcurve.evaluation.grading.grades import grade_numbers
from itemcurve.evaluation.pools.standard_pools import standard_regressors
from itemcurve.responses.matrix import Responses

Floats = NDArray[np.float64]

LINEAR = ("Linear regression", "Bayesian ridge", "Linear support vectors")
NONLINEAR = (
    "RBF support vectors",
    "Nearest neighbours",
    "Decision tree",
    "Random forest",
    "AdaBoost",
    "Neural network 100",
    "Neural network 50-50",
)
REFERENCES = ("Optimal", "Average", "Worst")
RESPONDENTS = (*LINEAR, *NONLINEAR, *REFERENCES)
# Abilities are read to three digits; to 1e-6 squared standard errors both agree to four.
METHODS: Mapping[str, Method] = {
    "as published": Variational(as_published=True, tolerance=1e-6),
    "joint": Joint(tolerance=1e-6),
}


@dataclass(frozen=True, eq=False)
class FittedErrors:
    """Errors of the respondents on one test set, and what β³ makes of 1/(1 + e).

    Attributes
    ----------
    scores : 1/(1 + normalised error), respondents × items.
    errors : mean normalised error of each respondent; `absolute` is its mean absolute error.
    item_errors : mean normalised error of each item.
    abilities : in (0, 1), methods × respondents.
    difficulty, discrimination : methods × items.
    seconds : processor seconds of each method's fit.
    """

    scores: Floats
    errors: Floats
    absolute: Floats
    item_errors: Floats
    abilities: Floats
    difficulty: Floats
    discrimination: Floats
    seconds: Floats


def predict_all(X_train: Floats, y_train: Floats, X_test: Floats, seed: int) -> Floats:
    """Give the predictions of the ten regressors (regressors × items)."""
    pool = standard_regressors(seed)
    with warnings.catch_warnings():
        # Networks that stop at their last iteration are the paper's.
        warnings.simplefilter("ignore")
        found = [member.fit(X_train, y_train).predict(X_test) for member in pool.estimators]
    return np.array(found, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Graded:
    """Errors of the respondents on one test set; see `FittedErrors`."""

    scores: Floats
    errors: Floats
    absolute: Floats
    item_errors: Floats


def grade_errors(predictions: Floats, targets: Floats) -> Graded:
    """Grade the predictions, with the three references beside them."""
    names, values = add_references(
        (*LINEAR, *NONLINEAR), predictions, targets, standard_regressors().references
    )
    assert tuple(names) == RESPONDENTS
    forecasts = Forecasts(names, tuple(map(str, range(len(targets)))), values, targets)
    scores = grade_numbers(forecasts, "score")
    errors = 1.0 / scores - 1.0
    absolute = np.abs(values - targets).mean(axis=1)
    return Graded(scores, errors.mean(axis=1), absolute, errors.mean(axis=0))


def fit_errors(predictions: Floats, targets: Floats) -> FittedErrors:
    """Grade the predictions, with the three references, and fit β³ by every method.

    Scores are clipped to [0.001, 0.999], as the paper clips them; censoring costs three times the
    time and moves abilities of noise-free data only.
    """
    graded = grade_errors(predictions, targets)
    responses = Responses.from_array(graded.scores, RESPONDENTS)
    found, seconds = [], []
    for method in METHODS.values():
        started = time.process_time()
        found.append(fit(responses, "beta3", method=method, boundary="clip", on_failure="ignore"))
        seconds.append(time.process_time() - started)
    return FittedErrors(
        graded.scores,
        graded.errors,
        graded.absolute,
        graded.item_errors,
        np.array([each.respondents["ability_01"] for each in found]),
        np.array([each.items["difficulty"] for each in found]),
        np.array([each.items["discrimination"] for each in found]),
        np.array(seconds),
    )
