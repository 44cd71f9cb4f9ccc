"""Every Eval Ever: the aggregate record of each respondent, with standard errors and intervals.

Written after version 0.3.0 of the schema, and valid by it. Records of single samples are not
written: they need prompts and outputs, which a fit does not hold.
"""

import os
import time
import uuid
from math import isfinite
from pathlib import Path
from typing import Any, Literal

from itemcurve import __version__
from itemcurve.adaptive.records import CONFIDENCE
from itemcurve.exchange.measured_scores import (
    SCORE,
    MeasuredScore,
    Source,
    measured_scores,
)
from itemcurve.storage.atomic_files import write_bytes
from itemcurve.storage.disk import make_folders
from itemcurve.storage.json_documents import pack_json

SCHEMA = "0.3.0"
Deployment = Literal["self_deployed", "externally_managed", "unknown"]
Availability = Literal["open_weights", "closed_weights", "unknown"]
Relationship = Literal["first_party", "third_party", "collaborative", "other"]


def write_every_eval_ever(
    source: Source,
    folder: str | os.PathLike[str],
    *,
    evaluation: str,
    organization: str,
    relationship: Relationship = "third_party",
    hf_dataset: str | None = None,
    deployment: Deployment = "unknown",
    availability: Availability = "unknown",
) -> list[Path]:
    """Write one file per respondent, as `<folder>/<evaluation>/<developer>/<model>/<uuid>.json`.

    With `folder="data"` that is the layout of the project's data store.

    Parameters
    ----------
    source : a fit, or a test of one respondent.
    evaluation : name of the benchmark.
    organization : who evaluated.
    relationship : of the evaluator to the models.
    hf_dataset : the benchmark as a data set of the Hugging Face Hub, where it is one.
    deployment, availability : of the models: who ran them, and whether their weights are open.

    Returns
    -------
    The files. Names of respondents become model ids; `org/model` gives developer and model.
    """
    by_respondent: dict[str, list[MeasuredScore]] = {}
    for score in measured_scores(source):
        if isfinite(score.value):
            by_respondent.setdefault(score.respondent, []).append(score)
    now, written = f"{time.time():.0f}", []
    origin = {
        "source_name": "itemcurve",
        "source_type": "evaluation_run",
        "source_organization_name": organization,
        "evaluator_relationship": relationship,
    }
    for name, scores in by_respondent.items():
        document = {
            "schema_version": SCHEMA,
            "evaluation_id": f"{evaluation}/{name}/{now}",
            "retrieved_timestamp": now,
            "source_metadata": origin,
            "model_info": _describe_model(name, deployment, availability),
            "eval_library": {"name": "itemcurve", "version": __version__},
            "evaluation_results": [_describe(score, evaluation, hf_dataset) for score in scores],
        }
        written.append(_write(document, Path(folder), evaluation, name))
    return written


def _describe_model(name: str, deployment: str, availability: str) -> dict[str, Any]:
    developer = name.rpartition("/")[0]
    details = {"deployment_type": deployment, "model_availability": availability}
    found: dict[str, Any] = {"name": name, "id": name, "additional_details": details}
    return found | ({"developer": developer} if developer else {})


def _describe(score: MeasuredScore, evaluation: str, hf_dataset: str | None) -> dict[str, Any]:
    origin: dict[str, Any] = {"dataset_name": evaluation, "source_type": "other"}
    if hf_dataset is not None:
        origin |= {"source_type": "hf_dataset", "hf_repo": hf_dataset}
    return {
        "evaluation_result_id": f"{evaluation}.{score.kind}",
        "evaluation_name": evaluation,
        "source_data": origin,
        "metric_config": _describe_metric(score),
        "score_details": {"score": score.value, "uncertainty": _describe_error(score)},
    }


def _describe_metric(score: MeasuredScore) -> dict[str, Any]:
    is_score = score.kind == SCORE
    config: dict[str, Any] = {
        "metric_id": "mean_response" if is_score else "itemcurve.ability",
        "metric_name": score.kind,
        "metric_kind": "accuracy" if is_score and (score.low, score.high) == (0, 1) else score.kind,
        "metric_unit": "proportion" if is_score else "standard deviations of the calibration",
        "lower_is_better": False,
    }
    if isfinite(score.low) and isfinite(score.high):
        # The schema wants both ends of what it calls continuous; abilities have none.
        config |= {"score_type": "continuous", "min_score": score.low, "max_score": score.high}
    return config


def _describe_error(score: MeasuredScore) -> dict[str, Any]:
    found: dict[str, Any] = {"num_samples": score.count}
    if isfinite(score.se):
        found["standard_error"] = {"value": score.se, "method": score.method}
    if isfinite(score.lower) and isfinite(score.upper):
        ends = {"lower": score.lower, "upper": score.upper}
        found["confidence_interval"] = ends | {
            "confidence_level": CONFIDENCE,
            "method": score.method,
        }
    return found


def _write(document: dict[str, Any], folder: Path, evaluation: str, name: str) -> Path:
    developer, _, model = name.rpartition("/")
    parts = [_safe(part) for part in (evaluation, developer or "unknown", model)]
    path = folder.joinpath(*parts, f"{uuid.uuid4()}.json")
    make_folders(path.parent)
    write_bytes(path, pack_json(document, "the record"))
    return path


def _safe(name: str) -> str:
    """Make a name one part of a path."""
    kept = "".join(sign if sign.isalnum() or sign in "-_. " else "_" for sign in name)
    return kept.strip(". ") or "_"
