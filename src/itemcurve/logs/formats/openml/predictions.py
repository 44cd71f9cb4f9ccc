"""Predictions of an OpenML run."""

import math
import re
from dataclasses import dataclass
from pathlib import Path

from itemcurve.logs.formats.columns import LogColumns
from itemcurve.logs.formats.openml.arff import ArffTable, parse_arff
from itemcurve.logs.reading.log_errors import DamagedLogError
from itemcurve.logs.reading.log_rows import LogMeasure, LogRows, LogRowsBuilder, LogRun
from itemcurve.logs.reading.plain_values import clean_name, number_of
from itemcurve.logs.reading.source_file import SourceFile

_DESCRIPTION = "description.xml"
_CONFIDENCE = "confidence."


@dataclass(frozen=True)
class OpenMLPredictions:
    """`predictions.arff`; items are rows of the data set, repeats are repeats × folds."""

    name: str = "OpenML"

    def recognises(self, source: SourceFile, columns: LogColumns) -> bool:
        """An ARFF table with `row_id` and `prediction`."""
        head = source.head.lower() if source.kind == "text" else b""
        return b"@relation" in head and b"row_id" in head and b"prediction" in head

    def is_companion(self, source: SourceFile) -> bool:
        """The description of the run."""
        return source.kind == "text" and b"<oml:run" in source.head

    def companions(self, source: SourceFile) -> tuple[Path, ...]:
        """The description of the run."""
        return (source.path.parent / _DESCRIPTION,)

    def read(self, source: SourceFile, columns: LogColumns) -> LogRows:
        """Read all rows; `correct` holds the true label, so the score is its equality."""
        table = parse_arff(source.text())
        if "row_id" not in table.names or "prediction" not in table.names:
            raise DamagedLogError("it has no row_id or no prediction")
        truth = next((name for name in ("correct", "truth") if name in table.names), "")
        if not truth:
            raise DamagedLogError("it has no true value, under `correct` or `truth`")
        builder = LogRowsBuilder(self.name)
        run = builder.code_run(_run(table, source))
        rows = _Rows(builder, table.names, truth, {})
        for number, cells in table.rows:
            try:
                rows.add(run, cells)
            except (DamagedLogError, ValueError) as error:
                builder.leave_out(f"line {number}", error)
        for number in table.damaged:
            builder.leave_out(
                f"line {number}", DamagedLogError("its cells do not fit the attributes")
            )
        return builder.build()


@dataclass
class _Rows:
    builder: LogRowsBuilder
    names: list[str]
    truth: str
    seen: dict[tuple[str, str], int]

    def add(self, run: int, cells: list[str | None]) -> None:
        row = dict(zip(self.names, cells, strict=True))
        number = _number(row["row_id"])
        if math.isnan(number) or not number.is_integer():
            raise DamagedLogError("its row_id is no number")
        # A learning curve predicts each row from growing samples: separate measurements.
        part = row.get("sample") or "0"
        filter_ = "" if part in ("0", "0.0") else f"sample {clean_name(part)}"
        name = str(int(number))
        repeat = self.seen[name, filter_] = self.seen.get((name, filter_), 0) + 1
        sample = self.builder.code_sample(name, "")
        for measure, value in self._scores(row, filter_):
            code = self.builder.code_measure(measure)
            self.builder.add(run, sample, code, value, repeat, math.nan)

    def _scores(self, row: dict[str, str | None], filter_: str) -> list[tuple[LogMeasure, float]]:
        truth, prediction = row[self.truth], row["prediction"]
        confidences = {
            name.removeprefix(_CONFIDENCE): _number(row[name])
            for name in self.names
            if name.startswith(_CONFIDENCE)
        }
        is_regression = self.truth == "truth" and not confidences and not math.isnan(_number(truth))
        if is_regression:
            error = abs(_number(truth) - _number(prediction))
            return [(LogMeasure("absolute_error", filter_, "", 0.0, None, False, True), error)]
        is_missing = truth is None or prediction is None
        right = math.nan if is_missing else float(truth == prediction)
        found = [(LogMeasure("accuracy", filter_, "", 0.0, 1.0, True, not filter_), right)]
        if truth in confidences:
            found += _losses(confidences, str(truth), filter_)
        return found


def _losses(
    confidences: dict[str, float], truth: str, filter_: str
) -> list[tuple[LogMeasure, float]]:
    """Score the confidences: Brier over all classes, and the confidence in the true one."""
    terms = [(value - (label == truth)) ** 2 for label, value in confidences.items()]
    return [
        (LogMeasure("brier", filter_, "", 0.0, 2.0, False), math.fsum(terms)),
        (LogMeasure("confidence", filter_, "", 0.0, 1.0, True), confidences[truth]),
    ]


def _number(text: str | None) -> float:
    try:
        return number_of(float(text)) if text is not None else math.nan
    except ValueError:
        return math.nan


def _run(table: ArffTable, source: SourceFile) -> LogRun:
    """Name the run by its description, or by its folder."""
    described: dict[str, str] = {}
    path = source.path.parent / _DESCRIPTION
    if path.is_file():
        # Read as text: a parser of XML would expand entities, and four plain values are wanted.
        text = SourceFile(path, source.root).head.decode("utf-8", "replace")
        pairs = re.findall(r"<oml:(run_id|flow_name|task_id|setup_id)>([^<]{1,500})<", text)
        described = {key: clean_name(value) for key, value in pairs}
    relation = re.search(r"task_(\d+)", table.relation)
    number = described.get("task_id") or (relation[1] if relation else "")
    task = f"openml-task-{number}" if number else clean_name(table.relation) or "task"
    name = described.get("flow_name") or clean_name(source.path.parent.name) or "model"
    identity = f"run {described['run_id']}" if "run_id" in described else ""
    return LogRun(name, task, identity, "", source.path.stat().st_mtime)
