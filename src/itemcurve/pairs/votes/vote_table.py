"""Votes out of a table, with all checks."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ResponsesError
from itemcurve.pairs.votes.style_columns import read_style
from itemcurve.pairs.votes.vote_cells import number_cells
from itemcurve.pairs.votes.vote_columns import VoteColumns, find_columns
from itemcurve.pairs.votes.vote_data import Codes, Floats, Votes
from itemcurve.pairs.votes.vote_files import Columns, read_columns
from itemcurve.pairs.votes.winner_words import Verdicts, read_shares, read_winners
from itemcurve.responses.input.column_numbers import CodedColumn, Column, column_ids, column_numbers

# Beyond it, votes of little weight are lost in the rounding of the others.
_WIDEST = 1e12
Repeats = Literal["refuse", "keep", "first"]


def read_votes(
    votes: object, *, style: str | Sequence[str] = (), repeats: Repeats = "refuse"
) -> Votes:
    """Read votes: who met whom, and who won.

    Parameters
    ----------
    votes : a table (pandas, polars, Arrow), a mapping of columns, or the path of a file (.csv,
        .tsv, .jsonl, .json, .parquet). Columns: `respondent_a`, `respondent_b`, `winner` (a, b,
        tie, both_bad, or the winner's name), optionally `judge`, `item`, `weight`. Those of arenas
        (model_a, tie (bothbad), question_id) and of AlpacaEval (generator_1, preference 1, 2, 1.5)
        are read too, and `probability_a` instead of a winner.
    style : covariates, as `find_columns` takes them.
    repeats : what to do with the same two on the same item before the same judge on the same
        sides: `"refuse"`, `"keep"` all, or keep the `"first"`.

    Examples
    --------
    >>> read_votes({"model_a": ["x", "y"], "model_b": ["y", "z"], "winner": ["model_a", "tie"]})
    Votes(2 among 3 respondents)
    """
    names = (style,) if isinstance(style, str) else tuple(style)
    chosen: list[VoteColumns] = []

    def choose(present: list[str]) -> list[str]:
        chosen.append(find_columns(present, names))
        return chosen[-1].names

    columns = read_columns(votes, choose)
    return _check_repeats(_assemble(columns, chosen[-1]), repeats)


def _assemble(columns: Columns, named: VoteColumns) -> Votes:
    first, second, respondents = _sides(columns[named.first], columns[named.second], named)
    if not len(first):
        raise ResponsesError(
            "A table of votes must have at least one row;", "it has none.", "Check the filter."
        )
    _refuse_self(first, second, respondents)
    column = columns[named.winner]
    if named.winner == "probability_a":
        verdicts = read_shares(column, named.winner)
    else:
        verdicts = read_winners(column, named.winner, (first, second), respondents)
    kept, weights, notes = _kept(columns, named, verdicts)
    parts = {part: _ids(columns, getattr(named, part)) for part in ("judge", "item")}
    made = Votes(
        respondents,
        first,
        second,
        verdicts.outcomes,
        verdicts.shares,
        *parts["judge"],
        *parts["item"],
        weights=weights,
        notes=notes,
    )
    made = _with_style(made if kept.all() else made.take(kept), columns, named, kept)
    return _without_idle(made)


def _sides(
    first: Column, second: Column, named: VoteColumns
) -> tuple[Codes, Codes, tuple[str, ...]]:
    """Codes of both sides into one list of respondents, in order of their names."""
    (a, ids_a), (b, ids_b) = column_ids(first, named.first), column_ids(second, named.second)
    respondents = tuple(sorted({*ids_a, *ids_b}))
    places = {name: place for place, name in enumerate(respondents)}
    to_a = np.array([places[name] for name in ids_a], dtype=np.int64)
    to_b = np.array([places[name] for name in ids_b], dtype=np.int64)
    return to_a[a], to_b[b], respondents


def _refuse_self(first: Codes, second: Codes, respondents: tuple[str, ...]) -> None:
    same = np.flatnonzero(first == second)
    if len(same):
        raise ResponsesError(
            "A vote must be between two different respondents;",
            f"{len(same):,} set one against itself, the first is {respondents[first[same[0]]]!r} "
            f"in row {same[0] + 1}.",
            "Remove these votes; they say nothing about who is better.",
        )


def _kept(
    columns: Columns, named: VoteColumns, verdicts: Verdicts
) -> tuple[NDArray[np.bool_], Floats | None, tuple[str, ...]]:
    """Which votes say something, with what weight, and what to tell of the others."""
    kept = verdicts.outcomes >= 0
    notes = []
    if not kept.all():
        notes.append(f"{(~kept).sum():,} of {len(kept):,} votes name no winner and are left out.")
    weights = None
    if named.weight is not None:
        weights = _weights(columns[named.weight])
        notes += [f"{(weights == 0).sum():,} votes of weight 0 are left out."] * bool(
            (weights == 0).any()
        )
        kept &= weights > 0
    if not kept.any():
        raise ResponsesError(
            "Some vote must name a winner, or a tie;", "none does.", "Check the column of winners."
        )
    return kept, weights, tuple(notes)


def _weights(column: Column) -> Floats:
    found = column_numbers(column, "weight", lambda row: f"row {row + 1}", parse_text=True)
    weights = np.asarray(found, dtype=np.float64)
    bad = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if len(bad):
        raise ResponsesError(
            "Weights of votes must be 0 or more;",
            f"{len(bad):,} are not, the first is {weights[bad[0]]} in row {bad[0] + 1}.",
            "Correct them, or leave the column out.",
        )
    counted = np.append(weights[weights > 0], 1.0)
    if counted.max() > _WIDEST * counted.min():
        raise ResponsesError(
            f"Weights of votes must lie within a factor of {_WIDEST:g} of 1 and one another;",
            f"they go from {counted.min():g} to {counted.max():g}.",
            "Give counts of votes, or leave the column out.",
        )
    return weights


def _ids(columns: Columns, name: str | None) -> tuple[tuple[str, ...], Codes | None]:
    if name is None:
        return (), None
    codes, ids = column_ids(columns[name], name)
    return ids, codes


def _with_style(
    votes: Votes, columns: Columns, named: VoteColumns, kept: NDArray[np.bool_]
) -> Votes:
    if not named.style:
        return votes
    own = [
        read_style(tuple(_some(columns[part], kept) for part in parts), name)
        for name, parts in named.style
    ]
    return replace(
        votes, style_names=tuple(name for name, _ in named.style), style=np.stack(own, axis=1)
    )


def _without_idle(votes: Votes) -> Votes:
    """Leave out respondents none of whose votes names a winner."""
    met = np.zeros(len(votes.respondents), dtype=bool)
    met[votes.first] = met[votes.second] = True
    if met.all():
        return votes
    idle = [name for name, has_met in zip(votes.respondents, met, strict=True) if not has_met]
    note = f"{len(idle):,} respondents have no vote that counts, as {idle[0]!r}; they are left out."
    return replace(votes.only(met), notes=(*votes.notes, note))


def _some(column: Column, kept: NDArray[np.bool_]) -> Column:
    if isinstance(column, CodedColumn):
        return CodedColumn(column.codes[kept], column.distinct)
    return column[kept]


def _check_repeats(votes: Votes, repeats: Repeats) -> Votes:
    if repeats not in ("refuse", "keep", "first"):
        raise ResponsesError(
            'repeats must be "refuse", "keep" or "first";',
            f"given is {repeats!r}.",
            "Leave it out.",
        )
    # Without both columns the same two may meet any number of times.
    if repeats == "keep" or votes.judge is None or votes.item is None:
        return votes
    cells, places = number_cells(
        (votes.first, votes.second, votes.judge, votes.item),
        (len(votes.respondents), len(votes.respondents), len(votes.judges), len(votes.items)),
    )
    counts = np.bincount(cells)
    if len(places) == len(votes):
        return votes
    if repeats == "first":
        left = len(votes) - len(places)
        note = f"{left:,} votes that repeat an earlier one are left out."
        return replace(votes.take(places), notes=(*votes.notes, note))
    row = int(places[np.argmax(counts > 1)])
    raise ResponsesError(
        "A judge must judge the same two on the same item once for each order of the sides;",
        f"{(counts > 1).sum():,} cells occur more than once, as "
        f"{votes.respondents[votes.first[row]]!r} against "
        f"{votes.respondents[votes.second[row]]!r} by {votes.judges[votes.judge[row]]!r} on "
        f"{votes.items[votes.item[row]]!r}.",
        'Remove the copies, or use repeats="keep" where a judge was asked several times, or '
        'repeats="first".',
    )
