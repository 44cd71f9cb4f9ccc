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


@pytest.mark.parametrize("settings", [{"general": "above"}, {"general": True}, {}])
def test_several_abilities_have_a_page_of_their_own(settings, tmp_path, open_page):
    drawn = ic.simulate("2pl", respondents=120, items=12, seed=1).responses
    subjects = {name: list(drawn.items[k::3]) for k, name in enumerate("abc")}
    fit = ic.fit(drawn, "2pl", dimensions=subjects, on_failure="ignore", **settings)
    fit.save(tmp_path / "run")
    page = open_page(report(tmp_path / "run", tmp_path / "page.html"), width=400)
    assert page.locator("h1").inner_text() == "How many abilities there are, and who has which"
    assert page.locator("[data-table=loadings] tbody tr").count() == 12
    assert page.locator("svg.intervals circle").count() > 5
    has_above = page.locator("[data-table=second_order]").count()
    assert has_above == (settings.get("general") == "above")
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
