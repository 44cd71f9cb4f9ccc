"""Regressors as respondents."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsRegressor
from sklearn.tree import DecisionTreeRegressor

import itemcurve as ic
from itemcurve.errors import EvaluationError
from itemcurve.evaluation.pools.pool import Pool

POOL = {
    "line": LinearRegression(),
    "ridge": Ridge(50.0),
    "neighbours": KNeighborsRegressor(5),
    "tree": DecisionTreeRegressor(max_depth=3),
}


def test_normalised_errors_compare_with_the_mean_of_the_targets(line):
    evaluation = ic.evaluate_regressors(POOL, *line, response="normalised")
    predicted = LinearRegression().fit(line.X_train, line.y_train).predict(line.X_test)
    expected = np.abs(line.y_test - predicted) / np.abs(line.y_test - line.y_test.mean())
    np.testing.assert_allclose(evaluation.responses.array()[0], expected, rtol=1e-10)
    assert evaluation.fit.model == "gamma-normalised"
    assert evaluation.task == "regression"


def test_scores_are_one_over_one_plus_the_normalised_error(line):
    errors = ic.evaluate_regressors(POOL, *line, response="normalised").responses.array()
    scores = ic.evaluate_regressors(POOL, *line, response="score")
    np.testing.assert_allclose(scores.responses.array(), 1 / (1 + errors))
    assert scores.fit.model == "beta3"


def test_absolute_errors_have_one_unit_for_all_items(line):
    evaluation = ic.evaluate_regressors(POOL, *line)
    assert evaluation.fit.model == "rasch-errors"
    errors = np.abs(line.y_test - evaluation.predictions.values)
    usual = np.abs(line.y_test - line.y_test.mean()).mean()
    np.testing.assert_allclose(evaluation.responses.array(), errors / usual)


def test_abilities_are_minus_the_logs_of_mean_errors(line):
    evaluation = ic.evaluate_regressors(POOL, *line)
    logs = -np.log(evaluation.responses.array().mean(axis=1))
    # The prior of abilities, N(0, 3²), draws them together by less than a hundredth.
    np.testing.assert_allclose(
        evaluation.fit.estimates.abilities, logs - logs.mean(), atol=0.01, rtol=0.01
    )
    board = evaluation.leaderboard().frame()
    assert board["mae"].is_monotonic_increasing
    np.testing.assert_allclose(
        board["skill"], 1 - board["mae"] / evaluation.predictions.usual_error, atol=1e-12
    )


def test_references_are_the_best_the_mean_and_the_worst(line):
    pool = Pool(tuple(POOL), tuple(POOL.values()), ("Optimal", "Average", "Worst"))
    evaluation = ic.evaluate_regressors(pool, *line, model="gamma-normalised", on_failure="ignore")
    errors = evaluation.responses.array()
    assert evaluation.responses.respondents[-3:] == ("Optimal", "Average", "Worst")
    np.testing.assert_allclose(errors[-2], 1.0)
    np.testing.assert_allclose(errors[-3], errors[[0, 1, 2, 3, 5]].min(axis=0))
    np.testing.assert_allclose(errors[-1], errors[[0, 1, 2, 3, 5]].max(axis=0))
    assert evaluation.references == ("Optimal", "Average", "Worst")


def test_references_are_lines_and_never_ranks(line):
    pool = Pool(tuple(POOL), tuple(POOL.values()), ("Optimal", "Average", "Worst"))
    evaluation = ic.evaluate_regressors(pool, *line)
    assert evaluation.responses.respondents == tuple(POOL)
    board = evaluation.leaderboard()
    assert set(board.respondents) == set(POOL)
    lines = board.references.set_index("respondent")["skill"]
    assert lines["Optimal"] > board.skill["skill"].max()
    assert lines["Average"] == pytest.approx(0, abs=1e-12)


def test_a_target_at_the_mean_does_not_make_errors_infinite(line):
    targets = line.y_test.copy()
    targets[0] = np.delete(targets, 0).mean()
    evaluation = ic.evaluate_regressors(POOL, line.X_train, line.y_train, line.X_test, targets)
    assert np.isfinite(evaluation.responses.array()).all()


def test_folds_of_a_continuous_target_need_no_classes(line):
    evaluation = ic.evaluate_regressors(POOL, line.X_train, line.y_train, cv=4)
    assert evaluation.responses.shape == (4, 80)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"estimators": [LinearRegression(), LogisticRegression()]}, "evaluate_classifiers"),
        ({"y_train": ["a"] * 80}, "must hold numbers"),
        ({"y_test": [np.nan] * 40}, "40 of 40 values are missing"),
        ({"y_test": [1.0] * 40}, "must differ"),
        ({"response": "probability"}, "'absolute', 'normalised', 'score'"),
        ({"cv": 5}, "either X_test and y_test, or cv"),
    ],
)
def test_wrong_input_is_refused_with_advice(line, change, said):
    given = {
        "estimators": POOL,
        "X_train": line.X_train,
        "y_train": line.y_train,
        "X_test": line.X_test,
        "y_test": line.y_test,
        **change,
    }
    with pytest.raises(EvaluationError, match=said):
        ic.evaluate_regressors(**given)
