"""The header of an Inspect AI log: whose run it is, what it reports, how it ended."""

import math
from typing import Any

from itemcurve.logs.reading.log_rows import LogRowsBuilder, LogRun, ReportedMean
from itemcurve.logs.reading.plain_values import (
    describe_settings,
    list_at,
    mapping_at,
    number_at,
    number_of,
    seconds_of,
    text_at,
)

HARNESS = "Inspect AI"
# What changes the answers; how many requests run at once and the like does not.
_GENERATION = (
    *("temperature", "top_p", "top_k", "max_tokens", "system_message"),
    *("reasoning_effort", "reasoning_tokens"),
)


def is_header(document: object) -> bool:
    """Say whether a JSON object describes an evaluation of Inspect."""
    return bool(text_at(document, "eval", "model")) and "task" in mapping_at(document, "eval")


def describe_run(header: dict[str, Any]) -> LogRun:
    """Whose run it is: model, task, and the settings that change answers."""
    spec = mapping_at(header, "eval")
    identity = [text_at(spec, "model_base_url"), describe_settings(spec.get("model_args"))]
    generation = mapping_at(spec, "model_generate_config")
    settings = [
        text_at(spec, "solver"),
        describe_settings(spec.get("task_args")),
        describe_settings({key: generation[key] for key in _GENERATION if key in generation}),
    ]
    created = seconds_of(spec.get("created"))
    return LogRun(
        text_at(spec, "model"),
        text_at(spec, "task") or "task",
        " ".join(part for part in identity if part),
        " ".join(part for part in settings if part),
        0.0 if math.isnan(created) else created,
    )


def find_main_score(header: dict[str, Any]) -> tuple[str, str]:
    """Give scorer and score that the harness puts first."""
    headline = mapping_at(header, "results", "headline")
    listed = [entry for entry in list_at(header, "results", "scores") if isinstance(entry, dict)]
    first = listed[0] if listed else {}
    scorer = text_at(headline, "scorer") or text_at(first, "scorer") or text_at(first, "name")
    return scorer, text_at(headline, "score") or text_at(first, "name") or scorer


def add_reports(builder: LogRowsBuilder, run: int, header: dict[str, Any]) -> None:
    """Keep the means that the log states; other reductions of epochs are not means."""
    reducers = list_at(header, "eval", "config", "epochs_reducer")
    total = number_at(header, "results", "total_samples")
    for entry in list_at(header, "results", "scores"):
        scorer, score = text_at(entry, "scorer"), text_at(entry, "name")
        metrics = mapping_at(entry, "metrics")
        for mean in ("accuracy", "mean"):
            value = number_of(mapping_at(metrics, mean).get("value"))
            if not math.isnan(value) and reducers in ([], ["mean"]):
                metric = scorer if score in (scorer, "") else f"{scorer}.{score}"
                count = None if math.isnan(total) else int(total)
                builder.reports.append(ReportedMean(run, metric, "", "", value, count))
                break


def note_status(builder: LogRowsBuilder, header: dict[str, Any], count: int) -> None:
    """Note a run that did not end well, or lacks samples."""
    status = text_at(header, "status")
    if status not in ("", "success"):
        builder.note(f"the run ended with status {status!r}; {count} samples are there")
    if not count:
        builder.note("the log holds no samples")
