"""The logs of a folder put together: one code for each respondent, item and measure."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from itemcurve.logs.file_reading import FileReading
from itemcurve.logs.reading.log_rows import ERROR, SCORED, LogMeasure, LogRows
from itemcurve.logs.table.item_codes import ItemCodes, find_duplicated
from itemcurve.logs.table.long_table import FileNote, LogResponses, Rows, TaskMeasure
from itemcurve.logs.table.respondent_names import SourceRun, name_respondents

# Task, harness, metric, filter, group.
_MeasureKey = tuple[str, str, str, str, str]


def assemble(readings: Sequence[FileReading]) -> LogResponses:
    """Join the readings of all files into one table; of reruns the newest counts."""
    logs = [
        (reading.path, reading.log)
        for reading in readings
        if reading.log is not None and reading.log.run.size
    ]
    runs = [SourceRun(log.harness, run) for _, log in logs for run in log.runs]
    names, collisions = name_respondents(runs)
    duplicated = find_duplicated(
        (tuple({run.task for run in log.runs}), log.samples, log.contents) for _, log in logs
    )
    join = _Join(names, ItemCodes(duplicated))
    parts = [join.place(log, place) for place, (_, log) in enumerate(logs)]
    rows, superseded = _keep_newest(_concatenate(parts), [_created(log) for _, log in logs])
    return LogResponses(
        respondents=tuple(join.respondents),
        items=join.items.items(),
        measures=_merge_mains(join.measures),
        rows=rows,
        files=tuple(
            FileNote(reading.path, reading.harness, reading.status, reading.reason)
            for reading in readings
        ),
        sources=tuple(path for path, _ in logs),
        cost_units=tuple(log.cost_unit for _, log in logs),
        collisions=tuple(collisions + join.items.collisions()),
        superseded=superseded,
        answers=tuple(join.answers),
    )


@dataclass
class _Join:
    """Turns the codes of one log into codes over all of them."""

    names: dict[SourceRun, str]
    items: ItemCodes
    respondents: dict[str, int] = field(default_factory=dict)
    measures: dict[_MeasureKey, tuple[int, LogMeasure]] = field(default_factory=dict)
    answers: dict[str, int] = field(default_factory=lambda: {"": 0})

    def place(self, log: LogRows, source: int) -> Rows:
        labels = [self.names[SourceRun(log.harness, run)] for run in log.runs]
        of_run = np.array(
            [self.respondents.setdefault(label, len(self.respondents)) for label in labels],
            dtype=np.int32,
        )
        return Rows(
            of_run[log.run],
            self._items(log),
            self._measures(log),
            log.repeat,
            log.status.astype(np.int8),
            log.value,
            log.cost,
            np.full(log.run.size, source, dtype=np.int32),
            self._answers(log),
        )

    def _answers(self, log: LogRows) -> NDArray[np.int32]:
        codes = [self.answers.setdefault(text, len(self.answers)) for text in log.answers]
        return np.array(codes, dtype=np.int32)[log.answer]

    def _items(self, log: LogRows) -> NDArray[np.int32]:
        tasks = [run.task for run in log.runs]
        if len(set(tasks)) == 1:
            notes = tuple(zip(log.questions, log.targets, strict=True))
            codes = self.items.code(log.harness, tasks[0], log.samples, log.contents, notes)
            return codes[log.sample]
        found = np.empty(log.run.size, dtype=np.int32)
        for task in dict.fromkeys(tasks):
            here = np.isin(log.run, [code for code, name in enumerate(tasks) if name == task])
            used, inverse = np.unique(log.sample[here], return_inverse=True)
            samples = tuple(log.samples[code] for code in used.tolist())
            contents = tuple(log.contents[code] for code in used.tolist())
            notes = tuple((log.questions[code], log.targets[code]) for code in used.tolist())
            found[here] = self.items.code(log.harness, task, samples, contents, notes)[inverse]
        return found

    def _measures(self, log: LogRows) -> NDArray[np.int32]:
        keys, inverse = np.unique(
            log.run.astype(np.int64) * len(log.measures) + log.measure, return_inverse=True
        )
        codes = [
            self._code_measure(log.runs[run].task, log.harness, log.measures[measure])
            for run, measure in (divmod(key, len(log.measures)) for key in keys.tolist())
        ]
        return np.array(codes, dtype=np.int32)[inverse]

    def _code_measure(self, task: str, harness: str, measure: LogMeasure) -> int:
        key = (task, harness, measure.metric, measure.filter, measure.group)
        code, known = self.measures.get(key, (len(self.measures), measure))
        self.measures[key] = (code, _merge(known, measure))
        return code


def _merge(one: LogMeasure, other: LogMeasure) -> LogMeasure:
    """Keep a range only where all logs agree on it."""
    if (one.low, one.high) == (other.low, other.high):
        return replace(one, is_main=one.is_main or other.is_main)
    return replace(one, low=None, high=None, is_main=one.is_main or other.is_main)


def _merge_mains(
    measures: dict[_MeasureKey, tuple[int, LogMeasure]],
) -> tuple[TaskMeasure, ...]:
    return tuple(TaskMeasure(*key[:2], measure) for key, (_, measure) in measures.items())


def _concatenate(parts: list[Rows]) -> Rows:
    if not parts:
        empty = np.empty(0, dtype=np.int32)
        none = np.empty(0)
        return Rows(empty, empty, empty, empty, empty.astype(np.int8), none, none, empty, empty)
    return Rows(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _created(log: LogRows) -> float:
    return max(run.created for run in log.runs)


def _keep_newest(rows: Rows, created: list[float]) -> tuple[Rows, int]:
    """Keep, of each cell and measure, the rows of the newest log that scored it.

    A rerun that failed on a sample does not erase what an earlier one found there.
    """
    if not rows.value.size:
        return rows, 0
    ranks = np.empty(len(created), dtype=np.int64)
    # Equal times: the later path, so that a copy of a log never counts twice.
    ranks[np.argsort(created, kind="stable")] = np.arange(len(created))
    rank = ranks[rows.source]
    cell = rows.respondent.astype(np.int64) * (int(rows.item.max()) + 1) + rows.item
    key = cell * (int(rows.measure.max()) + 1) + rows.measure
    kept = _is_newest(key, rank, rows.status)
    is_error = rows.status == ERROR
    if is_error.any():
        cells = np.unique(cell[rows.status == SCORED])
        kept &= ~is_error | ~np.isin(cell, cells)
    return rows.keep(kept), int(np.count_nonzero(~kept))


def _is_newest(
    key: NDArray[np.int64], rank: NDArray[np.int64], status: NDArray[np.int8]
) -> NDArray[np.bool_]:
    """Say which rows belong to the newest log with a score for their key."""
    priority = rank + np.where(status == SCORED, int(rank.max()) + 1, 0)
    order = np.argsort(key, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(key[order]) != 0])
    best = np.maximum.reduceat(priority[order], starts)
    winner = np.repeat(best, np.diff(np.r_[starts, key.size]))
    kept = np.empty(key.size, dtype=np.bool_)
    kept[order] = rank[order] == winner % (int(rank.max()) + 1)
    return kept
