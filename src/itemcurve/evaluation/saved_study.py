"""A study on disk: the run folder of its fit, with analyses as tables and the predictions."""

from importlib.util import find_spec
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.predictions import Predictions
from itemcurve.evaluation.study import EvaluationStudy
from itemcurve.storage.run_folder import update_run
from itemcurve.storage.tables import pack_table

# Class probabilities beyond this many bytes stay out; the chosen classes tell the most.
_LARGEST_PROBABILITIES = 2**28


def save_study(study: EvaluationStudy, path: str | PathLike[str]) -> None:
    """Write a run folder that `itemcurve.load` reads the fit of.

    Beside the fit it holds the tables `leaderboard`, `correlations`, `evaluation` (failures,
    warnings, notes, settings) and, of classifiers, `audit`; the predictions are in
    `evaluation.npz`.
    """
    study.fit.save(path)
    update_run(path, pack_documents(study), {"evaluation": _arrays(study)})


def pack_documents(study: EvaluationStudy) -> dict[str, dict[str, Any]]:
    """Give the tables of a study as documents of a run, by name."""
    board = study.leaderboard()
    notes = {"level": board.level, "significance": board.significance, "task": study.task}
    documents = {
        "leaderboard": pack_table(board.frame(), "Leaderboard", notes),
        "correlations": pack_table(
            board.correlations().reset_index(names="metric"),
            "Rank correlations (Spearman), losses negated",
            {},
        ),
        "evaluation": pack_table(
            _remarks(study), "Failures and warnings", {"notes": list(study.notes), **study.settings}
        ),
    }
    if study.task == "classification" and find_spec("itemcurve.analysis.audit"):
        documents["audit"] = pack_table(study.audit().frame(), "Item audit", {})
    return documents


def _remarks(study: EvaluationStudy) -> Any:
    import pandas

    rows = [("failure", f.respondent, f.reason) for f in study.failures]
    rows += [("warning", c.respondent, c.text) for c in study.cautions]
    return pandas.DataFrame(rows, columns=["kind", "respondent", "text"])


def _arrays(study: EvaluationStudy) -> dict[str, NDArray[Any]]:
    predictions = study.predictions
    arrays: dict[str, NDArray[Any]] = {
        "respondents": np.array(predictions.respondents),
        "items": np.array(predictions.items),
        "y_true": study.y_true,
    }
    if not isinstance(predictions, Predictions):
        return {**arrays, "values": predictions.values}
    arrays["classes"] = np.array(predictions.classes)
    arrays["chosen"] = predictions.chosen.astype(np.int32)
    if predictions.probabilities.nbytes <= _LARGEST_PROBABILITIES:
        arrays["probabilities"] = predictions.probabilities
    return arrays
