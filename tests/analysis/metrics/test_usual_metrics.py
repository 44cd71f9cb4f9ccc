"""The usual metrics, beside scikit-learn."""

import numpy as np
import pytest
from sklearn import metrics

from itemcurve.analysis.metrics.label_counts import count_labels
from itemcurve.analysis.metrics.usual_metrics import (
    LABEL_METRICS,
    measure_classes,
    measure_labels,
    measure_numbers,
)
from itemcurve.analysis.predictions import Forecasts, Predictions

# Given classes, predicted classes, number of classes.
ODD_LABELS = {
    "a class predicted but never given": ([0, 0, 1, 1, 0, 1], [0, 2, 1, 0, 0, 1], 3),
    "a class given but never predicted": ([0, 0, 1, 2, 2, 1], [0, 1, 1, 0, 1, 1], 3),
    "a class that does not occur": ([0, 0, 3, 1, 3, 1], [0, 1, 1, 3, 3, 1], 4),
    "a class predicted for all": ([0, 1, 2, 2, 0, 1], [1, 1, 1, 1, 1, 1], 3),
    "all alike and right": ([2, 2, 2], [2, 2, 2], 3),
    "all alike and wrong": ([2, 2, 2], [0, 0, 0], 3),
    "two of two, all wrong": ([0, 1, 0, 1], [1, 0, 1, 0], 2),
    "two, the positive never predicted": ([0, 1, 0, 1], [0, 0, 0, 0], 2),
    "two, the positive never given": ([0, 0, 0, 0], [0, 1, 0, 0], 2),
    "two, all positive": ([1, 1, 1], [1, 1, 1], 2),
    "two, none positive": ([0, 0, 0], [0, 0, 0], 2),
}


def draw(classes, respondents=3, items=80, seed=0):
    rng = np.random.default_rng(seed)
    probabilities = rng.dirichlet(np.ones(classes), size=(respondents, items))
    return Predictions(
        tuple(f"r{i}" for i in range(respondents)),
        tuple(f"i{i}" for i in range(items)),
        tuple(f"c{i}" for i in range(classes)),
        probabilities,
        rng.integers(classes, size=items),
    )


def certain(labels, named, classes):
    """Predictions with all probability on the class named."""
    return Predictions(
        tuple(f"r{i}" for i in range(len(named))),
        tuple(f"i{i}" for i in range(len(labels))),
        tuple(f"c{i}" for i in range(classes)),
        np.eye(classes)[named],
        labels,
    )


def expected_of_labels(y, named, classes, positive=1):
    """The same by scikit-learn, where it has it."""
    how = {"average": "macro"} if classes != 2 else {"average": "binary", "pos_label": positive}
    found = {
        name: getattr(metrics, f"{name}_score")(y, named, zero_division=0, **how)
        for name in ("f1", "precision", "recall")
    }
    found["accuracy"] = metrics.accuracy_score(y, named)
    if len(set(y) | set(named)) > 1:
        found["mcc"] = metrics.matthews_corrcoef(y, named)
    if classes == 2 and len(set(y)) == 2:
        found["auc_of_labels"] = metrics.balanced_accuracy_score(y, named)
        found["specificity"] = metrics.recall_score(y, named, pos_label=1 - positive)
    return found


@pytest.mark.parametrize("case", ODD_LABELS)
@pytest.mark.parametrize("positive", [0, 1])
def test_metrics_of_odd_labels_are_those_of_scikit_learn(case, positive):
    y, named, classes = ODD_LABELS[case]
    labels, rows = np.array(y), np.array([named, y])
    found = measure_labels(labels, rows, classes, positive)
    assert tuple(found) == LABEL_METRICS
    for row, chosen in enumerate(rows.tolist()):
        for name, value in expected_of_labels(y, chosen, classes, positive).items():
            assert found[name][row] == pytest.approx(value), name


@pytest.mark.parametrize("case", ODD_LABELS)
def test_leaderboard_and_confusion_matrix_have_one_f1(case):
    y, named, classes = ODD_LABELS[case]
    labels, rows = np.array(y), np.array([named, y])
    board = measure_classes(certain(labels, rows, classes))
    cells = measure_labels(labels, rows, classes)
    for name in ("accuracy", "f1"):
        np.testing.assert_array_equal(board[name], cells[name])


def test_what_one_respondent_names_does_not_change_the_f1_of_another():
    y, named, classes = ODD_LABELS["a class predicted but never given"]
    both = measure_labels(np.array(y), np.array([named, y]), classes)["f1"]
    assert both[1] == 1.0


@pytest.mark.parametrize("classes", [2, 4])
def test_metrics_of_labels_agree_with_scikit_learn(classes):
    rng = np.random.default_rng(classes)
    y, predicted = rng.integers(0, classes, 50), rng.integers(0, classes, (3, 50))
    found = measure_labels(y, predicted, classes)
    for row in range(3):
        for name, value in expected_of_labels(y, predicted[row], classes).items():
            assert found[name][row] == pytest.approx(value), name
        if classes == 2:
            area = metrics.roc_auc_score(y, predicted[row])
            assert found["auc_of_labels"][row] == pytest.approx(area)


def test_the_area_of_labels_is_the_mean_over_classes_that_are_given():
    y, named = np.array([0, 0, 1, 1, 2, 2]), np.array([[0, 3, 1, 0, 2, 2]])
    areas = [metrics.roc_auc_score(y == k, named[0] == k) for k in range(3)]
    found = count_labels(y, named, 4).area_under_curve()
    np.testing.assert_allclose(found, [np.mean(areas)])


@pytest.mark.parametrize("classes", [2, 4])
def test_metrics_agree_with_scikit_learn(classes):
    predictions = draw(classes)
    found = measure_classes(predictions)
    y = predictions.labels
    for row, values in enumerate(predictions.probabilities):
        chosen = values.argmax(axis=1)
        average = "binary" if classes == 2 else "macro"
        score = values[:, 1] if classes == 2 else values
        assert found["accuracy"][row] == pytest.approx(metrics.accuracy_score(y, chosen))
        assert found["f1"][row] == pytest.approx(metrics.f1_score(y, chosen, average=average))
        assert found["log_loss"][row] == pytest.approx(metrics.log_loss(y, values))
        auc = metrics.roc_auc_score(y, score, multi_class="ovr")
        assert found["auc"][row] == pytest.approx(auc)
        one_hot = np.eye(classes)[y]
        brier = ((values - one_hot) ** 2).sum(axis=1).mean() / (2 if classes == 2 else 1)
        assert found["brier"][row] == pytest.approx(brier)


def test_metrics_of_numbers_agree_with_scikit_learn():
    rng = np.random.default_rng(0)
    y = rng.normal(size=50)
    values = y + rng.normal(size=(3, 50))
    items = tuple(map(str, range(50)))
    found = measure_numbers(Forecasts(("a", "b", "c"), items, values, y))
    for row, guess in enumerate(values):
        assert found["mae"][row] == pytest.approx(metrics.mean_absolute_error(y, guess))
        assert found["rmse"][row] == pytest.approx(metrics.root_mean_squared_error(y, guess))
        assert found["r2"][row] == pytest.approx(metrics.r2_score(y, guess))


def test_a_class_that_does_not_occur_has_no_say_in_the_auc():
    predictions = draw(3)
    labels = np.where(predictions.labels == 2, 0, predictions.labels)
    found = measure_classes(
        Predictions(
            predictions.respondents,
            predictions.items,
            predictions.classes,
            predictions.probabilities,
            labels,
        )
    )
    assert np.isfinite(found["auc"]).all()
