"""The command line as a function, and one small set of files for all tests of commands."""

import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from itemcurve.cli.main import run
from itemcurve.datasets.simulation import simulate
from itemcurve.estimation.fit import fit


@dataclass(frozen=True)
class Outcome:
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def _plain_terminal(monkeypatch):
    for name in ("COLUMNS", "FORCE_COLOR", "NO_COLOR", "ITEMCURVE_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    # Nothing written here needs to survive a power cut.
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


@pytest.fixture
def command(capfd):
    """Run `itemcurve` with these arguments, inside this process."""

    def invoke(*arguments: object) -> Outcome:
        capfd.readouterr()
        code = run([str(argument) for argument in arguments])
        return Outcome(code, *capfd.readouterr())

    return invoke


@pytest.fixture(scope="session")
def files(tmp_path_factory) -> Path:
    """A folder with responses (`responses.csv`) and the run fitted to them (`run`)."""
    folder = tmp_path_factory.mktemp("files")
    drawn = simulate("2pl", respondents=120, items=15, seed=1, missing=0.1)
    drawn.responses.save(folder / "responses.csv")
    fit(drawn.responses, "2pl").save(folder / "run")
    return folder
