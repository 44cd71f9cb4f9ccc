"""Scores by row: their mean is scikit-learn's score."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import get_scorer

from itemcurve.errors import EvaluationError
from itemcurve.evaluation.search.row_scores import find_row_score


@pytest.mark.parametrize("name", ["accuracy", "neg_log_loss"])
def test_means_over_rows_are_the_scores_of_classifiers(name):
    X, y = load_iris(return_X_y=True)
    model = LogisticRegression(C=0.1, max_iter=500).fit(X[::2], y[::2])
    rows = find_row_score(name, True)[1](model, X[1::2], y[1::2])
    assert rows.shape == (75,)
    assert rows.mean() == pytest.approx(get_scorer(name)(model, X[1::2], y[1::2]))


@pytest.mark.parametrize("name", ["neg_mean_squared_error", "neg_mean_absolute_error"])
@pytest.mark.parametrize("outputs", [1, 2])
def test_means_over_rows_are_the_scores_of_regressors(name, outputs):
    X, y = load_diabetes(return_X_y=True)
    y = y if outputs == 1 else np.column_stack([y, y[::-1]])
    model = Ridge().fit(X[::2], y[::2])
    rows = find_row_score(name, False)[1](model, X[1::2], y[1::2])
    assert rows.mean() == pytest.approx(get_scorer(name)(model, X[1::2], y[1::2]))


def test_a_class_that_was_not_trained_on_counts_as_surely_wrong():
    X, y = load_iris(return_X_y=True)
    model = LogisticRegression(max_iter=500).fit(X[:100], y[:100])
    rows = find_row_score("neg_log_loss", True)[1](model, X[100:103], y[100:103])
    assert rows == pytest.approx(np.full(3, np.log(np.finfo(float).eps)))


def test_scores_that_are_no_means_over_rows_are_refused():
    with pytest.raises(EvaluationError, match="mean over rows"):
        find_row_score("roc_auc", True)
