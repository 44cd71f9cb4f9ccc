"""CSV, TSV, JSON Lines and JSON lists of no harness, by columns that the user names."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from itemcurve.logs.formats.columns import LogColumns
from itemcurve.logs.formats.generic_rows import GenericRows
from itemcurve.logs.reading.log_errors import DamagedLogError
from itemcurve.logs.reading.log_rows import LogRows, LogRowsBuilder
from itemcurve.logs.reading.plain_values import clean_name
from itemcurve.logs.reading.source_file import SourceFile

# The names that tables of this library have; they need no mapping.
_OWN = ("respondent", "item")
_OWN_VALUES = ("response", "value")
_OPTIONAL = ("task", "metric", "filter", "group", "repeat", "cost")


@dataclass(frozen=True)
class GenericFile:
    """Any table of rows with a respondent, an item and a score."""

    name: str = "table"

    def recognises(self, source: SourceFile, columns: LogColumns) -> bool:
        """A table that has the columns named, or those of this library."""
        if source.kind not in ("lines", "json", "text"):
            return False
        names = _names(source)
        return _settle(names, columns) is not None

    def is_companion(self, source: SourceFile) -> bool:
        """None."""
        return False

    def companions(self, source: SourceFile) -> tuple[Path, ...]:
        """None."""
        return ()

    def read(self, source: SourceFile, columns: LogColumns) -> LogRows:
        """Read all rows."""
        chosen = _settle(_names(source), columns)
        if chosen is None:
            raise DamagedLogError("it has not the columns that were named")
        builder = LogRowsBuilder(self.name)
        task = clean_name(source.path.name.partition(".")[0])
        created = source.path.stat().st_mtime
        rows = GenericRows(builder, chosen, source, task=task, created=created)
        for number, record in _rows(source):
            try:
                if not isinstance(record, dict):
                    raise DamagedLogError("not a record")
                rows.add(record)
            except (DamagedLogError, ValueError, RecursionError) as error:
                builder.leave_out(f"row {number}", error)
        return builder.build()


def _names(source: SourceFile) -> list[str]:
    if source.kind != "text":
        return list(source.first)
    header = source.head.decode("utf-8-sig", "replace").splitlines()[:1]
    return next(csv.reader(header, delimiter=_separator(source)), []) if header else []


def _separator(source: SourceFile) -> str:
    line = source.head.partition(b"\n")[0]
    return "\t" if line.count(b"\t") > line.count(b",") else ","


def _settle(names: list[str], columns: LogColumns) -> LogColumns | None:
    """Give the columns to read by, or None where the table has not got them."""
    if columns.is_given:
        named = columns.describe().items()
        needed = {name for key, name in named if key in ("item", "value", "answer", "prediction")}
        return columns if needed and needed <= set(names) and _has_item(columns) else None
    value = next((name for name in _OWN_VALUES if name in names), "")
    if not value or not set(_OWN) <= set(names):
        return None
    others = {name: name for name in _OPTIONAL if name in names}
    return LogColumns(respondent="respondent", item="item", value=value, **others)


def _has_item(columns: LogColumns) -> bool:
    return bool(columns.item or columns.content)


def _rows(source: SourceFile) -> Iterator[tuple[int, Any]]:
    if source.kind != "text":
        yield from source.records()
        return
    stream = io.StringIO(source.text(), newline="")
    reader = csv.DictReader(stream, delimiter=_separator(source), strict=True)
    try:
        for row in reader:
            yield reader.line_num, None if None in row or None in row.values() else row
    except csv.Error as error:
        raise DamagedLogError(f"line {reader.line_num}: {error}") from None
