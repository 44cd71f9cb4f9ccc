"""Texts, records and images as rows, and what is no row."""

import numpy as np
import pandas
import polars
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.feature_extraction import DictVectorizer
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

import itemcurve as ic
from itemcurve.errors import EvaluationError

WORDS = ["good", "fine", "bad", "poor"]


@pytest.fixture(name="reviews")
def many_reviews():
    rng = np.random.default_rng(0)
    labels = rng.integers(2, size=80)
    return [
        " ".join(rng.choice(WORDS[:2] if label else WORDS[2:], 4)) + f" number {k}"
        for k, label in enumerate(labels)
    ], np.where(labels, "praise", "complaint")


@pytest.fixture(name="readers")
def text_pipelines():
    return {
        "tfidf": make_pipeline(TfidfVectorizer(), LogisticRegression()),
        "counts": make_pipeline(CountVectorizer(), MultinomialNB()),
    }


@pytest.mark.parametrize(
    "given", [list, tuple, np.array, pandas.Series, lambda texts: np.array(texts, dtype=object)]
)
def test_texts_are_rows(reviews, readers, given, tmp_path):
    texts, labels = reviews
    found = ic.evaluate_classifiers(readers, given(texts), labels, cv=4, cache=tmp_path / "cache")
    assert found.responses.shape == (2, 80)
    assert found.leaderboard().skill["skill"].min() > 0.9
    # What an item is, one reads beside its verdict.
    assert found.rows == tuple(texts)
    again = ic.evaluate_classifiers(readers, given(texts), labels, cv=4, cache=tmp_path / "cache")
    assert again.settings["resumed"] == 8


def test_texts_are_held_out_too(reviews, readers):
    texts, labels = reviews
    found = ic.evaluate_classifiers(readers, texts[:40], labels[:40], texts[40:], labels[40:])
    assert found.audit().suspects()["row"].iloc[0] in texts[40:]


def test_estimators_that_cannot_read_are_told_what_they_need(reviews, readers):
    texts, labels = reviews
    with pytest.raises(EvaluationError, match="Texts need pipelines that begin with a vectoriser"):
        ic.evaluate_classifiers([LogisticRegression(), MultinomialNB()], texts, labels, cv=3)


def test_records_are_rows():
    rng = np.random.default_rng(1)
    labels = rng.integers(2, size=60)
    records = [{"word": WORDS[2 * label], "n": float(k)} for k, label in enumerate(labels)]
    pool = [make_pipeline(DictVectorizer(), LogisticRegression(C=c)) for c in (0.1, 1.0)]
    assert ic.evaluate_classifiers(pool, records, labels, cv=3).responses.shape == (2, 60)


class Brightness(ClassifierMixin, BaseEstimator):
    """Tells images apart by how bright they are, of whatever size."""

    def __init__(self, power=1.0):
        self.power = power

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        shine = np.array([np.mean(image**self.power) for image in X])
        self.limit_ = np.mean([shine[y == label].mean() for label in self.classes_])
        return self

    def predict(self, X):
        bright = np.array([np.mean(image**self.power) for image in X]) > self.limit_
        return self.classes_[bright.astype(int)]


@pytest.mark.parametrize("size", [lambda k: (8, 8), lambda k: (4 + k % 3, 5)])
def test_images_of_one_size_and_of_many_are_rows(size, tmp_path):
    rng = np.random.default_rng(2)
    labels = rng.integers(2, size=40)
    images = [rng.random(size(k)) * 0.5 + 0.4 * label for k, label in enumerate(labels)]
    pool = {"plain": Brightness(), "square": Brightness(2.0)}
    found = ic.evaluate_classifiers(pool, images, labels, cv=4, cache=tmp_path)
    assert found.leaderboard().metrics["accuracy"].min() > 0.9


def test_tables_of_polars_say_what_their_rows_are(moons, few):
    table = polars.DataFrame({"x": moons.X_train[:, 0], "y": moons.X_train[:, 1]})
    found = ic.evaluate_classifiers(few, table, moons.y_train, cv=3)
    assert found.rows[0].startswith("x=")


@pytest.mark.parametrize("given", [np.zeros(100), list(range(100)), pandas.Series(range(100))])
def test_one_number_per_row_is_refused_with_what_to_write(moons, few, given):
    with pytest.raises(EvaluationError, match=r"reshape\(-1, 1\)"):
        ic.evaluate_classifiers(few, given, moons.y_train, cv=3)
