"""Which metric and filter stand for the score of a task, and how that is said."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.errors import ResponsesError
from itemcurve.logs.reading.log_rows import SCORED, LogMeasure

if TYPE_CHECKING:
    from itemcurve.logs.table.long_table import LogResponses, Names, Rows

# What parts the name of a group from that of its members: mmlu_anatomy, mmlu/anatomy, mmlu:anatomy.
_PARTING = "_/:-."
_SHOWN_TASKS = 3


@dataclass(frozen=True)
class Choice:
    """What stands for the score of a task: codes of measures, and the other candidates.

    `note` says what is odd about it: that another filter was passed over because it gives every
    model 0, or that this one does.
    """

    task: str
    harness: str
    metric: str
    filter: str
    measures: tuple[int, ...]
    low: float | None
    high: float | None
    is_higher_better: bool
    others: tuple[str, ...]
    note: str = ""

    def __str__(self) -> str:
        return f"{self.task}: {self.described}"

    @property
    def described(self) -> str:
        """The measure without its task."""
        range_ = "" if self.low is None or self.high is None else f", {self.low:g} to {self.high:g}"
        direction = "" if self.is_higher_better else ", lower is better"
        note = f"; {self.note}" if self.note else ""
        others = f" (also there: {', '.join(self.others)})" if self.others else ""
        return f"{show_measure(self.metric, self.filter)}{range_}{direction}{note}{others}"


def show_measure(metric: str, filter_: str) -> str:
    """Write metric and filter as one."""
    return metric if filter_ in ("", "none") else f"{metric}, filter {filter_}"


def choose_measures(
    logs: "LogResponses",
    task: "Names",
    metric: str | None,
    filter_: str | None,
    group: str | None,
) -> tuple[Choice, ...]:
    """Choose for each task; refuse what exists nowhere."""
    chosen = [
        choice
        for name in find_tasks(logs, task)
        for harness in dict.fromkeys(e.harness for e in logs.measures if e.task == name)
        if (choice := _choose(logs, (name, harness), metric, filter_, group)) is not None
    ]
    if chosen:
        return tuple(chosen)
    measures = [entry.measure for entry in logs.measures if entry.measure.metric]
    found = sorted({show_measure(measure.metric, measure.filter) for measure in measures})
    groups = sorted({measure.group for measure in measures if measure.group})
    raise ResponsesError(
        "The metric, filter and group must occur in the logs;",
        f"asked for are metric {metric!r}, filter {filter_!r}, group {group!r}; there are "
        f"{', '.join(found) or 'no metrics'}{'; groups ' + ', '.join(groups) if groups else ''}.",
        "Choose among these; `logs.summary()` lists them by task.",
    )


def describe_choices(choices: Iterable[Choice]) -> list[str]:
    """Say what was chosen, one line for all tasks of which the same was."""
    tasks: dict[str, list[str]] = {}
    for choice in choices:
        tasks.setdefault(choice.described, []).append(choice.task)
    return [f"{_list_tasks(names)}: {measure}" for measure, names in tasks.items()]


def announce_choices(choices: tuple[Choice, ...], said: set[str]) -> None:
    """Print on stderr what was chosen, where there was a choice or a direction to know.

    Parameters
    ----------
    said : lines that were printed before, which are not repeated; it grows.
    """
    telling = [c for c in choices if c.others or c.note or not c.is_higher_better]
    for line in describe_choices(telling):
        if line not in said:
            print(f"Taking {line}", file=sys.stderr)
            said.add(line)


def find_tasks(logs: "LogResponses", task: "Names") -> tuple[str, ...]:
    """Give the tasks that names stand for: a task, a pattern (`mmlu_*`), a group (`mmlu`)."""
    if task is None:
        return logs.tasks
    wanted = (task,) if isinstance(task, str) else tuple(task)
    found = {name: _match(logs.tasks, name) for name in wanted}
    unknown = [name for name in wanted if not found[name]]
    if unknown or not wanted:
        raise ResponsesError(
            "Tasks must occur in the logs;",
            f"unknown is {unknown[0]!r}." if unknown else "none is named.",
            f"There are {', '.join(logs.tasks[:20]) or 'none'}; patterns as 'mmlu_*' and the "
            "beginning that several tasks share name them together.",
        )
    return tuple(dict.fromkeys(one for name in wanted for one in found[name]))


def _match(tasks: tuple[str, ...], name: str) -> list[str]:
    if name in tasks:
        return [name]
    by_pattern = [task for task in tasks if fnmatchcase(task, name)]
    groups = tuple(name + sign for sign in _PARTING)
    return by_pattern or [task for task in tasks if task.startswith(groups)]


def _list_tasks(names: list[str]) -> str:
    if len(names) <= _SHOWN_TASKS:
        return ", ".join(names)
    return f"{len(names)} tasks ({', '.join(names[:_SHOWN_TASKS])}, …)"


def _choose(
    logs: "LogResponses",
    task: tuple[str, str],
    metric: str | None,
    filter_: str | None,
    group: str | None,
) -> Choice | None:
    """Choose the measures of one task of one harness, or None where it has none such."""
    there = [
        (code, entry.measure)
        for code, entry in enumerate(logs.measures)
        if (entry.task, entry.harness) == task and entry.measure.metric
    ]
    fitting = [
        measure
        for _, measure in there
        if metric in (None, measure.metric)
        and filter_ in (None, measure.filter)
        and group in (None, measure.group)
    ]
    if not fitting:
        return None
    main = next((measure for measure in fitting if measure.is_main), fitting[0])
    chosen = _take(there, main, group, task)
    if not logs.zero_measures.issuperset(chosen.measures):
        return chosen
    # A filter that never finds an answer gives every model 0: another may tell them apart.
    for other in (m for m in fitting if m.metric == main.metric and m.filter != main.filter):
        instead = _take(there, other, group, task)
        if not logs.zero_measures.issuperset(instead.measures):
            passed = show_measure(main.metric, main.filter)
            return replace(instead, note=f"not {passed}, which is 0 for all models")
    return replace(chosen, note="0 for all models: it tells nobody apart")


def _take(
    there: list[tuple[int, LogMeasure]], main: LogMeasure, group: str | None, task: tuple[str, str]
) -> Choice:
    """Take all measures of a task with the metric and filter of this one."""
    pair = (main.metric, main.filter)
    taken = [
        (code, measure)
        for code, measure in there
        if (measure.metric, measure.filter) == pair and group in (None, measure.group)
    ]
    others = {(measure.metric, measure.filter): None for _, measure in there}
    return Choice(
        *task,
        *pair,
        tuple(code for code, _ in taken),
        *_range([measure for _, measure in taken]),
        main.is_higher_better,
        tuple(show_measure(*other) for other in others if other != pair),
    )


def _range(measures: list[LogMeasure]) -> tuple[float | None, float | None]:
    ranges = {(measure.low, measure.high) for measure in measures}
    return ranges.pop() if len(ranges) == 1 else (None, None)


def find_zeros(rows: "Rows", n_measures: int) -> frozenset[int]:
    """Find measures by which two models or more have 0 on all of several items."""
    scored = rows.status == SCORED
    measure = rows.measure[scored]
    is_zero = np.bincount(measure, minlength=n_measures) > 0
    is_zero &= np.bincount(measure[rows.value[scored] != 0], minlength=n_measures) == 0
    for column in (rows.respondent, rows.item):
        lowest, highest = np.full(n_measures, np.inf), np.full(n_measures, -np.inf)
        np.minimum.at(lowest, measure, column[scored])
        np.maximum.at(highest, measure, column[scored])
        is_zero &= lowest < highest
    return frozenset(np.flatnonzero(is_zero).tolist())
