"""A table of answers, one column per model."""

import numpy as np
import pandas
import pytest

import itemcurve as ic
from itemcurve.errors import EvaluationError
from itemcurve.evaluation.grading.prediction_tables import evaluate_predictions, read_answers


@pytest.fixture(name="answers")
def three_models():
    rng = np.random.default_rng(0)
    truth = rng.choice(["cat", "dog"], 60)
    frame = pandas.DataFrame({"id": [f"picture {k}" for k in range(60)], "label": truth})
    frame["words"] = np.where(rng.random(60) < 0.9, truth, "cat")
    frame["shares"] = np.clip((truth == "dog") * 0.6 + rng.random(60) * 0.4, 0, 1)
    frame["both:cat"] = 1 - frame["shares"]
    frame["both:dog"] = frame["shares"]
    return frame


def test_columns_are_answers_and_not_features(answers, tmp_path):
    path = tmp_path / "preds.csv"
    answers.to_csv(path, index=False)
    found = evaluate_predictions(path, "label")
    same = ic.from_predictions(
        {
            "words": answers["words"],
            "shares": answers["shares"],
            "both": answers[["both:cat", "both:dog"]].to_numpy(),
        },
        answers["label"],
        items=answers["id"],
    )
    np.testing.assert_array_equal(found.responses.array(), same.responses.array())
    assert found.responses.respondents == ("words", "shares", "both")
    assert found.responses.items[0] == "picture 0"
    assert "3 models answered: words, shares, both." in found.notes


def test_the_positive_class_is_named(answers):
    counts = answers["label"].value_counts()
    most, share = counts.index[0], counts.iloc[0] / 60
    said = f"Positive is 'dog', negative 'cat'; most frequent is '{most}' ({share:.0%})."
    assert said in evaluate_predictions(answers, "label").notes


def test_of_many_classes_the_most_frequent_is_named():
    labels = ["a", "b", "c", "b"] * 10
    found = ic.from_predictions({"one": labels[::-1], "Always positive": ["c"] * 40}, labels)
    said = "Of 3 classes 'b' (50%) is the most frequent. Always positive says 'c'."
    assert said in found.notes


def test_numbers_beside_numbers_are_regression():
    rng = np.random.default_rng(1)
    price = rng.normal(size=40)
    frame = pandas.DataFrame({"y": price, "a": price + 0.1, "b": price + rng.normal(size=40)})
    found = evaluate_predictions(frame)
    assert found.task == "regression"
    assert found.leaderboard().respondents[0] == "a"


def test_labels_are_the_same_whatever_kind_of_number_they_are():
    frame = pandas.DataFrame({"label": [1, 2, 3, 1], "a": [1.0, 2.0, 2.0, 1.0], "b": list("1231")})
    found = read_answers(frame, None, (), "auto")
    assert found.answers["a"].tolist() == [1, 2, 2, 1]
    assert found.answers["b"].tolist() == [1, 2, 3, 1]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"age": np.arange(60) + 20.0}, "'age' has 20.0. Leave it out if it is no model"),
        ({"words": None}, "'words' has 60 gaps"),
        ({"half:cat": 0.5}, "'half' has none of 'dog'. Add a column half:dog"),
    ],
)
def test_what_is_no_answer_is_refused_with_advice(answers, change, said):
    with pytest.raises(EvaluationError, match=said):
        evaluate_predictions(answers.assign(**change), "label")


def test_a_table_without_models_is_refused(answers):
    with pytest.raises(EvaluationError, match="beside 'label' there is none"):
        evaluate_predictions(answers[["id", "label"]], "label")
