"""Samples of lm-evaluation-harness (`--log_samples`), current and older."""

import hashlib
import json
import math
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from itemcurve.logs.formats.columns import LogColumns
from itemcurve.logs.formats.lm_eval.results import (
    SampleName,
    find_results,
    is_mean,
    is_results,
    load_results,
    parse_name,
    respondent_of,
    settings_of,
)
from itemcurve.logs.reading.answer_texts import lm_eval_answers, question_of, short_answer
from itemcurve.logs.reading.log_errors import DamagedLogError
from itemcurve.logs.reading.log_rows import (
    LogMeasure,
    LogRows,
    LogRowsBuilder,
    LogRun,
    ReportedMean,
)
from itemcurve.logs.reading.plain_values import (
    clean_name,
    id_of,
    mapping_at,
    number_at,
    seconds_of,
    shorten_hash,
)
from itemcurve.logs.reading.score_values import parts_of
from itemcurve.logs.reading.source_file import SourceFile

# What is left after these are the metrics, in files that do not list them.
_FIXED = frozenset(
    [
        *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
        *("doc_hash", "prompt_hash", "target_hash", "truth", "task_name", "version"),
    ]
)
_WRITTEN_OUT = re.compile(r"(prompt|logit)_\d+")
_UNIT_RANGE = ("acc", "acc_norm", "exact_match", "em", "f1", "mc1", "mc2", "pass@1")


@dataclass(frozen=True)
class LmEvalSamples:
    """One line per document and filter; the results file beside it names the model."""

    name: str = "lm-evaluation-harness"

    def recognises(self, source: SourceFile, columns: LogColumns) -> bool:
        """Lines with `doc_id` and the document or its prompt."""
        record = source.first
        return "doc_id" in record and any(
            key in record for key in ("doc", "doc_hash", "resps", "prompt_0")
        )

    def is_companion(self, source: SourceFile) -> bool:
        """The results file."""
        return source.kind == "json" and is_results(source.first)

    def companions(self, source: SourceFile) -> tuple[Path, ...]:
        """The results file of the same run."""
        return (find_results(source, parse_name(source.path)),)

    def read(self, source: SourceFile, columns: LogColumns) -> LogRows:
        """Read all lines; one that is damaged is noted and left out."""
        name = parse_name(source.path)
        builder = LogRowsBuilder(self.name)
        results = load_results(find_results(source, name), source, builder)
        name = _settle_task(name, results)
        run = builder.code_run(_run(name, results, source))
        measures = _Measures(builder, results, name.task)
        for number, record in source.records():
            try:
                _add_record(builder, run, measures, record)
            except (DamagedLogError, ValueError, RecursionError) as error:
                builder.leave_out(f"line {number}", error)
        _add_reports(builder, run, measures, results, name.task)
        return builder.build()


@dataclass
class _Measures:
    """Codes of metric and filter, with the direction that the results file states."""

    builder: LogRowsBuilder
    results: dict[str, Any]
    task: str
    main: tuple[str, str] | None = None
    codes: dict[tuple[str, str], int] = field(default_factory=dict)

    def code(self, metric: str, filter_: str) -> int:
        key = (metric, filter_)
        if key not in self.codes:
            self.codes[key] = self._new_code(metric, filter_)
        return self.codes[key]

    def _new_code(self, metric: str, filter_: str) -> int:
        # The first metric under the first filter is what the harness itself prints first.
        self.main = self.main or (metric, filter_)
        stem = metric.partition(".")[0]
        is_unit = stem in _UNIT_RANGE
        direction = mapping_at(self.results, "higher_is_better", self.task).get(stem)
        measure = LogMeasure(
            metric,
            filter_,
            low=0.0 if is_unit else None,
            high=1.0 if is_unit else None,
            is_higher_better=direction is not False,
            is_main=(metric, filter_) == self.main,
        )
        return self.builder.code_measure(measure)


def _add_record(builder: LogRowsBuilder, run: int, measures: _Measures, record: Any) -> None:
    """Add the metrics of one document under one filter."""
    if not isinstance(record, dict):
        raise DamagedLogError("not a JSON object")
    sample = builder.code_sample(
        id_of(record.get("doc_id"), "doc_id"),
        content_of(record),
        question_of(record.get("doc")),
        short_answer(record.get("target")),
    )
    filter_ = record.get("filter", "none")
    if not isinstance(filter_, str):
        raise DamagedLogError("its filter is not text")
    parts = metrics_of(record)
    if not parts:
        raise DamagedLogError("it has no metric")
    plain, by_length = lm_eval_answers(record)
    repeats: dict[str, int] = {}
    for metric, value in parts:
        repeats[metric] = repeat = repeats.get(metric, 0) + 1
        code = measures.code(metric, clean_name(filter_))
        answer = by_length if metric.startswith("acc_norm") else plain
        builder.add(run, sample, code, value, repeat, math.nan, answer)


def metrics_of(record: dict[str, Any]) -> list[tuple[str, float]]:
    """Give the metrics of one document under one filter; the same twice is a repeat."""
    found = [(str(key), record[key]) for key in _metric_keys(record)]
    return [part for key, value in found for part in parts_of(clean_name(key), value)]


def _metric_keys(record: dict[str, Any]) -> list[str]:
    """Name the keys that hold scores: those listed, else what is left after the fixed ones."""
    listed = record.get("metrics")
    if isinstance(listed, list):
        return [key for key in listed if isinstance(key, str) and key in record]
    return [key for key in record if key not in _FIXED and not _WRITTEN_OUT.fullmatch(key)]


def content_of(record: dict[str, Any]) -> str:
    """Give the harness's own hash of the document, computed where an older file lacks it."""
    stated = shorten_hash(record.get("doc_hash"))
    if stated:
        return stated
    if "doc_hash" in record:
        raise DamagedLogError("its doc_hash is no hash")
    document = record.get("doc")
    if document is None:
        document = {key: record[key] for key in record if key.startswith("prompt_")}
    # Written exactly as the harness does, so that files of both ages agree on an item.
    text = json.dumps(document, indent=2, ensure_ascii=False, default=str)
    return shorten_hash(hashlib.sha256(text.encode("utf-8", "replace")).hexdigest())


def _settle_task(name: SampleName, results: dict[str, Any]) -> SampleName:
    """Take the task from the results where the name of the file does not tell it."""
    tasks = list(mapping_at(results, "configs")) or list(mapping_at(results, "results"))
    if name.task not in tasks and not name.time and len(tasks) == 1:
        return SampleName(clean_name(tasks[0]), name.time)
    return name


def _run(name: SampleName, results: dict[str, Any], source: SourceFile) -> LogRun:
    respondent, identity = respondent_of(results, source)
    times = (seconds_of(results.get("date")), name.created, source.path.stat().st_mtime)
    created = next(time for time in times if not math.isnan(time))
    return LogRun(respondent, name.task, identity, settings_of(results, name.task), created)


def _add_reports(
    builder: LogRowsBuilder, run: int, measures: _Measures, results: dict[str, Any], task: str
) -> None:
    """Keep what the results file says the means are."""
    reported = mapping_at(results, "results", task)
    count = number_at(results, "n-samples", task, "effective")
    for measure in tuple(builder.measures):
        value = number_at(reported, f"{measure.metric},{measure.filter}")
        if not math.isnan(value) and is_mean(results, task, measure.metric):
            total = None if math.isnan(count) else int(count)
            builder.reports.append(
                ReportedMean(run, measure.metric, measure.filter, "", value, total)
            )
