"""OpenCompass results with details (`--dump-eval-details`)."""

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from itemcurve.logs.formats.columns import LogColumns
from itemcurve.logs.reading.answer_texts import first_words, short_answer
from itemcurve.logs.reading.log_errors import DamagedLogError
from itemcurve.logs.reading.log_rows import (
    LogMeasure,
    LogRows,
    LogRowsBuilder,
    LogRun,
    ReportedMean,
)
from itemcurve.logs.reading.plain_values import clean_name, hash_content, mapping_at, number_at
from itemcurve.logs.reading.score_values import score_of
from itemcurve.logs.reading.source_file import SourceFile

_TRUTHS = ("correct", "is_correct", "cascade_correct")
_ACCURACIES = ("accuracy", "score")
_PART = re.compile(r"(?P<dataset>.+)_(?P<part>\d+)")


@dataclass(frozen=True)
class OpenCompassResults:
    """`results/<model>/<dataset>.json`: totals, with details per sample if asked for."""

    name: str = "OpenCompass"

    def recognises(self, source: SourceFile, columns: LogColumns) -> bool:
        """An object with details that say what is correct."""
        if source.kind != "json" or "details" not in source.first:
            return False
        return any(_truth_key(detail) for _, detail in _details(source.first))

    def is_companion(self, source: SourceFile) -> bool:
        """Predictions, which are not scored."""
        first = mapping_at(source.first, "0") if source.kind == "json" else {}
        has_options = any(str(key).startswith("label: ") for key in first)
        return has_options or ("prediction" in first and "origin_prompt" in first)

    def companions(self, source: SourceFile) -> tuple[Path, ...]:
        """None: details repeat the prompts."""
        return ()

    def read(self, source: SourceFile, columns: LogColumns) -> LogRows:
        """Read all details; a list of truths is one sample answered several times."""
        builder = LogRowsBuilder(self.name)
        dataset, part = _dataset(source.path)
        model = clean_name(source.path.parent.name) or "model"
        run = builder.code_run(LogRun(model, dataset, created=source.path.stat().st_mtime))
        measure = builder.code_measure(LogMeasure("correct", low=0.0, high=1.0, is_main=True))
        for index, detail in _details(source.first):
            try:
                _add_detail(builder, run, measure, f"{part}{index}", detail)
            except (DamagedLogError, ValueError, RecursionError) as error:
                builder.leave_out(f"sample {index}", error)
        for key in _ACCURACIES:
            total = number_at(source.first, key)
            # Totals are percentages, truths are not.
            if not math.isnan(total):
                builder.reports.append(ReportedMean(run, "correct", "", "", total / 100))
                break
        return builder.build()


def _details(document: dict[str, Any]) -> list[tuple[str, Any]]:
    details = document.get("details")
    if isinstance(details, list):
        return [(str(index), detail) for index, detail in enumerate(details)]
    found = details.items() if isinstance(details, dict) else ()
    return [(clean_name(str(key)), detail) for key, detail in found if key != "type"]


def _truth_key(detail: object) -> str:
    found = mapping_at(detail)
    return next((key for key in _TRUTHS if key in found), "")


def _add_detail(builder: LogRowsBuilder, run: int, measure: int, name: str, detail: Any) -> None:
    key = _truth_key(detail)
    if not key:
        raise DamagedLogError("it does not say whether it is correct")
    asked = detail.get("prompt", detail.get("origin_prompt"))
    gold = detail.get("references", detail.get("gold", detail.get("answer")))
    content = "" if asked is None else hash_content(asked, gold)
    sample = builder.code_sample(name, content, first_words(asked), short_answer(gold))
    said = short_answer(detail.get("pred", detail.get("predictions")))
    truths = detail[key] if isinstance(detail[key], list) else [detail[key]]
    for repeat, truth in enumerate(truths, 1):
        builder.add(run, sample, measure, score_of(truth), repeat, math.nan, said)


def _dataset(path: Path) -> tuple[str, str]:
    """Give the data set, and the part of it where large ones are split into `_0`, `_1`, …"""
    stem = clean_name(path.stem)
    found = _PART.fullmatch(stem)
    if found:
        folder = path.parent
        is_split = (folder / f"{found['dataset']}_0.json").is_file()
        if is_split and not (folder / f"{found['dataset']}.json").is_file():
            return found["dataset"], f"{found['part']}:"
    return stem or "task", ""
