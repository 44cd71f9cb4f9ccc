"""Samples of Inspect AI, whichever of its files they come from."""

import math
from dataclasses import dataclass, field
from typing import Any

from itemcurve.logs.reading.answer_texts import first_words, short_answer
from itemcurve.logs.reading.log_errors import DamagedLogError
from itemcurve.logs.reading.log_rows import (
    LogMeasure,
    LogRows,
    LogRowsBuilder,
    LogRun,
    ReportedMean,
)
from itemcurve.logs.reading.plain_values import (
    describe_settings,
    hash_content,
    id_of,
    list_at,
    mapping_at,
    number_at,
    number_of,
    seconds_of,
    text_at,
)
from itemcurve.logs.reading.score_values import parts_of

HARNESS = "Inspect AI"
# Inspect shortens longer texts in its summaries; hashing no more makes both files agree.
_HASHED_TEXT = 5120
# What changes the answers; how many requests run at once and the like does not.
_GENERATION = (
    *("temperature", "top_p", "top_k", "max_tokens", "system_message"),
    *("reasoning_effort", "reasoning_tokens"),
)


def is_header(document: object) -> bool:
    """Say whether a JSON object describes an evaluation of Inspect."""
    return bool(text_at(document, "eval", "model")) and "task" in mapping_at(document, "eval")


def read_samples(header: dict[str, Any], samples: list[Any]) -> LogRows:
    """Give the rows of one evaluation.

    Parameters
    ----------
    header : the log without its samples.
    samples : full samples or their summaries.
    """
    if header.get("invalidated") is True:
        raise DamagedLogError("marked as invalidated by its owner")
    has_tokens = any(_tokens(sample) > 0 for sample in samples)
    builder = LogRowsBuilder(HARNESS, "tokens" if has_tokens else "seconds")
    run = builder.code_run(_run(header))
    measures = _Measures(builder, *_main(header))
    for number, sample in enumerate(samples, 1):
        try:
            _add_sample(builder, run, measures, sample)
        except (DamagedLogError, ValueError, RecursionError) as error:
            builder.leave_out(f"sample {number}", error)
    _add_reports(builder, run, header)
    _note_status(builder, header, len(samples))
    return builder.build()


@dataclass
class _Measures:
    """Codes of scorers and their sub-scores; letters and truths are known to lie in 0 to 1."""

    builder: LogRowsBuilder
    scorer: str
    score: str
    codes: dict[tuple[str, bool], int] = field(default_factory=dict)

    def code(self, scorer: str, metric: str, is_letter: bool) -> int:
        key = (metric, is_letter)
        if key not in self.codes:
            # A log without a headline: the first score met stands for it.
            self.scorer = self.scorer or scorer
            main = self.scorer + (f".{self.score}" if self.score != self.scorer else "")
            is_main = metric == main or (not self.score and scorer == self.scorer)
            self.score = self.score or metric.partition(".")[2] or scorer
            low, high = (0.0, 1.0) if is_letter else (None, None)
            measure = LogMeasure(metric, low=low, high=high, is_main=is_main)
            self.codes[key] = self.builder.code_measure(measure)
        return self.codes[key]


def _add_sample(builder: LogRowsBuilder, run: int, measures: _Measures, sample: Any) -> None:
    """Add the scores of one sample in one epoch."""
    if not isinstance(sample, dict):
        raise DamagedLogError("not a JSON object")
    name = id_of(sample.get("id"), "its id")
    content = hash_content(_text(sample.get("input")), _text(sample.get("target")))
    code = builder.code_sample(
        name, content, first_words(sample.get("input")), short_answer(sample.get("target"))
    )
    epoch = number_at(sample, "epoch")
    epoch = 1 if math.isnan(epoch) else int(min(max(epoch, 0), 2**30))
    cost = _tokens(sample) if builder.cost_unit == "tokens" else number_at(sample, "total_time")
    scores = mapping_at(sample, "scores")
    if not scores and isinstance(sample.get("score"), dict):
        scores = {"score": sample["score"]}
    if not scores:
        builder.add_error(run, code, epoch, cost)
        return
    for scorer, score in scores.items():
        value = score.get("value") if isinstance(score, dict) else score
        answer = short_answer(score.get("answer")) if isinstance(score, dict) else ""
        for metric, number in parts_of(str(scorer), _elements(value)):
            measure = measures.code(str(scorer), metric, isinstance(value, str | bool))
            builder.add(run, code, measure, number, epoch, cost, answer)


def _elements(value: object) -> object:
    """Number the elements of a list: Inspect's lists are sub-scores, not repeats."""
    return dict(enumerate(value)) if isinstance(value, list) else value


def _text(value: object) -> object:
    """Reduce an input or target to its text, as far as summaries keep it."""
    if isinstance(value, str):
        return value[:_HASHED_TEXT]
    if isinstance(value, list):
        return [_text(part) for part in value]
    if isinstance(value, dict):
        inner = value.get("content", value.get("text"))
        return [value.get("role", ""), _text(inner)] if inner is not None else []
    return value


def _tokens(sample: object) -> float:
    usage = mapping_at(sample, "model_usage").values()
    counts = [number_at(entry, "total_tokens") for entry in usage]
    return sum(count for count in counts if not math.isnan(count)) if counts else math.nan


def _run(header: dict[str, Any]) -> LogRun:
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


def _main(header: dict[str, Any]) -> tuple[str, str]:
    """Give scorer and score that the harness puts first."""
    headline = mapping_at(header, "results", "headline")
    listed = [entry for entry in list_at(header, "results", "scores") if isinstance(entry, dict)]
    first = listed[0] if listed else {}
    scorer = text_at(headline, "scorer") or text_at(first, "scorer") or text_at(first, "name")
    return scorer, text_at(headline, "score") or text_at(first, "name") or scorer


def _add_reports(builder: LogRowsBuilder, run: int, header: dict[str, Any]) -> None:
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


def _note_status(builder: LogRowsBuilder, header: dict[str, Any], count: int) -> None:
    status = text_at(header, "status")
    if status not in ("", "success"):
        builder.note(f"the run ended with status {status!r}; {count} samples are there")
    if not count:
        builder.note("the log holds no samples")
