"""`itemcurve plot` of runs of ratings and of votes."""

import pytest

import itemcurve as ic

pytest.importorskip("matplotlib")


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    drawn = ic.judges.simulate_ratings(respondents=8, items=20, raters=4, seed=0)
    ic.fit(drawn.ratings, "grm", raters="rater").save(folder / "ratings")
    ic.fit_pairs(ic.pairs.simulate_votes(respondents=5, votes=400, seed=1).frame()).save(
        folder / "votes"
    )
    ic.fit(ic.simulate("grm", respondents=60, items=5, seed=1).responses, "grm").save(
        folder / "responses"
    )
    return folder


@pytest.mark.parametrize(
    ("run", "kind"),
    [("ratings", "judges"), ("ratings", "fair-ratings"), ("votes", "strengths")],
)
def test_ratings_and_votes_have_pictures_of_their_own(run, kind, command, runs, tmp_path):
    picture = tmp_path / f"{kind}.png"
    done = command("plot", runs / run, "--kind", kind, "--out", picture)
    assert (done.code, done.err) == (0, "")
    assert picture.stat().st_size > 5000


@pytest.mark.parametrize(
    ("run", "kind", "advice"),
    [
        ("ratings", "strengths", "Use --kind judges."),
        ("votes", "abilities", "Use --kind strengths."),
        ("responses", "judges", "Use --kind abilities."),
    ],
)
def test_pictures_of_something_else_are_refused_with_what_there_is(
    run, kind, advice, command, runs, tmp_path
):
    done = command("plot", runs / run, "--kind", kind, "--out", tmp_path / "picture.png")
    assert done.code == 2
    assert advice in done.err
