"""Runs of votes, ratings and several populations in a browser, frozen and live."""

import json
from urllib.error import HTTPError
from urllib.request import urlopen

import numpy as np
import pandas
import pytest
from tests.running.http_service import HttpService

import itemcurve as ic
from itemcurve.dashboard.frozen_run import report
from itemcurve.service.settings import ServiceSettings
from itemcurve.store.data_folder import open_store


def ratings():
    rng = np.random.default_rng(0)
    rows = [
        (f"model-{model}", f"task-{task}", judge, int(np.clip(round(rng.normal(3 + model)), 1, 5)))
        for model in range(3)
        for task in range(8)
        for judge in ("ann", "<b>bob</b>")
    ]
    return pandas.DataFrame(rows, columns=["respondent", "item", "judge", "response"])


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """A service with runs of all kinds: its address, and their ids by what they hold."""
    folder = tmp_path_factory.mktemp("kinds")
    votes = ic.pairs.simulate_votes(respondents=4, votes=500, seed=1).frame()
    ic.fit_pairs(votes).save(folder / "votes")
    ic.fit(ratings(), "grm", raters="judge", on_failure="ignore").save(folder / "ratings")
    drawn = ic.simulate("2pl", respondents=60, items=8, seed=1).responses
    groups = ["open"] * 30 + ["closed"] * 30
    ic.fit(drawn, "2pl", groups=groups).save(folder / "responses")
    ic.fit(drawn, "2pl", dimensions=2).save(folder / "abilities")
    store = open_store(folder / "store")
    folders = [folder / name for name in ("votes", "ratings", "responses", "abilities")]
    service = HttpService(store, ServiceSettings(run_folders=folders))
    with urlopen(f"{service.url}/v1/runs") as answer:
        runs = {run["holds"]: run["id"] for run in json.load(answer)["runs"]}
    yield f"{service.url}/", runs
    service.stop()
    store.close()


def test_the_dashboard_shows_runs_of_all_kinds(served, visit):
    base, runs = served
    assert set(runs) == {"votes", "ratings", "responses", "abilities"}
    window = visit(base)
    page = window.go()
    page.locator("article.run .tile").first.wait_for()
    assert page.locator("article.run", has_text="500 votes between 4 respondents").count() == 1
    assert page.locator("article.run", has_text="by 2 judges").count() == 1
    assert page.locator("article.run .tile").count() == 3
    assert page.locator(".failed").count() == 0
    # One run of responses has no other to be compared with.
    assert "Compare:" not in page.locator("main").inner_text()
    page = window.go("run", runs["votes"])
    assert page.locator("h1").inner_text() == "Leaderboard of votes"
    assert page.locator("[data-table=leaderboard] tbody tr").count() == 4
    page = window.go("run", runs["ratings"])
    assert page.locator("h1").inner_text() == "Which judge can be trusted"
    assert "<b>bob</b>" in page.locator("main").inner_text()
    page = window.go("run", runs["abilities"])
    assert page.locator("h1").inner_text() == "How many abilities there are, and who has which"
    page = window.go("run", runs["responses"], "tables")
    assert "closed" in page.locator("main").inner_text()


def test_the_pages_that_a_run_of_votes_has_not_are_refused_with_a_reason(served):
    base, runs = served
    first = f"{base}v1/runs/{runs['votes']}/pages"
    with urlopen(f"{first}/brief") as answer:
        assert json.load(answer)["words"][0].startswith("4 respondents, 500 votes")
    for page in ("health", "items", "map", "item?item=a"):
        with pytest.raises(HTTPError) as caught:
            urlopen(f"{first}/{page}")
        problem = json.load(caught.value)
        caught.value.close()
        assert caught.value.code == 422
        assert "a fit of votes" in problem["detail"]


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
