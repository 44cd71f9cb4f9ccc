"""Files named after what they hold."""

from pathlib import Path

import pandas
import pytest

import itemcurve as ic
from itemcurve.errors import StorageError
from itemcurve.exchange.run_exports import check_exports, export_run


@pytest.fixture(name="run")
def saved_evaluation(moons, few, tmp_path):
    ic.evaluate_classifiers(few, *moons).save(tmp_path / "run")
    return tmp_path / "run"


def test_a_run_of_an_evaluation_has_all(run, tmp_path):
    names = ("leaderboard.csv", "audit.md", "suspects.tex", "findings.csv", "items.csv")
    files = [
        tmp_path / "out" / name
        for name in (*names, "respondents.md", "model_card.md", "report.html")
    ]
    assert export_run(run, files) == files
    assert all(path.stat().st_size for path in files)
    assert len(pandas.read_csv(files[0])) == 4
    assert "Who is best?" in files[-1].read_text("utf-8")


def test_a_fit_has_no_leaderboard(tmp_path):
    drawn = ic.simulate("2pl", respondents=60, items=10, seed=1)
    ic.fit(drawn.responses).save(tmp_path / "run")
    export_run(tmp_path / "run", [tmp_path / "items.md"])
    with pytest.raises(StorageError, match="leaderboard is part of an evaluation"):
        export_run(tmp_path / "run", [tmp_path / "leaderboard.md"])


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("leaderbord.md", "Did you mean leaderboard.md"),
        ("leaderboard.pdf", "ends in one of .csv, .md, .tex"),
        ("model_card.csv", "ends in .md"),
        ("xyz", "Use leaderboard.csv"),
    ],
)
def test_other_names_are_refused_before_anything_is_done(name, said):
    with pytest.raises(StorageError, match=said):
        check_exports([Path(name)])


def test_a_run_of_ratings_has_judges(tmp_path):
    drawn = ic.judges.simulate_ratings(respondents=10, items=20, raters=4, seed=0)
    fit = ic.fit(drawn.ratings, "grm", raters="rater")
    fit.save(tmp_path / "run")
    names = ("leaderboard.csv", "judges.csv", "agreement.md", "findings.csv", "report.html")
    files = [tmp_path / name for name in names]
    assert export_run(tmp_path / "run", files) == files
    board = pandas.read_csv(files[0])
    assert board["fair_rating"].is_monotonic_decreasing
    assert pandas.read_csv(files[1])["rater"].tolist() == list(fit.ratings.raters)
    with pytest.raises(StorageError, match="A run of ratings is exported as leaderboard"):
        export_run(tmp_path / "run", [tmp_path / "effects.csv"])


def test_a_run_of_votes_has_effects_and_judges_where_votes_name_them(tmp_path):
    votes = ic.pairs.simulate_votes(respondents=5, votes=400, judges=3, seed=1).frame()
    ic.fit_pairs(votes).save(tmp_path / "run")
    names = ("leaderboard.csv", "effects.md", "judges.csv", "report.html")
    files = [tmp_path / name for name in names]
    assert export_run(tmp_path / "run", files) == files
    assert pandas.read_csv(files[0])["strength"].is_monotonic_decreasing
    assert len(pandas.read_csv(files[2])) == 3
    ic.fit_pairs(votes.drop(columns="judge")).save(tmp_path / "plain")
    with pytest.raises(StorageError, match=r"judges.csv.*is none of them"):
        export_run(tmp_path / "plain", [tmp_path / "judges.csv"])
