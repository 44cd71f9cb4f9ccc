"""Leaderboards: ranks, tiers, the usual metrics."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.analysis.predictions import Predictions
from itemcurve.analysis.respondents.leaderboard import build_leaderboard
from itemcurve.analysis.respondents.tiers import assign_tiers
from itemcurve.errors import EvaluationError


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


def test_tiers_part_where_the_head_is_distinguishable():
    abilities = np.array([0.0, 3.0, 2.9, 1.0, -4.0])
    tiers = assign_tiers(abilities, np.full(5, 0.2))
    assert tiers.tolist() == [3, 1, 1, 2, 4]
    assert assign_tiers(abilities, np.full(5, 10.0)).tolist() == [1] * 5
    assert assign_tiers(abilities, np.full(5, np.nan)).tolist() == [1] * 5


def test_equal_respondents_are_rarely_parted():
    rng = np.random.default_rng(0)
    split = [assign_tiers(rng.normal(size=12), np.ones(12)).max() > 1 for _ in range(400)]
    # 5 % at most by the rule; 3 standard errors of 400 draws are 3.3 %.
    assert np.mean(split) < 0.083


@pytest.fixture(scope="module")
def board():
    return build_leaderboard(ic.fit(ic.simulate("2pl", respondents=30, items=80, seed=1).responses))


def test_the_ablest_comes_first_with_an_interval(board):
    table = board.frame()
    assert table["ability"].is_monotonic_decreasing
    assert table["tier"].is_monotonic_increasing
    assert table["rank"].tolist() == list(range(1, 31))
    width = (table["ability_upper"] - table["ability_lower"]) / table["ability_se"]
    np.testing.assert_allclose(width, 2 * 1.6448536)


def test_abilities_on_an_absolute_scale_are_shown_as_shares_too(board):
    predictions = draw(2, respondents=6)
    responses = ic.Responses.from_array(predictions.of_label, predictions.respondents)
    table = build_leaderboard(ic.fit(responses, "fractional-beta3")).frame()
    np.testing.assert_allclose(table["ability_01"], 1 / (1 + np.exp(-table["ability"])))
    assert "ability_01" not in board.frame()


def test_losses_are_negated_before_ranks_are_correlated(moons_study):
    board = moons_study.leaderboard()
    found = board.correlations()
    usual = ["skill", "ability", "accuracy", "f1", "brier", "log_loss", "auc"]
    assert list(found.columns)[:7] == usual
    np.testing.assert_allclose(np.diag(found), 1)
    from scipy.stats import spearmanr

    expected = spearmanr(board.metrics["accuracy"], -board.metrics["brier"]).statistic
    assert found.loc["accuracy", "brier"] == pytest.approx(expected)


@pytest.fixture(scope="module")
def moons_study():
    predictions = draw(2, respondents=6)
    names = predictions.respondents
    answers = dict(zip(names, predictions.probabilities, strict=True))
    return ic.from_predictions(answers, [predictions.classes[i] for i in predictions.labels])


def test_predictions_of_others_are_refused(board, moons_study):
    with pytest.raises(EvaluationError, match="respondents of the fit"):
        build_leaderboard(moons_study.fit, draw(2, respondents=5))
    with pytest.raises(EvaluationError, match="between 0 and 1"):
        build_leaderboard(moons_study.fit, level=90)


def test_predictions_whose_parts_do_not_fit_are_refused():
    good = draw(2)
    with pytest.raises(EvaluationError, match="shape"):
        Predictions(good.respondents, good.items, ("a",), good.probabilities, good.labels)
    with pytest.raises(EvaluationError, match="positions"):
        Predictions(good.respondents, good.items, good.classes, good.probabilities, good.labels + 1)
