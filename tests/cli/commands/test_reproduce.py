"""`itemcurve reproduce`, with a study of a package that is not there otherwise."""

import json
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint
from pathlib import Path

import pandas
import pytest

from itemcurve.cli import installed_studies
from itemcurve.cli.installed_studies import GROUP

CLAIM = {
    "claim": "C1",
    "statement": "The sky is blue",
    "paper": "blue",
    "measured": "grey",
    "verdict": "does not hold",
    "cause": "rain",
    "is_headline": True,
}


@dataclass(frozen=True)
class Result:
    tables: dict
    notes: dict = field(default_factory=dict)
    title: str = "The sky"

    def save(self, folder):
        Path(folder).mkdir(parents=True)
        (Path(folder) / "saved").touch()


def sky(data, *, seeds, rows, quick, report, work):
    report("looking up")
    tables = {
        "claims": pandas.DataFrame([CLAIM]),
        # A verdict of another kind, as on the curves of models: no claim.
        "curves": pandas.DataFrame({"model": ["forest"], "verdict": ["robust"]}),
        "long": pandas.DataFrame({"row": range(61)}),
    }
    notes = {"data": str(data), "seeds": seeds, "rows": rows, "quick": quick, "work": str(work)}
    return Result(tables, notes)


@pytest.fixture
def studies(monkeypatch):
    """Install these studies, by name."""

    def install(**values):
        points = [EntryPoint(name, value, GROUP) for name, value in values.items()]
        monkeypatch.setattr(installed_studies, "entry_points", lambda group: points)

    return install


def test_a_study_is_run_printed_and_saved(studies, command, tmp_path):
    studies(sky=f"{__name__}:sky")
    out = tmp_path / "out"
    done = command("reproduce", "sky", "--data", tmp_path, "--out", out)
    assert done.code == 0, done.err
    assert "looking up" in done.err
    assert "C1 ★ does not hold: The sky is blue" in done.out
    assert "here: grey" in done.out
    assert "cause: rain" in done.out
    assert "forest" in done.out
    assert "long: 61 rows, saved with --out" in done.out
    assert (out / "saved").exists()


def test_options_reach_the_study(studies, command, tmp_path):
    studies(sky=f"{__name__}:sky")
    given = ("--data", tmp_path, "--seeds", 2, "--rows", 0, "--quick", "--json")
    notes = json.loads(command("reproduce", "sky", *given).out)["notes"]
    assert notes == {"data": str(tmp_path), "seeds": 2, "rows": 0, "quick": True, "work": "None"}


def test_unknown_studies_are_refused_with_those_installed(studies, command):
    studies(sky=f"{__name__}:sky", sea=f"{__name__}:sky")
    done = command("reproduce", "nobody")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "A study is one of sea, sky. Got 'nobody'." in done.err


def test_without_the_package_what_to_install_is_said(studies, command):
    studies()
    done = command("reproduce", "beta3")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "studies of the package itemcurve-studies; it is not installed. Run: pip" in done.err
