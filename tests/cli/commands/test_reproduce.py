"""`itemcurve reproduce`."""

import json

import numpy as np
import pytest

from itemcurve.datasets.simulation import simulate


@pytest.fixture
def folder(tmp_path):
    target = tmp_path / "data" / "llm"
    target.mkdir(parents=True)
    matrix = simulate("2pl", respondents=24, items=70, seed=1).responses.array()
    np.savez(target / "toy.npz", R=matrix.astype(np.uint8))
    return tmp_path


def test_a_study_is_run_printed_and_saved(folder, command, tmp_path):
    out = tmp_path / "out"
    done = command("reproduce", "llm", "--data", folder, "--seeds", 1, "--out", out)
    assert done.code == 0, done.err
    assert "guarded" in done.out
    assert (out / "claims.csv").exists()
    printed = command("reproduce", "llm", "--data", folder, "--seeds", 1, "--json").out
    assert json.loads(printed)["notes"]["items_asked"] == 50


def test_unknown_studies_and_missing_data_are_refused_in_one_line(command, tmp_path, monkeypatch):
    assert "A study is one of" in command("reproduce", "nobody").err
    monkeypatch.setenv("ITEMCURVE_DATA", str(tmp_path))
    done = command("reproduce", "llm")
    assert (done.code, done.err.count("\n")) == (2, 1)


def test_every_study_has_a_quick_form():
    from importlib import import_module
    from inspect import signature

    from itemcurve.cli.commands.reproduce import QUICK_SEEDS, STUDIES

    for study, (module, name) in STUDIES.items():
        parameters = signature(getattr(import_module(module), name)).parameters
        assert ("quick" in parameters) != (study in QUICK_SEEDS)


def test_claims_are_printed_with_their_verdicts(capsys):
    from itemcurve.cli.commands.reproduce import _print
    from itemcurve.studies.claims import Claim, claims_frame
    from itemcurve.studies.contract import StudyResult

    claim = Claim("C1", "The sky is blue", "blue", "grey", "does not hold", "rain", True)
    _print(StudyResult("Sky", {"claims": claims_frame([claim])}), None, is_json=False)
    printed = capsys.readouterr().out
    assert "C1 ★ does not hold: The sky is blue" in printed
    assert "here: grey" in printed
    assert "cause: rain" in printed
