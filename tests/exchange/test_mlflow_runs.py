"""Runs of MLflow: the real one where it is installed."""

import sys
from pathlib import Path

import numpy as np
import pytest
from tests.exchange.examples import make_fit, make_score_test

import itemcurve as ic
from itemcurve.errors import MissingExtraError
from itemcurve.exchange.mlflow_runs import metrics_of


def test_metrics_have_names_that_trackers_allow():
    found = metrics_of(make_score_test())
    test = make_score_test()
    assert found["org/new/score"] == test.score.value
    assert found["org/new/score_upper"] == test.score.upper
    assert "org/new/score_se" not in found
    fit = make_fit()
    assert metrics_of(fit)["org/model-0/ability_se"] == fit.estimates.ability_errors[0]
    assert all(np.isfinite(list(metrics_of(fit).values())))


def test_without_mlflow_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "mlflow", None)
    with pytest.raises(MissingExtraError, match=r"itemcurve\[mlflow\]"):
        ic.exchange.log_to_mlflow(make_fit())


@pytest.mark.filterwarnings("ignore")
def test_a_fit_comes_back_from_its_run(tmp_path, monkeypatch):
    mlflow = pytest.importorskip("mlflow", reason="mlflow is not installed")
    monkeypatch.chdir(tmp_path)
    mlflow.set_tracking_uri(f"sqlite:///{tmp_path / 'runs.db'}")
    fit = make_fit()
    run = ic.exchange.log_to_mlflow(fit)
    assert mlflow.active_run() is None
    again = ic.exchange.load_from_mlflow(run)
    assert again.bank.mark == fit.bank.mark
    np.testing.assert_array_equal(again.estimates.abilities, fit.estimates.abilities)
    logged = mlflow.get_run(run).data.metrics
    assert logged["org/model-3/ability"] == fit.estimates.abilities[3]
    table = mlflow.load_table("itemcurve/respondents.json", run_ids=[run])
    assert len(table) == 40
    page = mlflow.artifacts.download_artifacts(
        run_id=run, artifact_path="itemcurve/report.html", dst_path=str(tmp_path)
    )
    assert "<html" in Path(page).read_text("utf-8")[:2000]
    with mlflow.start_run() as active:
        assert ic.exchange.log_to_mlflow(make_score_test()) == active.info.run_id
        assert mlflow.active_run() is not None
