"""Fits and tests in runs of MLflow, and fits back from there."""

import re
import tempfile
from math import isfinite
from pathlib import Path
from typing import Any

from itemcurve.adaptive.ability.ability_test import AdaptiveTest
from itemcurve.adaptive.score.score_test import ScoreTest
from itemcurve.dashboard.frozen_run import report
from itemcurve.errors import MissingExtraError
from itemcurve.estimation.result import FitResult
from itemcurve.estimation.saving.saved_fit import load
from itemcurve.exchange.measured_scores import Source, measured_scores

_FOLDER = "itemcurve"
# A metric for each respondent helps as long as somebody can look at them all; tables have the rest.
_MOST_METRICS = 50


def log_to_mlflow(source: Source, *, page: bool = True) -> str:
    """Log a fit or a test to the active run of MLflow, or to a new one.

    Metrics: what was measured of each respondent, with standard errors (of at most 50). Tables:
    respondents and items, or the answers of a test. Of a fit, also the run folder, which
    `load_from_mlflow` reads back, and the report as a page.

    Parameters
    ----------
    page : whether the report of a fit is written.

    Returns
    -------
    The id of the run.
    """
    mlflow = _import_mlflow()
    active = mlflow.active_run()
    run = active or mlflow.start_run()
    try:
        mlflow.log_metrics(metrics_of(source))
        for name, table in tables_of(source).items():
            mlflow.log_table(data=table, artifact_file=f"{_FOLDER}/{name}.json")
        if isinstance(source, FitResult):
            _log_files(mlflow, source, page)
    finally:
        if active is None:
            mlflow.end_run()
    return str(run.info.run_id)


def load_from_mlflow(run: str) -> FitResult:
    """Read the fit that `log_to_mlflow` kept in a run.

    Parameters
    ----------
    run : its id.
    """
    mlflow = _import_mlflow()
    with tempfile.TemporaryDirectory() as folder:
        found = mlflow.artifacts.download_artifacts(
            run_id=run, artifact_path=f"{_FOLDER}/run", dst_path=folder
        )
        return load(found)


def metrics_of(source: Source) -> dict[str, float]:
    """Give numbers by name, in the letters that trackers allow."""
    found: dict[str, float] = {}
    if isinstance(source, FitResult):
        found = {
            "log_likelihood": source.log_likelihood,
            "aic": source.aic,
            "bic": source.bic,
            "converged": float(source.status.is_converged),
            "respondents": float(source.responses.shape[0]),
            "items": float(source.responses.shape[1]),
        }
    else:
        found = {"answers": float(len(source.answers)), "finished": float(source.is_finished)}
    scores = measured_scores(source)
    if len({score.respondent for score in scores}) <= _MOST_METRICS:
        for score in scores:
            name = f"{_clean(score.respondent)}/{score.kind}"
            ends = {"_lower": score.lower, "_upper": score.upper, "_se": score.se}
            found |= {name: score.value} | {name + end: value for end, value in ends.items()}
    return {name: float(value) for name, value in found.items() if isfinite(value)}


def tables_of(source: Source) -> dict[str, Any]:
    """Give tables by name."""
    if isinstance(source, AdaptiveTest | ScoreTest):
        return {"answers": source.frame()}
    return {"respondents": source.respondents, "items": source.items}


def _log_files(mlflow: Any, fit: FitResult, page: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        fit.save(place / "run")
        mlflow.log_artifacts(str(place / "run"), f"{_FOLDER}/run")
        if page:
            report(fit, place / "report.html")
            mlflow.log_artifact(str(place / "report.html"), _FOLDER)


def _clean(name: str) -> str:
    return re.sub(r"[^\w\-. /]", "_", name)


def _import_mlflow() -> Any:
    try:
        import mlflow
    except ImportError:
        raise MissingExtraError(
            "Runs of MLflow need mlflow;",
            "it is not installed.",
            "Run: pip install 'itemcurve[mlflow]'.",
        ) from None
    return mlflow
