"""Responses as a pandas table."""

from typing import TYPE_CHECKING, Literal

import numpy as np

from itemcurve.errors import ResponsesError
from itemcurve.responses.input.parts import Parts
from itemcurve.responses.layouts.dense_cells import DenseCells

if TYPE_CHECKING:
    import pandas


def frame_of(parts: Parts, layout: Literal["long", "wide"]) -> "pandas.DataFrame":
    """Give one row per observation (long) or one row per respondent (wide)."""
    if layout == "long":
        return _long_frame(parts)
    if layout == "wide":
        return _wide_frame(parts)
    raise ResponsesError(
        'The layout of a table must be "long" or "wide";', f"given is {layout!r}.", 'Use "long".'
    )


def lossless_frame(parts: Parts) -> "pandas.DataFrame":
    """Give a wide table where it loses nothing and cannot be mistaken, else a long one."""
    is_ambiguous = "respondent" in parts.items or {"item", "response"} <= set(parts.items)
    if has_repeats_or_weights(parts) or is_ambiguous:
        return _with_empty(parts, frame_of(parts, "long"))
    frame = frame_of(parts, "wide")
    is_incomplete = parts.cells.weight() is not None
    if is_incomplete and parts.cells.observed_values().dtype == np.int8:
        # Nullable integers: a missing cell would turn 1 into 1.0.
        frame = frame.astype("Int8")
    return frame.reset_index()


def has_repeats_or_weights(parts: Parts) -> bool:
    """Say whether a wide table would lose something."""
    if not isinstance(parts.cells, DenseCells):
        return True
    weights = parts.cells.weights
    return weights is not None and weights.dtype != np.bool_


def _long_frame(parts: Parts) -> "pandas.DataFrame":
    # Imported here because only those who ask for a table should wait for it.
    import pandas

    entries = parts.cells.entries()
    columns = {
        "respondent": np.array(parts.respondents, dtype=object)[entries.rows],
        "item": np.array(parts.items, dtype=object)[entries.columns],
        "response": entries.values,
    }
    if entries.weights is not None:
        columns["weight"] = entries.weights
    return pandas.DataFrame(columns)


def _wide_frame(parts: Parts) -> "pandas.DataFrame":
    import pandas

    cells = parts.cells
    if isinstance(cells, DenseCells) and cells.weights is None:
        values = np.array(cells.values)
    else:
        values = cells.array()
    index = pandas.Index(parts.respondents, name="respondent", dtype=object)
    return pandas.DataFrame(
        values, index=index, columns=pandas.Index(parts.items, dtype=object), copy=False
    )


def _with_empty(parts: Parts, frame: "pandas.DataFrame") -> "pandas.DataFrame":
    """Add a row without response for respondents and items that have none, to keep their ids."""
    import pandas

    empty_rows = np.flatnonzero(parts.cells.counts(1) == 0)
    empty_columns = np.flatnonzero(parts.cells.counts(0) == 0)
    pairs = [(parts.respondents[row], parts.items[0]) for row in empty_rows]
    pairs += [(parts.respondents[0], parts.items[column]) for column in empty_columns]
    if not pairs:
        return frame
    added = pandas.DataFrame(pairs, columns=["respondent", "item"])
    return pandas.concat([frame, added], ignore_index=True)
