"""From the long table to responses: the measures chosen, and how repeats become counts."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ResponsesError
from itemcurve.logs.reading.log_rows import SCORED
from itemcurve.logs.table.measure_choice import Choice
from itemcurve.responses.layouts.cell_layout import arrange_cells, has_repeats
from itemcurve.responses.matrix import Responses

if TYPE_CHECKING:
    from itemcurve.logs.table.long_table import LogResponses


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
