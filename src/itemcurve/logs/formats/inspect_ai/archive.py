"""Inspect AI logs in `.eval` archives, those of runs that are still alive too."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from itemcurve.logs.formats.columns import LogColumns
from itemcurve.logs.formats.inspect_ai.run_header import HARNESS, is_header
from itemcurve.logs.formats.inspect_ai.samples import read_samples
from itemcurve.logs.reading.log_errors import DamagedLogError
from itemcurve.logs.reading.log_rows import LogRows
from itemcurve.logs.reading.source_file import SourceFile
from itemcurve.logs.reading.zip_entries import Archive, open_archive

_HEADERS = ("header.json", "_journal/start.json")
_JOURNAL = re.compile(r"_journal/summaries/(\d+)\.json")


@dataclass(frozen=True)
class InspectArchive:
    """`.eval` logs: a ZIP of JSON entries, zstd-compressed in recent versions."""

    name: str = HARNESS

    def recognises(self, source: SourceFile, columns: LogColumns) -> bool:
        """An archive with a header or a journal."""
        if source.kind != "zip":
            return False
        with open_archive(source.path) as archive:
            return any(name in archive.entries for name in _HEADERS)

    def is_companion(self, source: SourceFile) -> bool:
        """None: a log stands by itself."""
        return False

    def companions(self, source: SourceFile) -> tuple[Path, ...]:
        """None."""
        return ()

    def read(self, source: SourceFile, columns: LogColumns) -> LogRows:
        """Read the summaries, which hold all scores, or the samples where there are none."""
        with open_archive(source.path) as archive:
            entry = next(name for name in _HEADERS if name in archive.entries)
            header = archive.read_json(entry)
            if not is_header(header):
                raise DamagedLogError(f"{entry} describes no evaluation")
            return read_samples(header, _samples(archive))


def _samples(archive: Archive) -> list[Any]:
    """Find the summaries of a finished run, of its journal, or the samples themselves."""
    if "summaries.json" in archive.entries:
        found = archive.read_json("summaries.json")
        if not isinstance(found, list):
            raise DamagedLogError("summaries.json holds no list")
        return found
    journal = {
        int(match[1]): name for name in archive.entries if (match := _JOURNAL.fullmatch(name))
    }
    if journal:
        parts = [archive.read_json(journal[number]) for number in sorted(journal)]
        return [sample for part in parts if isinstance(part, list) for sample in part]
    names = sorted(name for name in archive.entries if name.startswith("samples/"))
    return [archive.read_json(name) for name in names if name.endswith(".json")]
