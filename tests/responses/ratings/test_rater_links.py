"""Raters that can and cannot be compared."""

import pytest

from itemcurve.errors import ResponsesError
from itemcurve.judges import simulate_ratings
from itemcurve.responses.ratings.rater_links import check_links, find_groups


@pytest.fixture(scope="module")
def ratings():
    return simulate_ratings(respondents=6, items=12, raters=4, seed=1).ratings


def test_shared_answers_link(ratings):
    assert len(find_groups(ratings)) == 1
    check_links(ratings)


def test_a_ring_of_pairs_links(ratings):
    own = [(0, 1), (1, 2), (2, 3), (3, 0)]
    kept = [r in own[i % 4] for i, r in zip(ratings.item, ratings.rater, strict=True)]
    assert len(find_groups(ratings.take(kept))) == 1


@pytest.mark.parametrize("side", ["item", "respondent"])
def test_halves_with_items_or_respondents_of_their_own_do_not(ratings, side):
    half = getattr(ratings, side) % 2
    pieces = ratings.take(half == ratings.rater // 2)
    assert [group.tolist() for group in find_groups(pieces)] == [[2, 3], [0, 1]] or [
        group.tolist() for group in find_groups(pieces)
    ] == [[0, 1], [2, 3]]
    with pytest.raises(ResponsesError, match="2 groups whose severities cannot be compared"):
        check_links(pieces)


def test_one_answer_in_common_links_them(ratings):
    half = ratings.item % 2
    bridge = (ratings.item == 0) & (ratings.respondent == 0)
    assert len(find_groups(ratings.take((half == ratings.rater // 2) | bridge))) == 1


def test_raters_who_share_no_answer_may_be_linked_crosswise(ratings):
    apart = ratings.take((ratings.respondent + ratings.item) % 4 == ratings.rater)
    assert len(find_groups(apart)) == 1
