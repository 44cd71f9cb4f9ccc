"""Scores for pages of models on the Hugging Face Hub: `.eval_results/<name>.yaml`.

The format has a place for a value, none for its error, which therefore goes into the notes.
"""

import json
import os
import re
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path
from typing import Any

from itemcurve.errors import ModelError
from itemcurve.exchange.measured_scores import SCORE, MeasuredScore, Source, measured_scores
from itemcurve.storage.atomic_files import write_bytes
from itemcurve.storage.disk import make_folders

_ID = re.compile(r"[\w.-]+/[\w.-]+")


def write_hub_results(
    source: Source,
    folder: str | os.PathLike[str],
    *,
    dataset: str,
    task: str = "default",
    respondent: str | None = None,
    percent: bool = True,
    source_url: str | None = None,
    notes: str = "",
) -> Path:
    """Write the score of one model where its repository wants it.

    Parameters
    ----------
    source : a fit, or a test whose score holds, as `ScoreTest`.
    folder : the model's repository.
    dataset : id of the benchmark on the Hub, as `cais/hle`.
    task : of the benchmark.
    respondent : whose score; may be left out where there is one.
    percent : write shares from 0 to 1 as per cent, as most leaderboards have them.
    source_url : where the evaluation can be looked at.
    notes : added to what is said about the interval.
    """
    if not _ID.fullmatch(dataset):
        raise ModelError(
            "A benchmark of the Hub is named owner/name.", f"Got {dataset!r}.", "Use cais/hle."
        )
    score = _find_score(source, respondent)
    is_share = percent and (score.low, score.high) == (0, 1)
    scale = 100.0 if is_share else 1.0
    unit = " %" if is_share else ""
    said = (
        f"90 % interval {scale * score.lower:.2f} to {scale * score.upper:.2f}{unit} from "
        f"{score.count} items; {score.method}"
    )
    entry: dict[str, Any] = {
        "dataset": {"id": dataset, "task_id": task},
        "value": round(scale * score.value, 4),
        "date": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
    if source_url is not None:
        entry["source"] = {"url": source_url, "name": "itemcurve"}
    entry["notes"] = f"{notes}; {said}" if notes else said
    stem = re.sub(r"[^\w.-]", "_", f"{dataset.partition('/')[2]}_{task}")
    path = Path(folder) / ".eval_results" / f"{stem}.yaml"
    make_folders(path.parent)
    write_bytes(path, format_yaml(entry).encode("utf-8"))
    return path


def format_yaml(entry: dict[str, Any]) -> str:
    """Write one entry as a list of YAML; texts are quoted as in JSON, which YAML contains.

    Examples
    --------
    >>> print(format_yaml({"dataset": {"id": "cais/hle"}, "value": 20.9}), end="")
    - dataset:
        id: "cais/hle"
      value: 20.9
    """
    lines: list[str] = []
    for key, value in entry.items():
        if isinstance(value, dict):
            inner = [f"    {name}: {_quote(part)}" for name, part in value.items()]
            lines += [f"  {key}:", *inner]
        else:
            lines.append(f"  {key}: {_quote(value)}")
    return "-" + "\n".join(lines)[1:] + "\n"


def _quote(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _find_score(source: Source, respondent: str | None) -> MeasuredScore:
    scores = [score for score in measured_scores(source) if score.kind == SCORE]
    found = [score for score in scores if respondent in (None, score.respondent)]
    if len(found) != 1 or not isfinite(found[0].value):
        names = ", ".join(score.respondent for score in scores[:5]) or "none"
        raise ModelError(
            "A page takes the score of one model.",
            f"Asked for is {respondent!r}; scores there are of {names}.",
            "Name a respondent, or use a ScoreTest: items chosen for ability give no score.",
        )
    return found[0]
