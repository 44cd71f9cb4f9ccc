"""What strengths alone explain is told before anything is fitted."""

from itemcurve.pairs.model.confounding import find_confounded
from itemcurve.pairs.votes.vote_rows import add_up
from itemcurve.pairs.votes.vote_table import read_votes


def confounded(pairs, style=None):
    table = {"model_a": [a for a, _ in pairs], "model_b": [b for _, b in pairs]}
    table["winner"] = ["a"] * len(pairs)
    if style is not None:
        table["tone"] = style
    votes = read_votes(table, style=() if style is None else "tone")
    rows = add_up(votes, by_judge=False, by_item=False, singly=False)
    return find_confounded(rows, len(votes.respondents))


def test_a_reference_always_on_one_side_hides_the_order():
    assert confounded([("ref", "x"), ("ref", "y"), ("ref", "z")]) == (True, [])
    assert confounded([("ref", "x"), ("ref", "y"), ("z", "ref")]) == (True, [])


def test_a_pair_in_both_orders_or_a_triangle_tells_the_order():
    assert confounded([("ref", "x"), ("x", "ref")])[0] is False
    assert confounded([("x", "y"), ("y", "z"), ("x", "z")])[0] is False


def test_a_style_that_is_the_same_in_every_meeting_of_two_is_found():
    pairs = [("x", "y"), ("x", "y"), ("y", "x")]
    assert confounded(pairs, [2.0, 2.0, -2.0])[1] == [0]
    assert confounded(pairs, [2.0, 1.0, -2.0])[1] == []


def test_many_votes_do_not_drown_a_rare_change_of_sides():
    pairs = [("ref", "x")] * 20_000 + [("ref", "y")] * 20_000 + [("y", "ref")] * 3
    is_hidden, _ = confounded(pairs)
    assert is_hidden is False
