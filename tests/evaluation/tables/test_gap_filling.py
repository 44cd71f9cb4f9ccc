"""Gaps are filled alike in arrays, in tables of numbers and in mixed tables."""

import numpy as np
import pandas
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

import itemcurve as ic
from itemcurve.errors import EvaluationWarning


@pytest.fixture(name="holey")
def moons_with_gaps(moons):
    X = moons.X_train.copy()
    X[::7, 0] = np.nan
    return X, moons.y_train


@pytest.mark.parametrize("kind", [np.asarray, pandas.DataFrame])
def test_no_estimator_is_lost_to_a_gap(holey, few, kind):
    X, y = holey
    pool = {**few, "boosting": HistGradientBoostingClassifier(max_iter=10)}
    found = ic.evaluate_classifiers(pool, kind(X), y, cv=3, response="probability")
    assert found.failures == ()
    note = next(note for note in found.notes if note.startswith("Gaps are filled by the median"))
    assert "logistic" in note
    # Those that take gaps see them.
    assert "boosting" not in note
    by_hand = make_pipeline(SimpleImputer(strategy="median"), GaussianNB())
    same = ic.evaluate_classifiers({"a": by_hand, "b": by_hand}, X, y, cv=3, response="probability")
    np.testing.assert_allclose(found.responses.array()[1], same.responses.array()[0])


def test_a_gap_in_the_test_part_alone_is_filled_too(moons, few):
    X_test = moons.X_test.copy()
    X_test[0, 0] = np.nan
    found = ic.evaluate_classifiers(few, moons.X_train, moons.y_train, X_test, moons.y_test)
    assert found.failures == ()


def test_pipelines_see_gaps_and_are_warned_of(holey, few):
    pool = {**few, "bare": make_pipeline(GaussianNB())}
    with pytest.warns(EvaluationWarning, match=r"bare .*NaN.*prepare='always'"):
        found = ic.evaluate_classifiers(pool, *holey, cv=3)
    assert [failure.respondent for failure in found.failures] == ["bare"]


def test_regressors_are_served_alike(holey):
    X, y = holey
    found = ic.evaluate_regressors([LinearRegression(), Ridge()], X, y.astype(float), cv=3)
    assert found.failures == ()


def test_arrays_can_be_prepared_as_tables_are(holey, few):
    X, y = holey
    found = ic.evaluate_classifiers(few, X, y, cv=3, prepare="always")
    same = ic.evaluate_classifiers(few, pandas.DataFrame(X), y, cv=3, prepare="always")
    np.testing.assert_array_equal(found.responses.array(), same.responses.array())
    assert found.failures == ()
