"""An evaluation on disk: the run folder of its fit, with analyses as tables and the predictions."""

from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.findings.all_findings import pack_findings
from itemcurve.analysis.predictions import Forecasts, Predictions
from itemcurve.errors import StorageError
from itemcurve.estimation.saving.saved_fit import read_fit, save_fit
from itemcurve.evaluation.collecting.answer_collection import Caution, Failure
from itemcurve.evaluation.evaluation_result import Evaluation
from itemcurve.storage.run_folder import Documents, Run, read_whole
from itemcurve.storage.tables import pack_table, unpack_table

if TYPE_CHECKING:
    import pandas

    from itemcurve.analysis.respondents.leaderboard import Leaderboard

# Class probabilities beyond this many bytes stay out; the chosen classes tell the most.
_LARGEST_PROBABILITIES = 2**28
_FEWEST_CLASSES, _MOST_PAIRS = 2, 20_000
_BY_CLASS = (
    "By given class: share_right is against the labels as given; skill is what may be right where "
    "labels are in doubt, so read it beside the share"
)


def save_evaluation(
    evaluation: Evaluation, path: str | PathLike[str], *, documents: Documents | None = None
) -> None:
    """Write a run folder that `itemcurve.load` reads the fit of, in one step.

    Beside the fit it holds the tables `leaderboard`, `audit`, `classes`, `class_strengths`,
    `metrics`, `calibration`, `correlations`, `findings` and `evaluation` (failures, warnings,
    notes, settings); the predictions are in `evaluation.npz`.

    Parameters
    ----------
    documents : further tables of the same run, by name.
    """
    save_fit(
        evaluation.fit,
        path,
        documents={**_documents(evaluation), **(documents or {})},
        arrays={"evaluation": _arrays(evaluation)},
    )


def load_evaluation(path: str | PathLike[str]) -> Evaluation:
    """Read an evaluation that `Evaluation.save` wrote; safe on folders from strangers.

    Parameters
    ----------
    path : the run folder.
    """
    return read_whole(path, _read_study)


def _read_study(run: Run) -> Evaluation:
    path, result = run.path, read_fit(run)
    document = run.document("evaluation")
    remarks = unpack_table(document, "evaluation")
    try:
        settings = dict(document["notes"])
        notes = tuple(str(note) for note in settings.pop("notes"))
        said = [
            (str(r.kind), str(r.respondent), str(r.text)) for r in remarks.itertuples(index=False)
        ]
        arrays = run.arrays("evaluation")
        predictions = _unpack_predictions(arrays)
        has_same = set(result.responses.respondents) <= set(predictions.respondents)
        rows = tuple(str(text) for text in arrays.get("rows", ()))
        groups = tuple(str(name) for name in arrays.get("groups", ()))
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise _refusal(path, str(error)) from error
    if not has_same or predictions.items != result.responses.items:
        raise _refusal(path, "its predictions are not those of its fit")
    return Evaluation(
        predictions,
        result,
        tuple(Failure(who, text) for kind, who, text in said if kind == "failure"),
        tuple(Caution(who, text) for kind, who, text in said if kind == "warning"),
        notes,
        settings,
        rows,
        groups,
    )


def evaluation_tables(evaluation: Evaluation) -> "dict[str, tuple[str, pandas.DataFrame]]":
    """Give the analyses of an evaluation by name: title and table each."""
    board = evaluation.leaderboard()
    correlations = board.correlations().reset_index(names="metric")
    return {
        "leaderboard": ("Leaderboard", _board_table(board)),
        "audit": ("Item audit", _audit_table(evaluation)),
        **_classes(evaluation),
        **_classes_of_all(evaluation),
        **_metrics_by_labels(board),
        **_calibration(evaluation),
        "correlations": ("Rank correlations (Spearman), losses negated", correlations),
        "findings": ("Findings", pack_findings(evaluation.findings())),
        "evaluation": ("Failures and warnings", _remarks(evaluation)),
    }


def _audit_table(evaluation: Evaluation) -> "pandas.DataFrame":
    """Verdicts on items; of numbers also what was given, what was forecast, and the row."""
    table, known = evaluation.audit().frame(), evaluation.predictions
    if isinstance(known, Forecasts):
        places = [known.respondents.index(name) for name in evaluation.responses.respondents]
        middle = np.median(known.values[places], axis=0)
        pairs = zip(known.targets.tolist(), middle.tolist(), strict=True)
        told = [f"given {y:.4g}, forecast {usual:.4g} (median of all)" for y, usual in pairs]
        rows = evaluation.rows or ("",) * len(told)
        table["row"] = [f"{a}; {b}" if b else a for a, b in zip(told, rows, strict=True)]
    return table


def _board_table(board: "Leaderboard") -> "pandas.DataFrame":
    """Respondents, then references, which have no rank."""
    table = board.frame(with_references=True)
    is_reference = table["rank"].isna()
    for name in ("rank", "tier"):
        table[name] = table[name].astype(object).where(~is_reference, None)
    table.insert(2, "is_reference", is_reference)
    return table


def _metrics_by_labels(board: "Leaderboard") -> "dict[str, tuple[str, pandas.DataFrame]]":
    table = board.metrics_by_labels
    if table is None or (table["accuracy_all"] == table["accuracy_without_suspects"]).all():
        return {}
    return {"metrics": ("Metrics with and without suspect labels", table)}


def _classes(evaluation: Evaluation) -> "dict[str, tuple[str, pandas.DataFrame]]":
    if not isinstance(evaluation.predictions, Predictions):
        return {}
    first = evaluation.leaderboard().respondents[0]
    return {"classes": (f"Class by class, as {first} sees them", evaluation.classes().frame())}


def _classes_of_all(evaluation: Evaluation) -> "dict[str, tuple[str, pandas.DataFrame]]":
    """Share right and skill of every respondent on the items of each label: its card shows them."""
    known = evaluation.predictions
    if not isinstance(known, Predictions) or len(np.unique(known.labels)) < _FEWEST_CLASSES:
        return {}
    if len(known.respondents) * len(known.classes) > _MOST_PAIRS:
        return {}
    table = evaluation.strengths(evaluation.y_true).frame()
    places = {name: place for place, name in enumerate(known.respondents)}
    is_right = known.chosen == known.labels
    shares = {
        (name, label): float(is_right[place, known.labels == column].mean())
        for name, place in places.items()
        for column, label in enumerate(known.classes)
        if (known.labels == column).any()
    }
    pairs = zip(table["respondent"], table["group"], strict=True)
    table.insert(3, "share_right", [shares[name, label] for name, label in pairs])
    return {"class_strengths": (_BY_CLASS, table)}


def _calibration(evaluation: Evaluation) -> "dict[str, tuple[str, pandas.DataFrame]]":
    from itemcurve.analysis.metrics.calibration_curve import calibration_curves

    if not isinstance(evaluation.predictions, Predictions):
        return {}
    curves = calibration_curves(evaluation.predictions)
    return {} if curves.empty else {"calibration": ("Calibration", curves)}


def evaluation_notes(evaluation: Evaluation) -> dict[str, dict[str, Any]]:
    """Give what belongs to the tables of an evaluation, by their names."""
    return {
        "evaluation": {"notes": list(evaluation.notes), **evaluation.settings},
        "audit": {"labels": evaluation.audit().say()},
        "classes": {"respondent": evaluation.leaderboard().respondents[0]},
    }


def _documents(evaluation: Evaluation) -> dict[str, dict[str, Any]]:
    notes = evaluation_notes(evaluation)
    return {
        name: pack_table(frame, title, notes.get(name, {}))
        for name, (title, frame) in evaluation_tables(evaluation).items()
    }


def _remarks(evaluation: Evaluation) -> "pandas.DataFrame":
    import pandas

    rows = [("failure", f.respondent, f.reason) for f in evaluation.failures]
    rows += [("warning", c.respondent, c.text) for c in evaluation.cautions]
    return pandas.DataFrame(rows, columns=["kind", "respondent", "text"])


def _arrays(evaluation: Evaluation) -> dict[str, NDArray[Any]]:
    predictions = evaluation.predictions
    arrays: dict[str, NDArray[Any]] = {
        "respondents": np.array(predictions.respondents),
        "items": np.array(predictions.items),
        "y_true": evaluation.y_true,
    }
    if evaluation.rows:
        arrays["rows"] = np.array(evaluation.rows)
    if evaluation.groups:
        arrays["groups"] = np.array(evaluation.groups)
    if not isinstance(predictions, Predictions):
        return {**arrays, "values": predictions.values, "oracles": np.array(predictions.oracles)}
    arrays["classes"] = np.array(predictions.classes)
    arrays["trusts_labels"] = np.array(predictions.trusts_labels)
    arrays["chosen"] = predictions.chosen.astype(np.int32)
    if predictions.probabilities.nbytes <= _LARGEST_PROBABILITIES:
        arrays["probabilities"] = predictions.probabilities
    if predictions.others and sum(part.nbytes for part in predictions.others) <= (
        _LARGEST_PROBABILITIES
    ):
        arrays["other_probabilities"] = np.stack(predictions.others)
    return arrays


def _unpack_predictions(arrays: dict[str, NDArray[Any]]) -> Predictions | Forecasts:
    respondents = tuple(str(name) for name in arrays["respondents"])
    items = tuple(str(name) for name in arrays["items"])
    if "values" in arrays:
        return Forecasts(
            respondents,
            items,
            arrays["values"].astype(np.float64),
            arrays["y_true"].astype(np.float64),
            tuple(str(name) for name in arrays.get("oracles", ())),
        )
    classes = tuple(str(name) for name in arrays["classes"])
    places = {name: place for place, name in enumerate(classes)}
    labels = np.array([places[str(label)] for label in arrays["y_true"]])
    if "probabilities" in arrays:
        probabilities = arrays["probabilities"].astype(np.float64)
    else:
        # Too large to be stored: what is left are the classes that were chosen.
        probabilities = np.eye(len(classes))[arrays["chosen"]]
    others = tuple(np.asarray(arrays.get("other_probabilities", ()), dtype=np.float64))
    is_trusting = bool(arrays.get("trusts_labels", np.array(False)))
    return Predictions(respondents, items, classes, probabilities, labels, others, is_trusting)


def _refusal(path: str | PathLike[str], reason: str) -> StorageError:
    return StorageError(
        "An evaluation is read from a run that `evaluation.save` wrote;",
        f"{fspath(path)!r} is refused: {reason}.",
        "Use itemcurve.load for the fit alone, or evaluate again.",
    )
