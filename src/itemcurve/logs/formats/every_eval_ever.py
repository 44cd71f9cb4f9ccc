"""Every Eval Ever: the common schema of many leaderboards, one sample per line."""

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from itemcurve.logs.formats.columns import LogColumns
from itemcurve.logs.reading.companion_file import load_companion
from itemcurve.logs.reading.log_errors import DamagedLogError
from itemcurve.logs.reading.log_rows import (
    LogMeasure,
    LogRows,
    LogRowsBuilder,
    LogRun,
    ReportedMean,
)
from itemcurve.logs.reading.plain_values import (
    hash_content,
    id_of,
    list_at,
    mapping_at,
    number_at,
    number_of,
    seconds_of,
    shorten_hash,
    text_at,
)
from itemcurve.logs.reading.source_file import SourceFile


@dataclass(frozen=True)
class EveryEvalEver:
    """`<uuid>_samples.jsonl`, with `<uuid>.json` beside it for metric and range."""

    name: str = "Every Eval Ever"

    def recognises(self, source: SourceFile, columns: LogColumns) -> bool:
        """Lines of the schema."""
        record = source.first
        return all(key in record for key in ("evaluation_id", "model_id", "sample_id"))

    def is_companion(self, source: SourceFile) -> bool:
        """The description of an evaluation."""
        return "evaluation_id" in source.first and "evaluation_results" in source.first

    def companions(self, source: SourceFile) -> tuple[Path, ...]:
        """The description of the same name."""
        return (_description(source.path),)

    def read(self, source: SourceFile, columns: LogColumns) -> LogRows:
        """Read all samples."""
        builder = LogRowsBuilder(self.name, "tokens")
        rows = _Rows(builder, _load(source, builder))
        for number, record in source.records():
            try:
                rows.add(record)
            except (DamagedLogError, ValueError, RecursionError) as error:
                rows.builder.leave_out(f"line {number}", error)
        rows.add_reports()
        return rows.builder.build()


@dataclass
class _Rows:
    builder: LogRowsBuilder
    described: dict[str, Any]
    seen: dict[tuple[int, int], int] = field(default_factory=dict)

    def add(self, record: Any) -> None:
        if not isinstance(record, dict):
            raise DamagedLogError("not a JSON object")
        model = id_of(record.get("model_id"), "model_id")
        task = id_of(record.get("evaluation_name"), "evaluation_name")
        time = seconds_of(_number_text(self.described.get("evaluation_timestamp")))
        run = self.builder.code_run(LogRun(model, task, created=0.0 if math.isnan(time) else time))
        content = shorten_hash(record.get("sample_hash")) or hash_content(record.get("input"))
        sample = self.builder.code_sample(id_of(record.get("sample_id"), "sample_id"), content)
        repeat = self.seen[run, sample] = self.seen.get((run, sample), 0) + 1
        cost = number_at(record, "token_usage", "total_tokens")
        value = _score(record)
        if math.isnan(value) and record.get("error"):
            self.builder.add_error(run, sample, repeat, cost)
            return
        measure = self.builder.code_measure(_measure(self._config(record)))
        self.builder.add(run, sample, measure, value, repeat, cost)

    def add_reports(self) -> None:
        """Keep the totals of evaluations whose samples were read."""
        total = number_at(self.described, "detailed_evaluation_results", "total_rows")
        for entry in list_at(self.described, "evaluation_results"):
            value = number_at(entry, "score_details", "score")
            for run, code in self.builder.runs.items():
                if run.task == text_at(entry, "evaluation_name") and not math.isnan(value):
                    metric = _measure(mapping_at(entry, "metric_config")).metric
                    count = None if math.isnan(total) else int(total)
                    self.builder.reports.append(ReportedMean(code, metric, "", "", value, count))

    def _config(self, record: dict[str, Any]) -> dict[str, Any]:
        """Find how the score of a sample is to be read."""
        for entry in list_at(self.described, "evaluation_results"):
            for key in ("evaluation_result_id", "evaluation_name"):
                if text_at(entry, key) and text_at(entry, key) == text_at(record, key):
                    return mapping_at(entry, "metric_config")
        return {}


def _measure(config: dict[str, Any]) -> LogMeasure:
    low, high = number_at(config, "min_score"), number_at(config, "max_score")
    return LogMeasure(
        text_at(config, "metric_name") or text_at(config, "metric_id") or "score",
        low=None if math.isnan(low) else low,
        high=None if math.isnan(high) else high,
        is_higher_better=config.get("lower_is_better") is not True,
        is_main=True,
    )


def _score(record: dict[str, Any]) -> float:
    """Take the score, or whether it is correct where there is no score."""
    judged = mapping_at(record, "evaluation")
    score = number_of(judged.get("score"))
    return number_of(judged.get("is_correct")) if math.isnan(score) else score


def _number_text(value: object) -> object:
    """Times come as seconds written as text."""
    if isinstance(value, str) and value.replace(".", "", 1).isdecimal() and len(value) < 20:
        return float(value)
    return value


def _description(path: Path) -> Path:
    return path.with_name(path.name.removesuffix(".gz").removesuffix("_samples.jsonl") + ".json")


def _load(source: SourceFile, builder: LogRowsBuilder) -> dict[str, Any]:
    found = load_companion(_description(source.path), source, builder)
    return found if isinstance(found, dict) else {}
