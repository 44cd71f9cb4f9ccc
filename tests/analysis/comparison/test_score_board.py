"""Ranks by score with intervals, and tiers."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ResponsesError


def draw(chances, items=400, seed=0):
    random = np.random.default_rng(seed)
    easy = random.random(items)
    answers = [(easy < chance) ^ (random.random(items) < 0.05) for chance in chances]
    return np.array(answers, dtype=float)


def test_ranks_hold_those_that_are_told_apart():
    answers = draw([0.9, 0.89, 0.5, 0.2])
    board = ic.paired.score_board(ic.Responses.from_array(answers, list("abcd")))
    assert set(board.respondents[:2]) == {"a", "b"}
    assert board.best_rank.tolist() == [1, 1, 3, 4]
    assert board.worst_rank.tolist() == [2, 2, 3, 4]
    assert board.tiers.tolist() == [1, 1, 2, 3]
    assert board.frame()["behind_best"].iloc[0] == 0
    assert board.notes == ()


def test_intervals_of_ranks_hold_the_true_ranks():
    chances = [0.7, 0.68, 0.66, 0.6, 0.5]
    held = 0
    for seed in range(60):
        names = list("abcde")
        board = ic.paired.score_board(ic.Responses.from_array(draw(chances, 300, seed), names))
        truth = np.array([names.index(name) + 1 for name in board.respondents])
        held += bool(((board.best_rank <= truth) & (truth <= board.worst_rank)).all())
    assert held >= 55


def test_pairs_are_compared_on_what_both_answered():
    answers = draw([0.8, 0.7, 0.6])
    answers[1, :100] = np.nan
    named = ic.Responses.from_array(answers, list("abc"))
    board = ic.paired.score_board(named)
    place = board.respondents.index("b")
    pair = ic.compare_respondents(named, board.respondents[0], "b")
    assert board.behind_best[place] == pytest.approx(-pair.difference)
    assert board.answered[place] == 300
    assert "'b' the most (100 of 400)" in board.notes[0]


def test_complete_and_missing_paths_agree_with_and_without_clusters():
    from itemcurve.analysis.respondents.paired_differences import pair_scores
    from itemcurve.analysis.respondents.shared_items import pair_shared

    answers = draw([0.8, 0.7, 0.6], items=90)
    for clusters in (None, np.arange(90) % 11):
        whole = pair_scores(answers, clusters)
        means, errors, _, own, degrees, differences = pair_shared(answers, clusters)
        np.testing.assert_allclose(means, whole.means)
        np.testing.assert_allclose(errors, whole.errors)
        np.testing.assert_allclose(own, whole.own_errors)
        np.testing.assert_allclose(differences, whole.differences, atol=1e-15)
        off = ~np.eye(3, dtype=bool)
        np.testing.assert_allclose(degrees[off], whole.freedom)


def test_losses_are_ranked_from_below():
    losses = 1 - draw([0.9, 0.3])
    board = ic.paired.score_board(
        ic.Responses.from_array(losses, ["good", "poor"]), is_higher_better=False
    )
    assert board.respondents == ("good", "poor")
    assert board.scores[0] < board.scores[1]
    assert (board.lower <= board.scores).all()


def test_too_little_is_refused():
    with pytest.raises(ResponsesError, match="2 respondents at least"):
        ic.paired.score_board(ic.Responses.from_array([[1, 0, 1]]))
