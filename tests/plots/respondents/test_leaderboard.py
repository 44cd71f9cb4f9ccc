"""The picture of a leaderboard."""

import pytest

import itemcurve as ic

pytest.importorskip("matplotlib")


@pytest.fixture(name="evaluation")
def few_models(moons, few):
    return ic.evaluate_classifiers(few, *moons)


@pytest.fixture(autouse=True)
def _closed():
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


def test_the_best_is_on_top_with_its_interval(evaluation):
    board = evaluation.leaderboard()
    axes = ic.plots.leaderboard(board)
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert tuple(labels) == board.respondents
    ticks = axes.get_yticks()
    assert ticks[0] == max(ticks)
    spans = sorted(
        (segment[0][0], segment[1][0])
        for lines in axes.collections
        for segment in lines.get_segments()
    )
    table = board.frame()
    assert spans == sorted(zip(table["skill_lower"], table["skill_upper"], strict=True))
    assert axes.get_xlabel() == "skill"


def test_an_evaluation_draws_it_by_itself(evaluation):
    assert evaluation.plot().get_title("left") == "Leaderboard"
    assert ic.plots.leaderboard(evaluation, most=2).get_yticks().tolist() == [2, 1]


def test_a_board_by_ability_has_abilities():
    fit = ic.fit(ic.simulate("2pl", respondents=20, items=15, seed=1).responses)
    assert ic.plots.leaderboard(ic.build_leaderboard(fit)).get_xlabel() == "ability"
