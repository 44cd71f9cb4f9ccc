"""What a leaderboard says."""

import numpy as np

import itemcurve as ic


def test_who_ties_to_the_digit_is_named():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 200)
    mine = np.where(rng.random(200) < 0.1, 1 - labels, labels)
    weak = np.where(rng.random(200) < 0.4, 1 - labels, labels)
    board = ic.from_predictions({"a": mine, "same": mine, "weak": weak}, labels).leaderboard()
    assert "It cannot be told from same." in board.say()
    assert "Clearly behind: weak." in board.say()


def test_one_model_alone_is_held_against_the_most_frequent_class():
    """Three quarters are of one class; a model that is right less often is ahead of nobody."""
    rng = np.random.default_rng(1)
    labels = (rng.random(400) < 0.25).astype(int)
    noisy = np.where(rng.random(400) < 0.38, 1 - labels, labels)
    board = ic.from_predictions({"tree": noisy}, labels).leaderboard()
    best = board.references.sort_values("skill").iloc[-1]
    assert best["respondent"] == "Most frequent class"
    assert board.frame()["against_constant"].iloc[0] == "behind"
    assert "all are clearly ahead" not in board.say()
