"""Parts in another order than they are taken in."""

import numpy as np
import pandas
import pytest
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import train_test_split

import itemcurve as ic
from itemcurve.errors import EvaluationError


@pytest.mark.parametrize("kind", [np.asarray, pandas.DataFrame, lambda X: X.tolist()])
def test_the_order_of_train_test_split_is_noticed(moons, few, kind):
    parts = train_test_split(moons.X_train, moons.y_train, random_state=0)
    X_train, X_test, y_train, y_test = kind(parts[0]), kind(parts[1]), parts[2], parts[3]
    with pytest.raises(EvaluationError, match="the order of train_test_split"):
        ic.evaluate_classifiers(few, X_train, X_test, y_train, y_test)
    assert ic.evaluate_classifiers(few, X_train, y_train, X_test, y_test).failures == ()


def test_the_order_is_noticed_of_regressors():
    parts = train_test_split(*load_diabetes(return_X_y=True), random_state=0)
    with pytest.raises(EvaluationError, match="the order of train_test_split"):
        ic.evaluate_regressors([LinearRegression(), Ridge()], *parts)


def test_answers_before_features_are_noticed(moons, few):
    with pytest.raises(EvaluationError, match="Features come before answers"):
        ic.evaluate_classifiers(few, moons.y_train, moons.X_train, cv=3)


def test_data_without_a_test_part_or_folds_say_what_is_missing(moons, few):
    with pytest.raises(EvaluationError, match="trained already take X_test=X, y_test=y"):
        ic.evaluate_classifiers(few, moons.X_test, moons.y_test)
    with pytest.raises(EvaluationError, match="given is none"):
        ic.evaluate_classifiers(few)
