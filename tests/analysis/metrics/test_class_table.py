"""Class by class."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.analysis.metrics.class_table import measure_each_class
from itemcurve.analysis.predictions import Predictions
from itemcurve.errors import EvaluationError


def predictions(labels, *chosen):
    classes = ("ash", "elm", "oak")
    stated = np.stack([np.eye(3)[list(row)] for row in chosen])
    names = tuple(f"model {number}" for number in range(1, len(chosen) + 1))
    items = tuple(f"i{place}" for place in range(len(labels)))
    return Predictions(names, items, classes, stated, np.array(labels))


def test_shares_and_confusions_are_counts():
    found = measure_each_class(
        predictions([0, 0, 0, 0, 1, 1], [0, 0, 1, 2, 1, 0], [0, 1, 1, 1, 1, 1]), "model 1"
    ).frame()
    # A class that nothing was given has no row.
    assert found["class"].tolist() == ["ash", "elm"]
    assert found["rows"].tolist() == [4, 2]
    assert found["share_right"].tolist() == [0.5, 0.5]
    assert found["mostly_taken_for"].tolist() == ["elm (1), oak (1)", "ash (1)"]
    assert found["named_rightly"].tolist() == [pytest.approx(2 / 3), 0.5]
    assert found["all_models"].tolist() == [0.375, 0.75]
    assert found["best_at_it"].tolist() == ["model 1 0.50", "model 2 1.00"]


def test_suspect_labels_are_counted_where_there_are_some():
    own = predictions([0, 0, 1], [0, 1, 1], [0, 0, 1])
    none = measure_each_class(own, "model 1", np.zeros(3, dtype=bool)).frame()
    assert "suspect_labels" not in none
    some = measure_each_class(own, "model 1", np.array([False, True, False])).frame()
    assert some["suspect_labels"].tolist() == [1, 0]


def test_who_is_unknown_is_refused():
    with pytest.raises(EvaluationError, match="model 1"):
        measure_each_class(predictions([0, 1], [0, 1]), "nobody")


def test_an_evaluation_tells_of_its_best(moons_evaluation):
    told = moons_evaluation.classes()
    found = told.frame()
    assert max(map(len, str(told).splitlines())) <= 80
    assert "least:" in told._repr_html_()
    assert found["rows"].sum() == moons_evaluation.responses.shape[1]
    board = moons_evaluation.leaderboard()
    right = (found["share_right"] * found["rows"]).sum() / found["rows"].sum()
    assert right == pytest.approx(board.frame()["accuracy"].iloc[0])


def test_numbers_have_no_classes():
    forecasts = ic.from_predictions(
        {"a": [1.0, 2.0, 4.0], "b": [1.5, 2.0, 2.0]}, [1.0, 2.5, 3.0], task="regression"
    )
    with pytest.raises(EvaluationError, match="numbers are predicted"):
        forecasts.classes()


@pytest.fixture(scope="module")
def moons_evaluation():
    from sklearn.datasets import make_moons
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB

    X, y = make_moons(120, noise=0.3, random_state=0)
    return ic.evaluate_classifiers([LogisticRegression(), GaussianNB()], X, y, cv=3)
