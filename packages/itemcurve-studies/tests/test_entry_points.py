"""The studies as `itemcurve reproduce` finds and runs them."""

import json
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, distribution

import numpy as np
import pytest

from itemcurve.cli.installed_studies import load_evaluation
from itemcurve.datasets.simulation import simulate
from itemcurve.errors import ModelError
from itemcurve_studies.study.contract import Reproduction

# These have a small form of their own; the others take fewer repetitions.
OWN_QUICK_FORM = {"beta3", "robustness"}


@pytest.fixture
def folder(tmp_path):
    target = tmp_path / "data" / "llm"
    target.mkdir(parents=True)
    matrix = simulate("2pl", respondents=24, items=70, seed=1).responses.array()
    np.savez(target / "toy.npz", R=matrix.astype(np.uint8))
    return tmp_path


def test_every_study_is_found_and_has_a_quick_form(entry_points):
    assert set(entry_points) == {"adaptive", "beta3", "confusion", "gamma", "llm", "robustness"}
    for name in entry_points:
        study = load_evaluation(name)
        assert isinstance(study, Reproduction)
        assert (study.quick_seeds is None) == (name in OWN_QUICK_FORM)


def test_the_installed_package_declares_the_same_studies(entry_points):
    try:
        installed = distribution("itemcurve-studies").entry_points
    except PackageNotFoundError:
        pytest.skip("itemcurve-studies is not installed, only on the path")
    assert {point.name: point.value for point in installed} == {
        name: point.value for name, point in entry_points.items()
    }


def test_rows_are_refused_where_a_study_takes_all(entry_points, tmp_path):
    with pytest.raises(ModelError, match="Leave --rows out"):
        load_evaluation("llm")(tmp_path, rows=5)


@pytest.mark.usefixtures("entry_points")
def test_a_study_is_run_printed_and_saved(folder, command, tmp_path):
    out = tmp_path / "out"
    done = command("reproduce", "llm", "--data", folder, "--seeds", 1, "--out", out)
    assert done.code == 0, done.err
    assert "guarded" in done.out
    assert (out / "claims.csv").exists()
    printed = command("reproduce", "llm", "--data", folder, "--seeds", 1, "--json").out
    assert json.loads(printed)["notes"]["items_asked"] == 50


@pytest.mark.usefixtures("entry_points")
def test_missing_data_are_refused_in_one_line(command, tmp_path, monkeypatch):
    monkeypatch.setenv("ITEMCURVE_DATA", str(tmp_path))
    for study in ("confusion", "llm"):
        done = command("reproduce", study)
        assert (done.code, done.err.count("\n")) == (2, 1)
        assert "Set ITEMCURVE_DATA" in done.err


@pytest.mark.usefixtures("entry_points")
@pytest.mark.parametrize("study", ["beta3", "gamma", "robustness"])
def test_what_is_missing_is_said_before_anything_is_run(study, tmp_path):
    class Begun(Exception):  # noqa: N818
        """The experiment was reached."""

    def run(options):
        raise Begun

    lines = []
    with pytest.raises(Begun):
        replace(load_evaluation(study), run=run)(tmp_path, report=lines.append)
    assert "missing" in lines[0]
    assert "https://" in lines[0]
    assert "--data-check" in lines[-1]


@pytest.mark.usefixtures("entry_points")
def test_the_data_of_every_study_can_be_listed(entry_points, command, tmp_path):
    for name in entry_points:
        done = command("reproduce", name, "--data", tmp_path, "--data-check")
        assert done.code == 0, done.err
        assert "missing: data/" in done.out or "needs no data" in done.out
    listed = json.loads(
        command("reproduce", "gamma", "--data", tmp_path, "--data-check", "--json").out
    )
    assert listed["files"][0]["identifier"] == "UCI 477"
