"""Strengths and weaknesses by group."""

import numpy as np
import pytest
from scipy.stats import ttest_ind

import itemcurve as ic
from itemcurve.analysis.respondents.group_strengths import find_strengths
from itemcurve.errors import EvaluationError


@pytest.fixture(name="forecasts")
def two_regressors():
    rng = np.random.default_rng(2)
    targets = rng.normal(size=300)
    groups = np.repeat(["a", "b", "c"], 100)
    values = targets + rng.normal(size=(2, 300)) * 0.3
    values[0, groups == "b"] += rng.normal(size=100) * 1.5
    names = tuple(f"item {k}" for k in range(300))
    return ic.metrics.Forecasts(("first", "second"), names, values, targets), groups


def test_p_values_are_welchs(forecasts):
    predictions, groups = forecasts
    found = find_strengths(predictions, groups)
    scores = 1 - np.abs(predictions.values - predictions.targets) / predictions.usual_error
    for row in range(2):
        for column, name in enumerate("abc"):
            inside = groups == name
            expected = ttest_ind(scores[row, inside], scores[row, ~inside], equal_var=False)
            np.testing.assert_allclose(
                found.differences[row, column],
                scores[row, inside].mean() - scores[row, ~inside].mean(),
            )
            # Holm's is no smaller than the plain one, and no more than six times it. The answer
            # that is added to each group makes ours a little larger still.
            assert expected.pvalue <= found.p_values[row, column] * 1.001
    assert found.verdicts.tolist() == [["stronger", "weaker", "stronger"], ["", "", ""]]


def test_nothing_is_claimed_of_a_group_that_is_too_small(forecasts):
    predictions, groups = forecasts
    rare = groups.astype("U4")
    rare[:3] = "rare"
    found = find_strengths(predictions, rare)
    assert np.isnan(found.p_values[:, list(found.groups).index("rare")]).all()


def test_false_alarms_are_rare():
    rng = np.random.default_rng(1)
    alarms = 0
    for _ in range(200):
        labels = rng.integers(2, size=120)
        chances = np.where(rng.random((3, 120)) < 0.8, labels, 1 - labels)
        predictions = ic.metrics.Predictions(
            ("a", "b", "c"),
            tuple(map(str, range(120))),
            ("0", "1"),
            np.stack([1 - chances, chances], axis=2).astype(float),
            labels,
        )
        alarms += bool((find_strengths(predictions, np.arange(120) % 5).verdicts != "").any())
    # Familywise 5 %, plus two standard errors of 200 draws.
    assert alarms / 200 <= 0.05 + 2 * 0.0155


@pytest.mark.parametrize(
    ("groups", "said"),
    [([1, 2], "each of the 300 items"), (["x"] * 300, "two groups"), ((), "none")],
)
def test_groups_that_cannot_be_are_refused(forecasts, groups, said):
    with pytest.raises(EvaluationError, match=said):
        find_strengths(forecasts[0], groups)
