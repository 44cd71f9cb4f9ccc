"""Weights where they are taken, labels that an estimator knows, estimators trained before."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import itemcurve as ic
from itemcurve.errors import EvaluationError, EvaluationWarning
from itemcurve.evaluation.collecting.estimator_training import weight_name


class Numbered(ClassifierMixin, BaseEstimator):
    """Takes no labels but 0, 1, 2, …, as XGBoost's classifier does."""

    def fit(self, X, y):
        if not np.array_equal(np.unique(y), np.arange(len(np.unique(y)))):
            raise ValueError("Invalid classes inferred from unique values of `y`.")
        self.inner_ = GaussianNB().fit(X, y)
        self.classes_ = self.inner_.classes_
        return self

    def predict(self, X):
        return self.inner_.predict(X)


class NumberedShares(Numbered):
    def predict_proba(self, X):
        return self.inner_.predict_proba(X)


@pytest.mark.parametrize("kind", [Numbered, NumberedShares])
@pytest.mark.parametrize("names", [["no", "yes"], [1, 2], [False, True], [-1, 1]])
def test_labels_are_numbered_for_those_who_take_nothing_else(moons, kind, names):
    labels = np.array(names)
    pool = {"numbered": kind(), "plain": GaussianNB()}
    found = ic.evaluate_classifiers(
        pool,
        moons.X_train,
        labels[moons.y_train],
        moons.X_test,
        labels[moons.y_test],
        response="correct",
    )
    assert not found.failures
    answers = found.responses.array()
    np.testing.assert_array_equal(answers[0], answers[1])


def test_xgboost_takes_words_as_labels(moons):
    xgboost = pytest.importorskip("xgboost")
    words = np.array(["no", "yes"])
    pool = {"boosted": xgboost.XGBClassifier(n_estimators=10), "plain": GaussianNB()}
    found = ic.evaluate_classifiers(pool, moons.X_train, words[moons.y_train], cv=3)
    assert not found.failures
    same = ic.evaluate_classifiers(pool, moons.X_train, moons.y_train, cv=3)
    np.testing.assert_array_equal(found.predictions.probabilities, same.predictions.probabilities)


def test_who_fails_for_another_reason_says_it_in_its_own_words(moons, few):
    class Refusing(Numbered):
        def fit(self, X, y):
            raise ValueError(f"labels like {y[0]!r} are odd")

    words = np.array(["no", "yes"])
    with pytest.warns(EvaluationWarning, match="labels like"):
        found = ic.evaluate_classifiers(
            {**few, "odd": Refusing()}, moons.X_train, words[moons.y_train], cv=2
        )
    assert "'no'" in found.failures[0].reason or "'yes'" in found.failures[0].reason


def test_weights_reach_those_who_take_them(moons):
    weights = np.random.default_rng(0).random(100) * 3
    pool = {
        "logistic": LogisticRegression(),
        "pipeline": make_pipeline(StandardScaler(), LogisticRegression()),
        "search": GridSearchCV(LogisticRegression(), {"C": [1.0]}, cv=2),
        "neighbours": KNeighborsClassifier(),
    }
    found = ic.evaluate_classifiers(pool, *moons, sample_weight=weights, response="probability")
    expected = LogisticRegression().fit(moons.X_train, moons.y_train, sample_weight=weights)
    shares = expected.predict_proba(moons.X_test)
    np.testing.assert_allclose(found.predictions.probabilities[0], shares)
    np.testing.assert_allclose(found.predictions.probabilities[2], shares)
    assert not found.failures
    assert any("not by neighbours" in note for note in found.notes)
    plain = ic.evaluate_classifiers(pool, *moons, response="probability")
    differs = (found.predictions.probabilities != plain.predictions.probabilities).any(axis=(1, 2))
    assert differs.tolist() == [True, True, True, False]


def test_weights_go_with_their_rows_through_folds_and_the_cache(moons, tmp_path):
    # Weights of 0 take rows away: the answers are those without these rows.
    weights = np.r_[np.zeros(30), np.ones(70)]
    pool = {"bayes": GaussianNB(), "forest": RandomForestClassifier(5)}
    half = [(np.arange(60), np.arange(60, 100))]
    kept = [(np.arange(30, 60), np.arange(60, 100))]
    settings = {"response": "probability", "cache": tmp_path}
    weighted = ic.evaluate_classifiers(
        pool, moons.X_train, moons.y_train, cv=half, sample_weight=weights, **settings
    )
    without = ic.evaluate_classifiers(pool, moons.X_train, moons.y_train, cv=kept, **settings)
    unweighted = ic.evaluate_classifiers(pool, moons.X_train, moons.y_train, cv=half, **settings)
    np.testing.assert_allclose(
        weighted.predictions.probabilities[0], without.predictions.probabilities[0]
    )
    assert unweighted.settings["resumed"] == 0


def test_weights_are_named_as_fit_names_them():
    assert weight_name(LogisticRegression()) == "sample_weight"
    assert weight_name(make_pipeline(Ridge())) == "ridge__sample_weight"
    assert weight_name(KNeighborsClassifier()) is None
    assert weight_name(object()) is None


def test_estimators_that_are_trained_are_asked_as_they_are(moons):
    pool = {
        "half": GaussianNB().fit(moons.X_train[:50], moons.y_train[:50]),
        "all": GaussianNB().fit(moons.X_train, moons.y_train),
        "margin": LogisticRegression().fit(moons.X_train, moons.y_train),
    }
    found = ic.evaluate_classifiers(
        pool, X_test=moons.X_test, y_test=moons.y_test, response="probability"
    )
    for row, estimator in enumerate(pool.values()):
        np.testing.assert_allclose(
            found.predictions.probabilities[row], estimator.predict_proba(moons.X_test)
        )
    assert found.settings["split"].startswith("estimators trained before")


def test_trained_regressors_are_asked_too(moons):
    y = moons.X_train @ [1.0, 2.0]
    pool = [LinearRegression().fit(moons.X_train, y), Ridge(50).fit(moons.X_train, y)]
    found = ic.evaluate_regressors(pool, X_test=moons.X_test, y_test=moons.X_test @ [1.0, 2.0])
    assert found.leaderboard().respondents[0] == "LinearRegression"


def test_one_that_is_not_trained_is_told_where_predictions_go(moons, few):
    with pytest.raises(EvaluationError, match="from_predictions"):
        ic.evaluate_classifiers(few, X_test=moons.X_test, y_test=moons.y_test)


def test_trained_estimators_that_are_trained_anew_are_noted(moons):
    trained = GaussianNB().fit(moons.X_test, moons.y_test)
    found = ic.evaluate_classifiers([trained, KNeighborsClassifier()], *moons)
    note = next(note for note in found.notes if note.startswith("Trained anew"))
    assert "GaussianNB" in note
    assert "KNeighborsClassifier" not in note
    assert "from_predictions" in note
