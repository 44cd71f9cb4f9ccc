"""Run folders and session files of earlier versions are read as they were written."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from tests.references.former_versions.write_fixtures import FITS, write_all

import itemcurve as ic
from itemcurve.cli.main import run
from itemcurve.evaluation.saved_evaluation import load_evaluation

VERSIONS = sorted(Path(__file__).parent.glob("former_versions/version_*"))


@pytest.fixture(scope="session")
def written_today(tmp_path_factory):
    pytest.importorskip("numpyro")
    folder = tmp_path_factory.mktemp("today") / "written"
    write_all(folder)
    return folder


@pytest.fixture(
    params=[
        *(pytest.param(path, id=path.name) for path in VERSIONS),
        pytest.param(None, id="today", marks=pytest.mark.slow),
    ]
)
def version(request):
    return request.param or request.getfixturevalue("written_today")


@pytest.fixture
def expected(version):
    return json.loads((version / "expected.json").read_text())


@pytest.mark.parametrize("name", FITS)
def test_fits_are_read(version, expected, name):
    fit, known = ic.load(version / name), expected["fits"][name]
    assert fit.model == known["model"]
    assert fit.log_likelihood == known["log_likelihood"]
    np.testing.assert_array_equal(fit.respondents["ability"], known["abilities"])
    np.testing.assert_array_equal(fit.respondents["ability_se"], known["ability_errors"])
    for column, values in known["items"].items():
        np.testing.assert_array_equal(fit.items[column], values)
    assert (fit.estimates.draws is not None) == (name == "fit_draws")


@pytest.mark.parametrize("name", ["study_of_classes", "study_of_numbers"])
def test_studies_are_read(version, expected, name):
    study, known = load_evaluation(version / name), expected["studies"][name]
    board = study.leaderboard()
    assert list(board.respondents) == known["respondents"]
    np.testing.assert_allclose(board.frame()["skill"], known["skill"], rtol=1e-9)
    assert [finding.code for finding in study.findings()] == known["findings"]


@pytest.mark.parametrize("beside_run", [False, True])
def test_sessions_of_ability_go_on(version, expected, beside_run):
    bank = ic.load(version / "fit_marginal").bank if beside_run else None
    name = "session_of_ability_beside_run" if beside_run else "session_of_ability"
    test, known = ic.AdaptiveTest.load(version / f"{name}.json", bank=bank), expected["sessions"]
    assert [[a.item, a.response] for a in test.answers] == known["ability"]["answers"]
    assert test.ability == pytest.approx(known["ability"]["ability"], abs=1e-9)
    assert test.next_item() == known["ability"]["next"]


@pytest.mark.parametrize("beside_run", [False, True])
def test_sessions_of_scores_go_on(version, expected, beside_run):
    source = ic.load(version / "fit_marginal") if beside_run else None
    name = "session_of_score_beside_run" if beside_run else "session_of_score"
    test = ic.ScoreTest.load(version / f"{name}.json", calibration=source)
    assert len(test.answers) == 3
    if not beside_run:
        known = expected["sessions"]["score"]
        assert [[a.item, a.response] for a in test.answers] == known["answers"]
        assert test.next_item() == known["next"]
        # Kriging has an intercept since: the same answers foretell a slightly other score.
        assert test.score.value == pytest.approx(known["score"], abs=1e-3)


@pytest.mark.parametrize("name", ["ability", "score"])
def test_sessions_are_kept_in_the_present_format_once_they_go_on(version, name, tmp_path):
    path = shutil.copy(version / f"session_of_{name}.json", tmp_path / "s.json")
    for file in [*version.glob("bank-*.json"), *version.glob("calibration-*.json")]:
        shutil.copy(file, tmp_path)
    load = ic.AdaptiveTest.load if name == "ability" else ic.ScoreTest.load
    test = load(path)
    while (item := test.next_item()) is not None:
        test.save(path)
        test.record(item, 1.0)
    test.save(path)
    assert len(test.answers) == 4
    back = load(path)
    assert (back.answers, back.pending) == (test.answers, test.pending)
    assert back.score.value == pytest.approx(test.score.value, abs=1e-9)
    assert '-session-2"' in path.read_text().splitlines()[0]


def test_short_forms_predict_the_same(version, expected):
    form, fit = ic.ShortForm.load(version / "short_form.json"), ic.load(version / "fit_marginal")
    assert list(form.items) == expected["short_form"]["items"]
    predicted = form.predict(fit.responses.select(items=form.items))
    np.testing.assert_allclose(predicted.score, expected["short_form"]["predicted"], rtol=1e-9)


@pytest.mark.parametrize("name", ["fit_marginal", "fit_errors", "study_of_classes"])
def test_reports_are_written_of_them(version, name, tmp_path, capsys):
    shutil.copytree(version / name, tmp_path / "run")
    for _ in range(2):
        assert run(["report", str(tmp_path / "run")]) == 0
        assert capsys.readouterr().err == ""
        assert (tmp_path / "run" / "report.html").stat().st_size > 10_000
