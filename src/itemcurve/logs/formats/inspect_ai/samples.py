"""Samples of Inspect AI, whichever of its files they come from."""

import math
from dataclasses import dataclass, field
from typing import Any

from itemcurve.logs.formats.inspect_ai.run_header import (
    HARNESS,
    add_reports,
    describe_run,
    find_main_score,
    note_status,
)
from itemcurve.logs.reading.answer_texts import first_words, short_answer
from itemcurve.logs.reading.log_errors import DamagedLogError
from itemcurve.logs.reading.log_rows import (
    LogMeasure,
    LogRows,
    LogRowsBuilder,
)
from itemcurve.logs.reading.plain_values import (
    hash_content,
    id_of,
    mapping_at,
    number_at,
)
from itemcurve.logs.reading.score_values import parts_of

# Inspect shortens longer texts in its summaries; hashing no more makes both files agree.
_HASHED_TEXT = 5120


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
    run = builder.code_run(describe_run(header))
    measures = _Measures(builder, *find_main_score(header))
    for number, sample in enumerate(samples, 1):
        try:
            _add_sample(builder, run, measures, sample)
        except (DamagedLogError, ValueError, RecursionError) as error:
            builder.leave_out(f"sample {number}", error)
    add_reports(builder, run, header)
    note_status(builder, header, len(samples))
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
    content = content_of(sample.get("input"), sample.get("target"))
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


def content_of(given: object, target: object) -> str:
    """Give the hash by which a sample is known whatever its id: of what is asked, and the target.

    Parameters
    ----------
    given : the input as logs have it, a text or a list of messages as plain data.
    """
    return hash_content(_text(given), _text(target))


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
