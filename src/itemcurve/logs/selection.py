"""From the long table to responses: which metric counts, and how repeats become counts."""

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ResponsesError
from itemcurve.logs.batch import SCORED, Measure
from itemcurve.responses.matrix import Responses
from itemcurve.responses.table_input import arrange_cells, has_repeats

if TYPE_CHECKING:
    from itemcurve.logs.long_table import LogResponses, Names


@dataclass(frozen=True)
class Choice:
    """What stands for the score of a task: codes of measures, and the other candidates."""

    task: str
    harness: str
    metric: str
    filter: str
    measures: tuple[int, ...]
    low: float | None
    high: float | None
    is_higher_better: bool
    others: tuple[str, ...]

    def __str__(self) -> str:
        range_ = "" if self.low is None or self.high is None else f", {self.low:g} to {self.high:g}"
        direction = "" if self.is_higher_better else ", lower is better"
        others = f" (also there: {', '.join(self.others)})" if self.others else ""
        return f"{self.task}: {show_measure(self.metric, self.filter)}{range_}{direction}{others}"


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
        for name in _find_tasks(logs, task)
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


def announce_choices(choices: tuple[Choice, ...]) -> None:
    """Print on stderr what was chosen, where there was a choice or a direction to know."""
    for choice in choices:
        if choice.others or not choice.is_higher_better:
            print(f"Taking {choice}", file=sys.stderr)


def select_responses(
    logs: "LogResponses", choices: tuple[Choice, ...], *, rescale: bool
) -> Responses:
    """Give the responses of the measures chosen."""
    if not rescale:
        _refuse_mixture(choices)
    rows = logs.rows
    values = rows.value.copy()
    kept = np.zeros(values.size, dtype=np.bool_)
    for choice in choices:
        here = np.isin(rows.measure, choice.measures) & (rows.status == SCORED)
        kept |= here
        if rescale:
            values[here] = _rescale(values[here], choice)
    if not kept.any():
        raise ResponsesError(
            "At least one sample must have been scored;",
            f"none was by {'; '.join(map(str, choices[:3]))}.",
            "Choose another metric, or see `logs.file_frame()` for errors.",
        )
    respondents, rows_ = _renumber(rows.respondent[kept])
    items, columns = _renumber(rows.item[kept])
    shape = (respondents.size, items.size)
    cells = arrange_cells(*_count_repeats(rows_, columns, values[kept], shape), shape)
    return Responses(
        tuple(logs.respondents[code] for code in respondents.tolist()),
        tuple(logs.items[code].name for code in items.tolist()),
        cells,
    )


def _refuse_mixture(choices: tuple[Choice, ...]) -> None:
    """Refuse tasks in one matrix whose values do not mean the same."""
    directions = {choice.is_higher_better for choice in choices}
    ranges = {(choice.low, choice.high) for choice in choices} - {(None, None)}
    if len(directions) > 1 or len(ranges) > 1:
        shown = "; ".join(str(choice).partition(" (also")[0] for choice in choices[:5])
        raise ResponsesError(
            "Tasks that are put together need values of one range and direction;",
            f"chosen are {shown}.",
            "Select one task, another metric, or use `rescale=True` (--rescale).",
        )


def _find_tasks(logs: "LogResponses", task: "Names") -> tuple[str, ...]:
    if task is None:
        return logs.tasks
    wanted = (task,) if isinstance(task, str) else tuple(task)
    unknown = [name for name in wanted if name not in logs.tasks]
    if unknown or not wanted:
        raise ResponsesError(
            "Tasks must occur in the logs;",
            f"unknown is {unknown[0]!r}." if unknown else "none is named.",
            f"There are {', '.join(logs.tasks[:20]) or 'none'}.",
        )
    return wanted


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


def _range(measures: list[Measure]) -> tuple[float | None, float | None]:
    ranges = {(measure.low, measure.high) for measure in measures}
    return ranges.pop() if len(ranges) == 1 else (None, None)


def _rescale(values: NDArray[np.float64], choice: Choice) -> NDArray[np.float64]:
    if choice.low is None or choice.high is None or not choice.low < choice.high:
        raise ResponsesError(
            "Rescaling needs a range that the harness states;",
            f"{choice} has none.",
            "Use the values as they are, or rescale them yourself from `logs.frame()`.",
        )
    scaled = (values - choice.low) / (choice.high - choice.low)
    return scaled if choice.is_higher_better else 1 - scaled


def _renumber(codes: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Give the codes that occur, and each code's place among them; codes are small numbers."""
    present = np.flatnonzero(np.bincount(codes))
    places = np.zeros(int(present[-1]) + 1, dtype=np.int64)
    places[present] = np.arange(present.size)
    return present, places[codes]


def _count_repeats(
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
    values: NDArray[np.float64],
    shape: tuple[int, int],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.float64] | None]:
    """Join equal values of one cell into one entry with their number as weight: k of n."""
    places = rows * shape[1] + columns
    if not has_repeats(places, shape[0] * shape[1]):
        return rows, columns, values, None
    order = np.lexsort((values, places))
    place, value = places[order], values[order]
    starts = np.flatnonzero(np.r_[True, (np.diff(place) != 0) | (np.diff(value) != 0)])
    counts = np.diff(np.r_[starts, place.size]).astype(np.float64)
    return place[starts] // shape[1], place[starts] % shape[1], value[starts], counts
