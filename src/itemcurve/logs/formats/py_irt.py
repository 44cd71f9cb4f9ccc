"""py-irt's JSON Lines: one subject per line with its responses by item."""

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from itemcurve.logs.formats.columns import LogColumns
from itemcurve.logs.reading.log_errors import DamagedLogError
from itemcurve.logs.reading.log_rows import LogMeasure, LogRows, LogRowsBuilder, LogRun
from itemcurve.logs.reading.plain_values import clean_name, id_of, number_of
from itemcurve.logs.reading.source_file import SourceFile

_MEASURE = LogMeasure("response", is_main=True)


@dataclass(frozen=True)
class PyIrtLines:
    """`{"subject_id": "pedro", "responses": {"q1": 1, "q2": 0}}`; what is absent is missing."""

    name: str = "py-irt"

    def recognises(self, source: SourceFile, columns: LogColumns) -> bool:
        """Lines with `subject_id` and `responses`."""
        return "subject_id" in source.first and "responses" in source.first

    def is_companion(self, source: SourceFile) -> bool:
        """None."""
        return False

    def companions(self, source: SourceFile) -> tuple[Path, ...]:
        """None."""
        return ()

    def read(self, source: SourceFile, columns: LogColumns) -> LogRows:
        """Read all subjects."""
        rows = _Rows(LogRowsBuilder(self.name), source)
        for number, record in source.records():
            try:
                rows.add(record)
            except (DamagedLogError, ValueError, RecursionError) as error:
                rows.builder.leave_out(f"line {number}", error)
        return rows.builder.build()


@dataclass
class _Rows:
    builder: LogRowsBuilder
    source: SourceFile
    seen: dict[str, int] = field(default_factory=dict)

    def add(self, record: Any) -> None:
        if not isinstance(record, dict) or not isinstance(record.get("responses"), dict):
            raise DamagedLogError("it has no responses")
        subject = id_of(record.get("subject_id"), "subject_id")
        values = {}
        for item, value in record["responses"].items():
            values[id_of(item, "an item")] = number_of(value)
            if math.isnan(number_of(value)) and value is not None:
                raise DamagedLogError(f"the response to {item[:40]!r} is no number")
        repeat = self.seen[subject] = self.seen.get(subject, 0) + 1
        if repeat == 2:
            self.builder.note(f"subject {subject!r} occurs more than once: kept as repeats")
        task = clean_name(self.source.path.name.partition(".")[0]) or "task"
        created = self.source.path.stat().st_mtime
        run = self.builder.code_run(LogRun(subject, task, created=created))
        measure = self.builder.code_measure(_MEASURE)
        for item, value in values.items():
            sample = self.builder.code_sample(item, "")
            self.builder.add(run, sample, measure, value, repeat, math.nan)
