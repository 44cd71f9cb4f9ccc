"""The logs of a folder put together: one code for each respondent, item and measure."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from itemcurve.logs.file_reading import FileReading
from itemcurve.logs.reading.log_rows import ERROR, SCORED, Batch, Measure
from itemcurve.logs.table.item_codes import ItemCodes, find_duplicated
from itemcurve.logs.table.long_table import FileNote, LogResponses, Rows, TaskMeasure
from itemcurve.logs.table.respondent_names import SourceRun, name_respondents

# Task, harness, metric, filter, group.
_MeasureKey = tuple[str, str, str, str, str]


def assemble(readings: Sequence[FileReading]) -> LogResponses:
    """Join the readings of all files into one table; of reruns the newest counts."""
    batches = [
        (reading.path, reading.batch)
        for reading in readings
        if reading.batch is not None and reading.batch.run.size
    ]
    runs = [SourceRun(batch.harness, run) for _, batch in batches for run in batch.runs]
    names, collisions = name_respondents(runs)
    duplicated = find_duplicated(
        (tuple({run.task for run in batch.runs}), batch.samples, batch.contents)
        for _, batch in batches
    )
    join = _Join(names, ItemCodes(duplicated))
    parts = [join.place(batch, place) for place, (_, batch) in enumerate(batches)]
    rows, superseded = _keep_newest(_concatenate(parts), [_created(batch) for _, batch in batches])
    return LogResponses(
        respondents=tuple(join.respondents),
        items=join.items.items(),
        measures=_merge_mains(join.measures),
        rows=rows,
        files=tuple(
            FileNote(reading.path, reading.harness, reading.status, reading.reason)
            for reading in readings
        ),
        sources=tuple(path for path, _ in batches),
        cost_units=tuple(batch.cost_unit for _, batch in batches),
        collisions=tuple(collisions + join.items.collisions()),
        superseded=superseded,
        answers=tuple(join.answers),
    )


@dataclass
class _Join:
    """Turns the codes of one batch into codes over all of them."""

    names: dict[SourceRun, str]
    items: ItemCodes
    respondents: dict[str, int] = field(default_factory=dict)
    measures: dict[_MeasureKey, tuple[int, Measure]] = field(default_factory=dict)
    answers: dict[str, int] = field(default_factory=lambda: {"": 0})

    def place(self, batch: Batch, source: int) -> Rows:
        labels = [self.names[SourceRun(batch.harness, run)] for run in batch.runs]
        of_run = np.array(
            [self.respondents.setdefault(label, len(self.respondents)) for label in labels],
            dtype=np.int32,
        )
        return Rows(
            of_run[batch.run],
            self._items(batch),
            self._measures(batch),
            batch.repeat,
            batch.status.astype(np.int8),
            batch.value,
            batch.cost,
            np.full(batch.run.size, source, dtype=np.int32),
            self._answers(batch),
        )

    def _answers(self, batch: Batch) -> NDArray[np.int32]:
        codes = [self.answers.setdefault(text, len(self.answers)) for text in batch.answers]
        return np.array(codes, dtype=np.int32)[batch.answer]

    def _items(self, batch: Batch) -> NDArray[np.int32]:
        tasks = [run.task for run in batch.runs]
        if len(set(tasks)) == 1:
            notes = tuple(zip(batch.questions, batch.targets, strict=True))
            codes = self.items.code(batch.harness, tasks[0], batch.samples, batch.contents, notes)
            return codes[batch.sample]
        found = np.empty(batch.run.size, dtype=np.int32)
        for task in dict.fromkeys(tasks):
            here = np.isin(batch.run, [code for code, name in enumerate(tasks) if name == task])
            used, inverse = np.unique(batch.sample[here], return_inverse=True)
            samples = tuple(batch.samples[code] for code in used.tolist())
            contents = tuple(batch.contents[code] for code in used.tolist())
            notes = tuple((batch.questions[code], batch.targets[code]) for code in used.tolist())
            found[here] = self.items.code(batch.harness, task, samples, contents, notes)[inverse]
        return found

    def _measures(self, batch: Batch) -> NDArray[np.int32]:
        keys, inverse = np.unique(
            batch.run.astype(np.int64) * len(batch.measures) + batch.measure, return_inverse=True
        )
        codes = [
            self._code_measure(batch.runs[run].task, batch.harness, batch.measures[measure])
            for run, measure in (divmod(key, len(batch.measures)) for key in keys.tolist())
        ]
        return np.array(codes, dtype=np.int32)[inverse]

    def _code_measure(self, task: str, harness: str, measure: Measure) -> int:
        key = (task, harness, measure.metric, measure.filter, measure.group)
        code, known = self.measures.get(key, (len(self.measures), measure))
        self.measures[key] = (code, _merge(known, measure))
        return code


def _merge(one: Measure, other: Measure) -> Measure:
    """Keep a range only where all logs agree on it."""
    if (one.low, one.high) == (other.low, other.high):
        return replace(one, is_main=one.is_main or other.is_main)
    return replace(one, low=None, high=None, is_main=one.is_main or other.is_main)


def _merge_mains(
    measures: dict[_MeasureKey, tuple[int, Measure]],
) -> tuple[TaskMeasure, ...]:
    return tuple(TaskMeasure(*key[:2], measure) for key, (_, measure) in measures.items())


def _concatenate(parts: list[Rows]) -> Rows:
    if not parts:
        empty = np.empty(0, dtype=np.int32)
        none = np.empty(0)
        return Rows(empty, empty, empty, empty, empty.astype(np.int8), none, none, empty, empty)
    return Rows(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _created(batch: Batch) -> float:
    return max(run.created for run in batch.runs)


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
