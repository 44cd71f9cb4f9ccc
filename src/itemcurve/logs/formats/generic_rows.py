"""Rows of any table, by the columns that the user names."""

import math
from dataclasses import dataclass, field
from typing import Any

from itemcurve.logs.formats.columns import LogColumns
from itemcurve.logs.reading.answer_texts import first_words, short_answer
from itemcurve.logs.reading.log_errors import DamagedLogError
from itemcurve.logs.reading.log_rows import LogMeasure, LogRowsBuilder, LogRun
from itemcurve.logs.reading.plain_values import clean_name, hash_content, id_of
from itemcurve.logs.reading.score_values import score_of
from itemcurve.logs.reading.source_file import SourceFile

_MISSING = ("", "na", "n/a", "nan", "null", "none")


@dataclass
class GenericRows:
    """Adds rows given as mappings from column to cell.

    Parameters
    ----------
    builder : where the rows go.
    columns : which column means what.
    source : names the respondent and the task where no column does.
    respondent, task, created : used where no column says otherwise.
    """

    builder: LogRowsBuilder
    columns: LogColumns
    source: SourceFile
    respondent: str = ""
    task: str = ""
    identity: str = ""
    created: float = 0.0
    seen: dict[tuple[int, int, int], int] = field(default_factory=dict)

    def add(self, row: dict[str, Any]) -> None:
        """Add one row."""
        columns = self.columns
        task = self._text(row, columns.task) or self.task or "task"
        run = self.builder.code_run(
            LogRun(self._respondent(row), task, self.identity, "", self.created)
        )
        content = row.get(columns.content)
        hashed = "" if content is None or not columns.content else hash_content(content)
        name = id_of(row.get(columns.item), f"column {columns.item!r}") if columns.item else hashed
        if not name:
            raise DamagedLogError("it has neither an item nor its content")
        sample = self.builder.code_sample(
            name, hashed, first_words(content), short_answer(row.get(columns.answer))
        )
        measure = self.builder.code_measure(self._measure(row))
        cost = score_of(row.get(columns.cost)) if columns.cost else math.nan
        value = self._value(row)
        repeat = self._repeat(row, run, sample, measure)
        said = short_answer(row.get(columns.prediction))
        self.builder.add(run, sample, measure, value, repeat, cost, said)

    def _respondent(self, row: dict[str, Any]) -> str:
        column = self.columns.respondent
        if column == "@file":
            return clean_name(self.source.path.stem)
        if column == "@folder":
            return clean_name(self.source.path.parent.name)
        if column:
            return id_of(row.get(column), f"column {column!r}")
        return self.respondent or clean_name(self.source.path.stem) or "model"

    def _value(self, row: dict[str, Any]) -> float:
        if self.columns.value:
            if self.columns.value not in row:
                raise DamagedLogError(f"it has no {self.columns.value!r}")
            return _score(row[self.columns.value], self.columns.value)
        answer, prediction = row.get(self.columns.answer), row.get(self.columns.prediction)
        if answer is None or prediction is None:
            return math.nan
        return float(str(answer).strip() == str(prediction).strip())

    def _measure(self, row: dict[str, Any]) -> LogMeasure:
        metric = self._text(row, self.columns.metric) or self.columns.value or "correct"
        is_truth = not self.columns.value
        low, high = (0.0, 1.0) if is_truth else (None, None)
        filter_ = self._text(row, self.columns.filter)
        is_main = not self.builder.measures or metric == next(iter(self.builder.measures)).metric
        return LogMeasure(
            clean_name(metric),
            filter_,
            self._text(row, self.columns.group),
            low,
            high,
            True,
            is_main,
        )

    def _repeat(self, row: dict[str, Any], run: int, sample: int, measure: int) -> int:
        key = (run, sample, measure)
        self.seen[key] = self.seen.get(key, 0) + 1
        stated = score_of(row.get(self.columns.repeat)) if self.columns.repeat else math.nan
        return self.seen[key] if math.isnan(stated) else int(min(max(stated, 0), 2**30))

    def _text(self, row: dict[str, Any], column: str) -> str:
        value = row.get(column) if column else None
        return "" if value is None else clean_name(str(value))


def _score(value: object, column: str) -> float:
    """Give a score; a cell that is neither a number nor empty is damage, not a wrong answer."""
    number = score_of(value)
    is_empty = value is None or (isinstance(value, str) and value.strip().lower() in _MISSING)
    is_nan = isinstance(value, float) and math.isnan(value)
    if math.isnan(number) and not is_empty and not is_nan:
        raise DamagedLogError(f"its {column!r} is {str(value)[:40]!r}, which is no number")
    return number
