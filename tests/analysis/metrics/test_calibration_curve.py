"""How often choices are right, by how sure respondents said they were."""

import numpy as np
import pytest

from itemcurve.analysis.metrics.calibration_curve import calibration_curves
from itemcurve.analysis.predictions import Predictions


def predict(stated, labels, names=("a",)):
    stated = np.atleast_2d(stated)
    items = tuple(f"i{n}" for n in range(stated.shape[1]))
    pairs = np.stack([1 - stated, stated], axis=2)
    return Predictions(tuple(names), items, ("no", "yes"), pairs, np.asarray(labels))


def test_probabilities_that_come_true_lie_on_the_diagonal():
    rng = np.random.default_rng(0)
    stated = rng.uniform(0, 1, 20_000)
    labels = (rng.random(20_000) < stated).astype(int)
    found = calibration_curves(predict(stated, labels))
    assert len(found) == 8
    assert found["items"].sum() == 20_000
    assert found["stated"].is_monotonic_increasing
    # 2,500 items a group: a share is off by 0.01, typically.
    assert found["right"].to_numpy() == pytest.approx(found["stated"].to_numpy(), abs=0.04)


def test_who_is_too_sure_lies_below():
    rng = np.random.default_rng(1)
    true = rng.uniform(0.2, 0.8, 2_000)
    labels = (rng.random(2_000) < true).astype(int)
    sharp = true**3 / (true**3 + (1 - true) ** 3)
    found = calibration_curves(predict(sharp, labels))
    assert (found["right"] < found["stated"]).iloc[-4:].all()


def test_few_items_make_few_groups_and_references_none():
    stated = np.array([np.linspace(0.1, 0.9, 60), np.full(60, 0.7), np.tile([0.0, 1.0], 30)])
    found = calibration_curves(predict(stated, np.tile([0, 1], 30), ("a", "constant", "sure")))
    assert found["respondent"].tolist() == ["a", "a"]
