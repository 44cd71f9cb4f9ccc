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


@pytest.fixture(scope="module")
def rated():
    drawn = ic.judges.simulate_ratings(
        respondents=12, items=40, raters=5, seed=0, harsh=[0], random=[1]
    )
    return ic.fit(drawn.ratings, "grm", raters="rater")


def test_judges_are_drawn_the_most_severe_on_top_with_what_they_are_flagged_for(rated):
    ax = ic.plots.judges(rated)
    table = rated.raters.sort_values("severity", ascending=False)
    assert [label.get_text() for label in ax.get_yticklabels()] == table["rater"].tolist()
    shares = [text.get_text() for text in ax.texts if text.get_text().endswith("%")]
    assert shares == [f"{share:.0%}" for share in table["consistency"]]
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    assert legend == ["no flag", "severe", "inconsistent"]


@pytest.mark.parametrize("most", [40, 5])
def test_fair_ratings_stand_beside_the_means_the_best_on_top(rated, most):
    ax = ic.plots.fair_ratings(rated, most=most)
    table = rated.respondents.sort_values("fair_rating", ascending=False).head(most)
    assert [label.get_text() for label in ax.get_yticklabels()] == table["respondent"].tolist()
    points, rings = ax.get_lines()
    assert points.get_xdata().tolist() == table["fair_rating"].tolist()
    assert rings.get_xdata().tolist() == table["mean_rating"].tolist()
