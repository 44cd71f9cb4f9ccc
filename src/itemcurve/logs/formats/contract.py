"""What a reader of one log format offers."""

from pathlib import Path
from typing import Protocol

from itemcurve.logs.formats.columns import LogColumns
from itemcurve.logs.reading.log_rows import LogRows
from itemcurve.logs.reading.source_file import SourceFile


class Reader(Protocol):
    """Reads the logs of one harness. Readers hold nothing and can be shared."""

    @property
    def name(self) -> str:
        """The harness, as people call it."""

    def recognises(self, source: SourceFile, columns: LogColumns) -> bool:
        """Say whether this file is such a log, from what is in it and not from its name."""

    def is_companion(self, source: SourceFile) -> bool:
        """Say whether this file holds no samples but belongs to such logs."""

    def companions(self, source: SourceFile) -> tuple[Path, ...]:
        """Name the files that are read beside a log, present or not."""

    def read(self, source: SourceFile, columns: LogColumns) -> LogRows:
        """Give all rows of a log; samples that cannot be read are noted and left out."""
