"""Tables of MLflow and Weights & Biases: `{"columns": [...], "data": [[...]]}`."""

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from itemcurve.logs.formats.columns import LogColumns
from itemcurve.logs.formats.generic_rows import GenericRows
from itemcurve.logs.reading.log_errors import DamagedLogError, UnnamedColumnsError
from itemcurve.logs.reading.log_rows import LogRows, LogRowsBuilder
from itemcurve.logs.reading.plain_values import clean_name, list_at
from itemcurve.logs.reading.source_file import SourceFile

_SCORE = re.compile(r".+/score")
_META = re.compile(r"^(run_name|run_id|start_time):\s*(.+?)\s*$", re.MULTILINE)
# The artifact lies up to two folders below the description of its run.
_LEVELS = 3


@dataclass(frozen=True)
class ColumnTable:
    """Tables whose columns carry names; MLflow's own scores are found, others must be named."""

    name: str = "MLflow or W&B table"

    def recognises(self, source: SourceFile, columns: LogColumns) -> bool:
        """An object of columns and data."""
        record = source.first
        return (
            source.kind == "json"
            and isinstance(record.get("columns"), list)
            and isinstance(record.get("data"), list)
        )

    def is_companion(self, source: SourceFile) -> bool:
        """MLflow's description of a run."""
        return source.kind == "text" and b"\nrun_id:" in source.head and b"lifecycle" in source.head

    def companions(self, source: SourceFile) -> tuple[Path, ...]:
        """Description and parameters of the run."""
        return _run_files(source)

    def read(self, source: SourceFile, columns: LogColumns) -> LogRows:
        """Read all rows, one measure for each column of scores."""
        names = list_at(source.first, "columns")
        if not all(isinstance(name, str) for name in names) or len(set(names)) != len(names):
            raise DamagedLogError("its columns have no names of their own")
        builder = LogRowsBuilder(self.name)
        described = _describe_run(source)
        for chosen in _choose(names, columns):
            rows = GenericRows(builder, chosen, source, **described)
            for number, cells in enumerate(list_at(source.first, "data"), 1):
                try:
                    rows.add(_row(names, cells))
                except (DamagedLogError, ValueError, RecursionError) as error:
                    builder.leave_out(f"row {number}", error)
        return builder.build()


def _row(names: list[str], cells: Any) -> dict[str, Any]:
    if not isinstance(cells, list) or len(cells) != len(names):
        raise DamagedLogError(f"it has not {len(names)} cells")
    return dict(zip(names, cells, strict=True))


def _choose(names: list[str], columns: LogColumns) -> list[LogColumns]:
    """Give the columns to read by: those named, else what MLflow's evaluate always writes."""
    if columns.is_given:
        return [columns]
    scores = [name for name in names if _SCORE.fullmatch(name)]
    if not scores or not ("inputs" in names or columns.item):
        raise UnnamedColumnsError(
            f"the columns of item and score must be named; it has {', '.join(names)[:200]}"
        )
    content = columns.content or ("inputs" if "inputs" in names else "")
    return [replace(columns, value=name, content=content) for name in scores]


def _run_files(source: SourceFile) -> tuple[Path, ...]:
    """Name where MLflow may describe the run, never above the folder that is read."""
    folder, found = source.path.parent, []
    for _ in range(_LEVELS):
        found += [folder / "meta.yaml", folder / "params" / "model"]
        if folder == source.root or folder.parent == folder:
            break
        folder = folder.parent
    return tuple(found)


def _describe_run(source: SourceFile) -> dict[str, Any]:
    """Find the model's name: the parameter `model`, else the name of the run."""
    described: dict[str, str] = {}
    for path in _run_files(source):
        if not path.is_file():
            continue
        text = SourceFile(path, source.root).head.decode("utf-8", "replace")
        if path.name == "model":
            described.setdefault("model", clean_name(text))
        else:
            for key, value in _META.findall(text):
                described.setdefault(key, clean_name(value.strip("'\"")))
    name = described.get("model") or described.get("run_name", "")
    start = described.get("start_time", "")
    created = float(start) / 1000 if start.isdecimal() and len(start) < 16 else 0.0
    stem = clean_name(source.path.name.partition(".")[0])
    # W&B ends the name of a table in its step and a hash, which differ from run to run.
    task = re.sub(r"_\d+_[0-9a-f]{12,}$", "", stem)
    identity = f"run {described['run_id']}" if described.get("run_id") else ""
    return {"respondent": name, "task": task, "identity": identity, "created": created}
