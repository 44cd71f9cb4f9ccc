"""Runs of votes and ratings in a browser."""

import pytest

import itemcurve as ic
from itemcurve.dashboard.frozen_run import report


@pytest.mark.parametrize("width", [1400, 400])
def test_votes_have_a_page_of_their_own(width, tmp_path, open_page):
    votes = ic.pairs.simulate_votes(respondents=4, votes=500, seed=1).frame()
    votes = votes.replace("model_1", "<img src=x onerror='window.hacked = true'>")
    page = open_page(report(ic.fit_pairs(votes), tmp_path / "page.html"), width=width)
    assert page.locator("h1").inner_text() == "Leaderboard of votes"
    assert page.locator("svg.intervals circle").count() == 4
    assert page.locator("[data-table=leaderboard] tbody tr").count() == 4
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("window.hacked") is None
    assert page.locator("img").count() == 0
