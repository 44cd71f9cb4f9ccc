"""What a folder of logs holds, in a table and in words."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.logs.reading.log_rows import ERROR, SCORED, UNSCORED
from itemcurve.logs.table.measure_choice import show_measure
from itemcurve.logs.table.respondent_names import Collision

if TYPE_CHECKING:
    import pandas

    from itemcurve.logs.table.long_table import FileNote, LogResponses

_MOST_LINES = 12


@dataclass(frozen=True)
class MeasureSummary:
    """One metric of one task; `is_default` marks what `select` takes unasked."""

    task: str
    metric: str
    filter: str
    group: str
    is_default: bool
    respondents: int
    items: int
    rows: int
    most_repeats: int
    unscored: int
    mean: float
    low: float | None
    high: float | None
    is_higher_better: bool


@dataclass(frozen=True)
class LogSummary:
    """Counts by task and metric, errors by task, collisions, and files that were not read."""

    respondents: tuple[str, ...]
    measures: tuple[MeasureSummary, ...]
    errors: dict[str, int]
    collisions: tuple[Collision, ...]
    superseded: int
    files: "dict[str, int]"
    problems: "tuple[FileNote, ...]"

    def frame(self) -> "pandas.DataFrame":
        """Give one row per task, metric, filter and group."""
        import pandas

        return pandas.DataFrame([vars(measure) for measure in self.measures])

    def __str__(self) -> str:
        """Write it for people."""
        lines = [f"{len(self.respondents)} respondents: {_list(self.respondents)}"]
        lines += [_describe(measure) for measure in self.measures[:_MOST_LINES]]
        lines += _more(len(self.measures), "metrics")
        lines += [f"{task}: {count} samples failed" for task, count in self.errors.items()]
        if self.superseded:
            lines.append(f"{self.superseded} rows of earlier runs give way to newer ones")
        lines += [
            f"Collision ({found.kind}): {found.where}: {found.detail}"
            for found in self.collisions[:_MOST_LINES]
        ]
        lines += _more(len(self.collisions), "collisions")
        lines.append("Files: " + ", ".join(f"{n} {status}" for status, n in self.files.items()))
        lines += [
            f"  {note.path}: {note.status}: {note.reason}" for note in self.problems[:_MOST_LINES]
        ]
        return "\n".join(lines + _more(len(self.problems), "files with problems"))

    __repr__ = __str__


def summarise(logs: "LogResponses") -> LogSummary:
    """Count what is there."""
    rows = logs.rows
    defaults = {
        code for choice in (logs.choose() if _has_metric(logs) else ()) for code in choice.measures
    }
    measures = tuple(
        _summarise_measure(logs, code, code in defaults)
        for code, entry in enumerate(logs.measures)
        if entry.measure.metric
    )
    is_error = rows.status == ERROR
    failed = np.bincount(rows.measure[is_error], minlength=len(logs.measures))
    errors: dict[str, int] = {}
    for entry, count in zip(logs.measures, failed.tolist(), strict=True):
        if count:
            errors[entry.task] = errors.get(entry.task, 0) + count
    counts: dict[str, int] = {}
    for note in logs.files:
        counts[note.status] = counts.get(note.status, 0) + 1
    # A foreign file is no problem unless somebody wonders; a log that cannot be read is.
    problems = tuple(note for note in logs.files if note.reason and note.status != "foreign")
    return LogSummary(
        logs.respondents, measures, errors, logs.collisions, logs.superseded, counts, problems
    )


def _has_metric(logs: "LogResponses") -> bool:
    return any(entry.measure.metric for entry in logs.measures)


def _summarise_measure(logs: "LogResponses", code: int, is_default: bool) -> MeasureSummary:
    rows, entry = logs.rows, logs.measures[code]
    here = rows.measure == code
    scored = here & (rows.status == SCORED)
    cells = rows.respondent[scored].astype(np.int64) * max(len(logs.items), 1) + rows.item[scored]
    repeats = np.unique(cells, return_counts=True)[1]
    measure = entry.measure
    return MeasureSummary(
        entry.task,
        measure.metric,
        measure.filter,
        measure.group,
        is_default,
        int(np.unique(rows.respondent[scored]).size),
        int(np.unique(rows.item[scored]).size),
        int(np.count_nonzero(scored)),
        int(repeats.max(initial=0)),
        int(np.count_nonzero(here & (rows.status == UNSCORED))),
        float(rows.value[scored].mean()) if scored.any() else float("nan"),
        measure.low,
        measure.high,
        measure.is_higher_better,
    )


def _describe(measure: MeasureSummary) -> str:
    group = f", {measure.group}" if measure.group else ""
    repeats = f", up to {measure.most_repeats} times each" if measure.most_repeats > 1 else ""
    unscored = f", {measure.unscored} not scored" if measure.unscored else ""
    direction = "" if measure.is_higher_better else ", lower is better"
    return (
        f"{'*' if measure.is_default else ' '} {measure.task}: "
        f"{show_measure(measure.metric, measure.filter)}{group}: {measure.respondents} respondents "
        f"× {measure.items} items{repeats}, mean {measure.mean:.4g}{direction}{unscored}"
    )


def _list(names: tuple[str, ...]) -> str:
    shown = ", ".join(names[:5])
    return f"{shown}, … and {len(names) - 5} more" if len(names) > 5 else shown


def _more(count: int, what: str) -> list[str]:
    return [f"  … and {count - _MOST_LINES} more {what}"] if count > _MOST_LINES else []
