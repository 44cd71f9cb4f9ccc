"""Findings about forecasts of numbers."""

import numpy as np

import itemcurve as ic
from itemcurve.analysis.findings.forecast_findings import find_deciding_item
from itemcurve.reports.headline import answer_best, answer_numbers
from itemcurve.reports.interval_picture import draw_skills


def forecasts(slip):
    """Two regressors; a slip in one row throws one of them off."""
    rng = np.random.default_rng(0)
    targets = rng.normal(10, 4, 80)
    robust, linear = (targets + rng.normal(0, 1.5, 80) for _ in range(2))
    linear[41] += slip
    answers = {"robust": robust, "linear": linear}
    return ic.from_predictions(answers, targets, task="regression")


def test_one_row_that_makes_most_of_an_error_is_named():
    evaluation = forecasts(slip=5000.0)
    found = {finding.code: finding for finding in evaluation.findings()}["IRT019"]
    assert found.concerned == ("item_42", "linear")
    assert found.severity == "warning"
    without = np.delete(
        np.abs(evaluation.predictions.values - evaluation.predictions.targets), 41, 1
    )
    skill = 1 - without[1].mean() / evaluation.predictions.usual_error
    assert f"its skill would be {skill:.2f}." in found.message


def test_who_is_thrown_off_is_not_called_level_with_the_best():
    evaluation = forecasts(slip=5000.0)
    board = evaluation.leaderboard()
    assert "Too erratic to be placed, worse than a constant on average: linear." in board.say()
    assert "cannot be told from" not in board.say()
    tile = answer_best(board.frame(with_references=True), ic.ranking(evaluation))
    assert "linear" not in tile.text
    picture = draw_skills(board.frame(with_references=True))
    assert [row.name for row in picture.rows] == ["robust"]
    assert picture.more == 1


def test_the_page_points_at_the_row_and_never_says_that_all_is_checked():
    slip, usual = forecasts(slip=5000.0), forecasts(slip=0.0)
    tile = answer_numbers(slip.fit, slip.findings())
    assert (tile.answer, tile.kind) == ("item_42", "doubt")
    tile = answer_numbers(usual.fit, usual.findings())
    assert tile.kind == "plain"
    assert tile.text.startswith("It is forecast worst by all together")


def test_usual_errors_are_decided_by_no_single_item():
    evaluation = forecasts(slip=3.0)
    assert find_deciding_item(evaluation.predictions) is None
    assert "erratic" not in evaluation.leaderboard().say()
