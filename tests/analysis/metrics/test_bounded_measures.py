"""Measures against scikit-learn's."""

import numpy as np
import pytest

from itemcurve.analysis.metrics.bounded_measures import MEASURES, measure_performance


@pytest.mark.parametrize("classes", [2, 4])
def test_measures_agree_with_scikit_learn(classes):
    from sklearn import metrics

    rng = np.random.default_rng(classes)
    y = np.arange(60) % classes
    proba = rng.dirichlet(np.ones(classes), size=60)
    found = dict(zip(MEASURES, measure_performance(y, proba), strict=True))
    hard = proba.argmax(axis=1)
    each = [metrics.accuracy_score(y == k, hard == k) for k in range(classes)]
    assert found["accuracy"] == pytest.approx(metrics.accuracy_score(y, hard))
    assert found["brier"] == pytest.approx(
        1 - ((proba - np.eye(classes)[y]) ** 2).sum(axis=1).mean() / 2
    )
    assert found["log_loss"] == pytest.approx(np.exp(-metrics.log_loss(y, proba)))
    assert found["weighted_accuracy"] == pytest.approx(
        np.average(each, weights=np.bincount(y) / y.size)
    )
    ranks = proba if classes > 2 else proba[:, 1]
    assert found["auc"] == pytest.approx(
        metrics.roc_auc_score(y, ranks, multi_class="ovr", average="weighted")
    )
    assert found["f1"] == pytest.approx(metrics.f1_score(y, hard, average="weighted"))


def test_a_class_that_does_not_occur_weighs_nothing():
    proba = np.array([[0.6, 0.3, 0.1], [0.2, 0.7, 0.1], [0.5, 0.4, 0.1]])
    y = np.array([0, 1, 1])
    alone = proba[:, :2] / proba[:, :2].sum(axis=1, keepdims=True)
    found = dict(zip(MEASURES, measure_performance(y, proba), strict=True))
    expected = dict(zip(MEASURES, measure_performance(y, alone), strict=True))
    for name in ("accuracy", "weighted_accuracy", "auc", "f1"):
        assert found[name] == pytest.approx(expected[name])


def test_one_class_alone_has_no_area_under_the_curve():
    found = measure_performance(np.zeros(3, dtype=int), np.full((3, 2), 0.5))
    assert np.isnan(found[MEASURES.index("auc")])
    assert np.isfinite(np.delete(found, MEASURES.index("auc"))).all()
