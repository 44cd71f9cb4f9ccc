"""Pictures of respondents that are drawn from more than a fit of responses."""

import pandas
import pytest
from tests.contracts.test_pictures import assert_readable

import itemcurve as ic


@pytest.mark.parametrize("count", [4, 60])
def test_strengths_are_drawn_the_best_on_top(count):
    drawn = ic.pairs.simulate_votes(respondents=count, votes=200 * count, seed=1)
    fit = ic.fit_pairs(drawn.frame())
    ax = ic.plots.strengths(fit)
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names[0] == fit.board.respondents[0]
    assert len(names) == min(count, 30)
    assert_readable(ax)


def test_a_clean_record_is_drawn_to_the_edge():
    rows = [("top", "m", "a")] * 6 + [("m", "n", "a"), ("n", "m", "a")] * 5 + [("n", "low", "a")]
    votes = pandas.DataFrame(rows, columns=["model_a", "model_b", "winner"])
    fit = ic.fit_pairs(votes, on_failure="ignore")
    ax = ic.plots.strengths(fit)
    markers = [line.get_marker() for line in ax.get_lines()]
    assert (markers.count(">"), markers.count("<")) == (1, 1)
    assert_readable(ax)
