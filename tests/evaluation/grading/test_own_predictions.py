"""Predictions made elsewhere."""

import numpy as np
import pandas
import pytest

import itemcurve as ic
from itemcurve.errors import EvaluationError


def test_labels_shares_and_tables_of_probabilities_are_understood():
    truth = ["no", "yes", "yes", "no"]
    evaluation = ic.from_predictions(
        {
            "labels": ["no", "yes", "no", "no"],
            "shares": [0.2, 0.9, 0.6, 0.5],
            "table": [[0.7, 0.3], [0.1, 0.9], [0.4, 0.6], [1.0, 0.0]],
        },
        truth,
        response="probability",
    )
    expected = [[1, 1, 0, 1], [0.8, 0.9, 0.6, 0.5], [0.7, 0.9, 0.6, 1.0]]
    np.testing.assert_allclose(evaluation.responses.array(), expected)


def test_labels_zero_and_one_are_labels():
    evaluation = ic.from_predictions(
        {"a": [0, 1, 1], "b": [1.0, 1.0, 0.0]}, [0, 1, 0], response="correct"
    )
    np.testing.assert_allclose(evaluation.responses.array(), [[1, 1, 0], [0, 1, 1]])


def test_columns_follow_the_order_of_the_classes_given():
    table = [[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.2, 0.2, 0.6]]
    evaluation = ic.from_predictions(
        {"a": table, "b": ["x", "y", "z"]},
        ["z", "y", "x"],
        classes=["z", "y", "x"],
        response="probability",
    )
    assert evaluation.predictions.classes == ("x", "y", "z")
    np.testing.assert_allclose(evaluation.responses.array(), [[0.7, 0.8, 0.6], [0, 1, 0]])


def test_numbers_are_forecasts():
    evaluation = ic.from_predictions(
        {"a": [1.0, 2.0, 3.5], "b": [1.5, 2.5, 2.0]}, [1.0, 2.2, 4.0], task="regression"
    )
    assert evaluation.task == "regression"
    assert list(evaluation.leaderboard().metrics) == ["mae", "rmse", "r2"]


@pytest.mark.parametrize(
    ("predictions", "settings", "said"),
    [
        ({}, {}, "a dict from names to arrays"),
        ([[0, 1, 1], [0, 1, 1]], {}, "must be a dict"),
        ({"a": [0, 1], "b": [0, 1, 1]}, {}, "'a' has 2 predictions"),
        ({"a": [0, 1, 2], "b": [0, 1, 1]}, {}, "found 2"),
        ({"a": [[0.5, 0.4]] * 3, "b": [0, 1, 1]}, {}, "sum to 1"),
        ({"a": [[0.5, 0.4, 0.1]] * 3, "b": [0, 1, 1]}, {}, r"shape \(3, 2\)"),
        ({"a": [0, 1, 1], "b": [0, 1, 1]}, {"task": "ranking"}, "classification"),
        ({"a": [0, 1, 1], "b": [0, 1, 1]}, {"classes": [0]}, "every label once"),
        ({"a": [0, 1, 1], "b": [0, 1, np.nan]}, {}, "1 of 3 labels are missing"),
    ],
)
def test_wrong_predictions_are_refused_with_advice(predictions, settings, said):
    with pytest.raises(EvaluationError, match=said):
        ic.from_predictions(predictions, [0, 1, 1], **settings)


def test_a_table_has_one_respondent_per_column():
    table = pandas.DataFrame({"first": [0.9, 0.8, 0.3, 0.1], "second": [0.1, 0.2, 0.3, 0.4]})
    evaluation = ic.from_predictions(table, ["yes", "yes", "no", "no"])
    assert evaluation.responses.respondents == ("first", "second")


def test_a_number_beyond_one_among_probabilities_is_named():
    with pytest.raises(EvaluationError, match="found 7"):
        ic.from_predictions({"a": [0.9, 0.8, 0.3, 7], "b": [0.1, 0.2, 0.3, 0.4]}, list("yynn"))


def test_listed_classes_may_outnumber_the_items():
    classes = [f"c{n:03d}" for n in range(200)]
    evaluation = ic.from_predictions(
        {"a": classes[:30], "b": classes[1:31]}, classes[:30], classes=classes, response="correct"
    )
    assert evaluation.responses.shape == (2, 30)
