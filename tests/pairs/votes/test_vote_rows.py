"""Votes added up are the same votes."""

import numpy as np

from itemcurve.pairs.votes.vote_cells import number_cells
from itemcurve.pairs.votes.vote_rows import add_up
from itemcurve.pairs.votes.vote_table import read_votes


def test_counts_and_weights_add_up():
    votes = read_votes(
        {
            "model_a": ["x", "x", "y", "x"],
            "model_b": ["y", "y", "x", "y"],
            "winner": ["a", "both_bad", "a", "b"],
            "weight": [2, 1, 1, 3],
        }
    )
    rows = add_up(votes, by_judge=True, by_item=True, singly=False)
    assert rows.counts.tolist() == [[2, 3, 1], [1, 0, 0]]
    assert (rows.both_bad.tolist(), rows.votes.tolist()) == ([1, 0], [3, 1])


def test_a_probability_is_shared_out():
    votes = read_votes({"model_a": ["x"], "model_b": ["y"], "probability_a": [0.75]})
    rows = add_up(votes, by_judge=False, by_item=False, singly=False)
    assert rows.counts.tolist() == [[0.75, 0.25, 0.0]]


def test_combinations_beyond_the_range_of_integers_are_told_apart():
    rng = np.random.default_rng(0)
    codes = [rng.integers(2**40, size=500) for _ in range(4)]
    codes = [np.concatenate([part, part[:100]]) for part in codes]
    cells, firsts = number_cells(codes, [2**40] * 4)
    assert len(firsts) == 500
    assert cells[500:].tolist() == cells[:100].tolist()
