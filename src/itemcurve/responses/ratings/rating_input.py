"""Ratings from tables, with all checks."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ResponsesError
from itemcurve.responses.input.column_numbers import Column, column_ids, column_numbers, factorize
from itemcurve.responses.input.frame_input import columns_of
from itemcurve.responses.ratings.rating_table import RatingColumns, Ratings

MOST_GRADES = 30
# Grades are squared and added up, and errors in their unit are to say something.
LARGEST_GRADE = 10_000


def ratings_from_frame(frame: object, columns: RatingColumns, repeats: bool) -> Ratings:
    """Take ratings from a table in memory of any library narwhals knows."""
    names = [str(name) for name in getattr(frame, "column_names", getattr(frame, "columns", ()))]
    if not names:
        raise ResponsesError(
            "Ratings come as a long table with one row per rating;",
            f"given is a {type(frame).__name__}.",
            "Give a pandas, polars or Arrow table, or read a file with Ratings.read.",
        )
    found = dict(zip(names, columns_of(frame), strict=True))
    return ratings_from_columns(found, columns, repeats, parse_text=False)


def ratings_from_columns(
    found: dict[str, Column], columns: RatingColumns, repeats: bool, *, parse_text: bool
) -> Ratings:
    """Take ratings from named columns of equal length."""
    if columns.rating == "rating" and "rating" not in found and "response" in found:
        columns = replace(columns, rating="response")
    for name in columns.needed:
        if name not in found:
            raise ResponsesError(
                f"A table of ratings must have the column {name!r};",
                f"it has {', '.join(map(repr, list(found)[:8]))}.",
                "Name the columns: raters=ic.judges.Raters(rater=…, respondent=…, item=…, "
                "rating=…), or by the options of 'itemcurve judges', which has --out too.",
            )

    def locate(k: int) -> str:
        return f"row {k + 1}"

    values = np.asarray(
        column_numbers(found[columns.rating], columns.rating, locate, parse_text=parse_text),
        dtype=float,
    )
    kept = np.flatnonzero(~np.isnan(values))
    if not kept.size:
        raise ResponsesError(
            "At least one rating must be given;",
            f"all {len(values)} of column {columns.rating!r} are missing.",
            "Check the file or the table the ratings came from.",
        )
    grades, grade = _grades(values[kept], columns.rating)
    sides = [
        _ids(found[name], name, kept) for name in (columns.respondent, columns.item, columns.rater)
    ]
    time = None
    if columns.time is not None:
        time = _times(found[columns.time], columns.time, parse_text)[kept]
    (n, respondents), (i, items), (r, raters) = sides
    weight = _repeat_weights(n, i, r, (respondents, items, raters), repeats)
    return Ratings(respondents, items, raters, grades, n, i, r, grade, weight, time)


def _ids(
    column: Column, name: str, kept: NDArray[np.intp]
) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """Positions and ids of the rows kept, without ids that no kept row has."""
    codes, ids = column_ids(column, name)
    places, used = factorize(codes[kept])
    return places.astype(np.int64), tuple(ids[code] for code in used)


def _grades(values: NDArray[np.float64], name: str) -> tuple[tuple[float, ...], NDArray[np.int64]]:
    """The grades that occur, and which each rating is; whole numbers of few kinds only."""
    is_grade = (values == np.round(values)) & (np.abs(values) <= LARGEST_GRADE)
    odd = values[~is_grade]
    distinct, grade = np.unique(values, return_inverse=True)
    if odd.size or len(distinct) > MOST_GRADES:
        what = (
            f"{odd.size} in column {name!r} are not, the first is {odd[0]:g}."
            if odd.size
            else f"column {name!r} has {len(distinct)} different ones."
        )
        raise ResponsesError(
            f"Ratings must be whole numbers from {-LARGEST_GRADE:,} to {LARGEST_GRADE:,}, "
            f"at most {MOST_GRADES} different ones;",
            what,
            "Cut them into grades first, for instance with numpy.digitize.",
        )
    if len(distinct) < 2:
        raise ResponsesError(
            "Ratings must differ;",
            f"all are {distinct[0]:g}.",
            "Check that the column is the right one.",
        )
    return tuple(float(value) for value in distinct), grade.astype(np.int64)


def _times(column: Column, name: str, parse_text: bool) -> NDArray[np.float64]:
    """Times as numbers: dates by their moment, text that is no number by its order."""
    values: Any = column
    if getattr(values, "dtype", None) is not None and values.dtype.kind == "M":
        return np.asarray(values.astype("datetime64[s]").astype(np.int64), dtype=float)
    codes, distinct = factorize(column)
    try:
        numbers = np.array([float(value) for value in distinct])
    except (TypeError, ValueError):
        # ISO dates and the like sort as text in the order of time.
        texts = [str(value) for value in distinct]
        numbers = np.argsort(np.argsort(texts)).astype(float)
    if codes.size and codes.min() < 0:
        raise ResponsesError(
            f"Every rating needs a time in column {name!r};",
            f"row {int(np.argmin(codes)) + 1} has none.",
            "Fill them in, or leave the time out.",
        )
    return np.asarray(numbers[codes])


def _repeat_weights(
    respondent: NDArray[np.int64],
    item: NDArray[np.int64],
    rater: NDArray[np.int64],
    ids: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]],
    repeats: bool,
) -> NDArray[np.float64]:
    """One for each rating, shared by a rater's repeats; refuse repeats that are not meant."""
    key = (respondent * len(ids[1]) + item) * len(ids[2]) + rater
    _, first, place, counts = np.unique(
        key, return_index=True, return_inverse=True, return_counts=True
    )
    if counts.max() > 1 and not repeats:
        row = first[np.argmax(counts > 1)]
        names = ids[0][respondent[row]], ids[1][item[row]], ids[2][rater[row]]
        raise ResponsesError(
            "A rater rates each answer once, unless repeats are meant;",
            f"{int((counts > 1).sum()):,} were rated more often, the first is respondent "
            f"{names[0]!r}, item {names[1]!r}, by {names[2]!r}.",
            "Say repeats=True (--repeats) if these are repeated ratings of the same answer, remove "
            "duplicated rows, or make ids of items or raters that tell them apart.",
        )
    return np.asarray(1.0 / counts[place])
