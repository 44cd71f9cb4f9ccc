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
