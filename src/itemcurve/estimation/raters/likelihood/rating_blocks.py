"""Ratings in pieces: arrays at all nodes of one piece stay in the cache of a processor."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from itemcurve.estimation.raters.likelihood.rating_design import Codes, Numbers, RatingDesign
from itemcurve.numerics.engine import Engine

_MOST_RATINGS = 250


class Places(NamedTuple):
    """Where ratings, answers and units of a block belong to, counted within the block.

    Attributes
    ----------
    grade, weight, answer : of each rating.
    answer_starts, answer_unit, unit_starts : as of the design.
    groups : for each number of ratings of an answer, these answers and their ratings.
    """

    grade: Codes
    weight: Numbers
    answer: Codes
    answer_starts: Codes
    answer_unit: Codes
    unit_starts: Codes
    groups: tuple[tuple[Codes, Codes], ...]


@dataclass(frozen=True, eq=False)
class Block:
    """Some units with all their answers and ratings, as stretches of the design's."""

    ratings: slice
    answers: slice
    units: slice
    places: Places


def cut_blocks(design: RatingDesign) -> list[Block]:
    """Cut ratings at the borders of units; compiled code takes all at once."""
    answer_ends = np.append(design.answer_starts, len(design.rater))
    unit_ends = np.append(design.unit_starts, design.n_answers)
    rating_ends = answer_ends[unit_ends]
    most = len(design.rater) if design.engine.compiles else _MOST_RATINGS
    edges = [0]
    for unit in range(1, design.n_units + 1):
        is_last = unit == design.n_units
        if is_last or rating_ends[unit + 1] - rating_ends[edges[-1]] > most:
            edges.append(unit)
    return [
        _block(design, (edges[k], edges[k + 1]), unit_ends, answer_ends)
        for k in range(len(edges) - 1)
    ]


def _block(
    design: RatingDesign, units: tuple[int, int], unit_ends: Codes, answer_ends: Codes
) -> Block:
    first, last = unit_ends[units[0]], unit_ends[units[1]]
    begin, end = answer_ends[first], answer_ends[last]
    starts = design.answer_starts[first:last] - begin
    lengths = np.diff(np.append(starts, end - begin))
    groups = []
    for length in np.unique(lengths):
        chosen = np.flatnonzero(lengths == length)
        groups.append((chosen, starts[chosen][:, None] + np.arange(length)))
    places = Places(
        design.grade[begin:end],
        design.weight[begin:end],
        design.answer[begin:end] - first,
        starts,
        design.answer_unit[first:last] - units[0],
        design.unit_starts[units[0] : units[1]] - first,
        tuple(groups),
    )
    return Block(slice(begin, end), slice(first, last), slice(*units), places)


def sum_runs(engine: Engine, values: Any, starts: Any, codes: Any, count: int) -> Any:
    """Sum rows over runs of the same code."""
    if engine.compiles:
        found = engine.xp.zeros((count, *values.shape[1:]), values.dtype)
        return found.at[codes].add(values, indices_are_sorted=True)
    return np.add.reduceat(values, starts, axis=0)
