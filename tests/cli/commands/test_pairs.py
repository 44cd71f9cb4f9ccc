"""`itemcurve pairs`: a leaderboard from a file of votes."""

import json

import pandas
import pytest

import itemcurve as ic


@pytest.fixture(scope="module")
def votes(tmp_path_factory):
    path = tmp_path_factory.mktemp("votes") / "votes.csv"
    drawn = ic.pairs.simulate_votes(
        respondents=7, votes=3000, judges=4, random_judges=1, order=0.4, length=0.5, seed=3
    )
    drawn.frame().to_csv(path, index=False)
    return path


def test_text_has_the_board_the_judges_and_the_summary(command, votes):
    outcome = command("pairs", votes, "--judges", "own", "--style", "length")
    assert (outcome.code, outcome.err) == (0, "")
    assert "Leaderboard of votes" in outcome.out
    assert "judge_4" in outcome.out
    assert "IRT033 judge at random" in outcome.out
    assert "more length wins" in outcome.out


def test_json_says_the_same_as_the_library(command, votes):
    found = json.loads(command("pairs", votes, "--json").out)
    fit = ic.fit_pairs(votes)
    assert [row["respondent"] for row in found["leaderboard"]] == list(fit.board.respondents)
    assert found["leaderboard"][0]["strength"] == pytest.approx(fit.board.strength[0])
    assert found["status"]["name"] == "converged"
    assert [row["effect"] for row in found["effects"]] == ["ties", "order"]
    assert (found["votes"], found["judges"], found["unbounded"]) == (3000, 4, [])


def test_a_run_and_a_picture_are_written(command, votes, tmp_path):
    run, picture = tmp_path / "run", tmp_path / "strengths.png"
    outcome = command("pairs", votes, "--out", run, "--picture", picture, "--respondents", 3)
    assert outcome.code == 0
    assert "the first 3 of 7" in outcome.out
    assert picture.stat().st_size > 1000
    assert ic.pairs.load_pairs(run).board.respondents == ic.fit_pairs(votes).board.respondents


def test_what_cannot_be_is_refused_in_one_line(command, votes, tmp_path):
    table = pandas.read_csv(votes)
    table.loc[4, "winner"] = "nobody"
    table.to_csv(tmp_path / "bad.csv", index=False)
    outcome = command("pairs", tmp_path / "bad.csv")
    assert outcome.code == 2
    assert "'nobody', the first in row 5" in outcome.err
    assert command("pairs", tmp_path / "nothing.csv").code == 2
    assert command("pairs", votes, "--picture", tmp_path / "x.txt").code == 2


def test_clean_records_are_shown_as_such(command, tmp_path):
    rows = [("top", "m", "a")] * 6 + [("m", "n", "a"), ("n", "m", "a")] * 5
    path = tmp_path / "swept.jsonl"
    lines = [json.dumps({"model_a": a, "model_b": b, "winner": w}) for a, b, w in rows]
    path.write_text("\n".join(lines), "utf-8")
    outcome = command("pairs", path)
    assert outcome.code == 0
    assert "it won all its 6 votes" in outcome.out
    assert json.loads(command("pairs", path, "--json").out)["leaderboard"][0]["strength"] is None
