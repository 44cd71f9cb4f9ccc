"""Ensembles weighted by ability."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import EvaluationError


@pytest.fixture(scope="module")
def evaluation():
    """Three good classifiers and three that guess, on 200 items."""
    rng = np.random.default_rng(0)
    labels = rng.integers(2, size=200)
    answers = {}
    for index, skill in enumerate([2.0, 1.8, 1.6, 0.0, 0.0, 0.0]):
        logits = skill * (2 * labels - 1) + rng.normal(size=200) * 1.5
        answers[f"r{index}"] = 1 / (1 + np.exp(-logits))
    return ic.from_predictions(answers, labels)


def test_the_able_weigh_more(evaluation):
    weights = ic.pools.weigh_abilities(evaluation.fit)
    assert sum(weights.values()) == pytest.approx(1)
    assert min(weights["r0"], weights["r1"], weights["r2"]) > 3 * max(
        weights["r3"], weights["r4"], weights["r5"]
    )


def test_weights_beat_the_plain_average_where_half_of_the_respondents_guess(evaluation):
    table = ic.pools.compare_ensembles(evaluation).frame().set_index("ensemble")
    assert table.loc["ability-weighted", "brier"] < table.loc["plain average", "brier"]
    assert table.loc["ability-weighted", "accuracy"] >= table.loc["plain average", "accuracy"]


def test_errors_have_no_weights():
    evaluation = ic.from_predictions(
        {"a": [1.0, 2.0, 3.5], "b": [1.5, 2.5, 2.0]}, [1.0, 2.2, 4.0], task="regression"
    )
    with pytest.raises(EvaluationError, match="rise with ability"):
        ic.pools.weigh_abilities(evaluation.fit)
    with pytest.raises(EvaluationError, match="evaluation of classifiers"):
        ic.pools.compare_ensembles(evaluation)


def test_too_many_folds_are_refused(evaluation):
    with pytest.raises(EvaluationError, match="folds must be 2 or more"):
        ic.pools.compare_ensembles(evaluation, folds=150)
