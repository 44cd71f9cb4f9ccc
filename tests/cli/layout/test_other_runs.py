"""Runs of ratings and votes are read, shown and reported like runs of responses."""

import html
import json

import pytest
from tests.running.report_page import read_words

import itemcurve as ic
from itemcurve.errors import StorageError
from itemcurve.judges import Raters, simulate_ratings


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    place = tmp_path_factory.mktemp("runs")
    drawn = simulate_ratings(respondents=6, items=40, raters=4, seed=1, harsh=[0], random=[1])
    fits = {
        "ratings": ic.fit(drawn.ratings, "grm", raters=Raters(interactions=())),
        "votes": ic.fit_pairs(
            ic.pairs.simulate_votes(respondents=5, votes=400, order=0.5, judges=2, seed=2).frame()
        ),
        "responses": ic.fit(ic.simulate("2pl", respondents=60, items=6, seed=1).responses),
    }
    for name, fit in fits.items():
        fit.save(place / name)
    return place, fits


def test_load_gives_what_was_saved(runs):
    place, fits = runs
    for name, fit in fits.items():
        assert type(ic.load(place / name)) is type(fit)
    assert ic.load(place / "votes").frame().equals(fits["votes"].frame())


def test_findings_have_codes(runs):
    _, fits = runs
    found = {finding.code: finding for finding in ic.findings(fits["ratings"])}
    assert found["IRT040"].concerned == ("judge_1",)
    assert found["IRT041"].concerned == ("judge_2",)
    assert "points lower than others" in found["IRT040"].message
    assert [f.code for f in ic.findings(fits["ratings"], mute=("IRT040",))] == ["IRT041"]
    assert "IRT031" in [finding.code for finding in ic.findings(fits["votes"])]
    assert not len(ic.findings(fits["votes"], mute=("IRT030", "IRT031", "IRT035")))


@pytest.mark.parametrize(
    ("name", "said"), [("ratings", "rates the same answers"), ("votes", "Side a wins")]
)
def test_commands_read_them(name, said, command, runs, tmp_path):
    run = runs[0] / name
    assert said in command("show", run).out
    assert json.loads(command("show", run, "--json").out)["command"] == "show"
    assert "IRT0" in command("findings", run).out
    page = tmp_path / "page.html"
    assert command("report", run, "--out", page).code == 0
    text = page.read_text("utf-8")
    assert said in html.unescape(text.partition("<noscript>")[2])
    assert said in read_words(page)
    assert "IRT0" in read_words(page)
    assert ic.report(runs[1][name], tmp_path / "again.html").read_text("utf-8") == text


def test_what_needs_responses_says_so(runs):
    from itemcurve.estimation.saving.saved_fit import load

    with pytest.raises(StorageError, match="holds a fit of votes"):
        load(runs[0] / "votes")
