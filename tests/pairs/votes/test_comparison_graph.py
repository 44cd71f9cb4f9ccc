"""Pieces that never met, and those who have no finite strength."""

import pytest

from itemcurve.errors import ResponsesError
from itemcurve.pairs.votes.comparison_graph import find_pieces, find_reach, refuse_pieces
from itemcurve.pairs.votes.vote_rows import count_outcomes
from itemcurve.pairs.votes.vote_table import read_votes


def met(*votes):
    first, second, winner = zip(*votes, strict=True)
    return read_votes({"model_a": first, "model_b": second, "winner": winner})


def reach(votes):
    counts, _ = count_outcomes(votes)
    found = find_reach(votes.first, votes.second, counts, len(votes.respondents))
    return found.is_core.tolist(), found.direction.tolist()


def test_pieces_are_named_and_a_bridge_is_proposed():
    votes = met(("t", "u", "a"), ("v", "w", "a"), ("w", "x", "b"))
    pieces = find_pieces(votes)
    assert pieces.tolist() == [1, 1, 0, 0, 0]
    with pytest.raises(ResponsesError, match=r"2 pieces.*3: v, w, x; 2: t, u.*'v' against 't'"):
        refuse_pieces(votes, pieces)


def test_a_cycle_of_wins_makes_all_finite():
    assert reach(met(("x", "y", "a"), ("y", "z", "a"), ("z", "x", "a")))[0] == [True] * 3


def test_a_tie_links_both_ways():
    assert reach(met(("x", "y", "tie"), ("y", "z", "both_bad")))[0] == [True] * 3


def test_those_above_and_below_are_told_apart():
    votes = met(
        *(("m", "n", "a"), ("n", "m", "a"), ("top", "m", "a"), ("n", "low", "a")),
        *(("over", "top", "a"), ("low", "m", "b")),
    )
    is_core, direction = reach(votes)
    found = dict(zip(votes.respondents, direction, strict=True))
    assert is_core == [name in ("m", "n") for name in votes.respondents]
    assert found == {"low": -1, "m": 0, "n": 0, "over": 1, "top": 1}
