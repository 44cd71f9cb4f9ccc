"""JSON files that lie beside a log and say more about it."""

from pathlib import Path
from typing import Any

from itemcurve.logs.reading.log_errors import READ_FAILURES, DamagedLogError, explain
from itemcurve.logs.reading.log_rows import LogRowsBuilder
from itemcurve.logs.reading.source_file import SourceFile


def load_companion(path: Path, source: SourceFile, builder: LogRowsBuilder) -> Any:
    """Read a companion of a log; None where there is none, and a note where it is damaged."""
    if path == source.path or not path.is_file():
        return None
    try:
        return SourceFile(path, source.root).document
    except (DamagedLogError, *READ_FAILURES) as error:
        builder.note(f"{path.name} beside it is not used: {explain(error)}")
        return None
