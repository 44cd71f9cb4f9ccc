"""What every way of reading responses hands over."""

from typing import NamedTuple

from itemcurve.errors import ResponsesError
from itemcurve.responses.layouts.cells import ResponseCells


class Parts(NamedTuple):
    """Ids of the respondents, ids of the items, and the cells between them."""

    respondents: tuple[str, ...]
    items: tuple[str, ...]
    cells: ResponseCells


def check_shape(shape: tuple[int, ...]) -> tuple[int, int]:
    """Accept respondents × items with at least one of each."""
    if len(shape) != 2:
        raise ResponsesError(
            "Responses must be a matrix with two dimensions, respondents × items;",
            f"given are {len(shape)} dimensions, shape {shape}.",
            "Use `Y.reshape(1, -1)` for one respondent or `Y.reshape(-1, 1)` for one item.",
        )
    if 0 in shape:
        raise ResponsesError(
            "Responses must have at least one respondent and one item;",
            f"given is an empty matrix of {shape[0]} respondents × {shape[1]} items.",
            "Check the filter or the file that produced it.",
        )
    return (shape[0], shape[1])
