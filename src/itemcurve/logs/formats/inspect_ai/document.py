"""Inspect AI logs in one JSON document."""

from dataclasses import dataclass
from pathlib import Path

from itemcurve.logs.formats.columns import LogColumns
from itemcurve.logs.formats.inspect_ai.run_header import HARNESS, is_header
from itemcurve.logs.formats.inspect_ai.samples import read_samples
from itemcurve.logs.reading.log_errors import DamagedLogError
from itemcurve.logs.reading.log_rows import LogRows
from itemcurve.logs.reading.plain_values import list_at
from itemcurve.logs.reading.source_file import SourceFile


@dataclass(frozen=True)
class InspectDocument:
    """`.json` logs: one object with `eval` and `samples`."""

    name: str = HARNESS

    def recognises(self, source: SourceFile, columns: LogColumns) -> bool:
        """An object whose `eval` names a model and a task."""
        return source.kind == "json" and is_header(source.first)

    def is_companion(self, source: SourceFile) -> bool:
        """None: a log stands by itself."""
        return False

    def companions(self, source: SourceFile) -> tuple[Path, ...]:
        """None."""
        return ()

    def read(self, source: SourceFile, columns: LogColumns) -> LogRows:
        """Read all samples."""
        document = source.document
        if not isinstance(document, dict):
            raise DamagedLogError("not one JSON object")
        return read_samples(document, list_at(document, "samples"))
