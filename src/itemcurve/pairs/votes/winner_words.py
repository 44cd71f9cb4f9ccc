"""Who won, however a log says it: words, names of respondents, numbers of AlpacaEval."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ResponsesError
from itemcurve.pairs.votes.vote_data import BOTH_BAD, TIE, A, B, Codes, Floats
from itemcurve.responses.input.column_numbers import MISSING_TEXTS, Column, factorize

_WORDS = {
    **dict.fromkeys(("a", "model_a", "respondent_a", "model_1", "left", "first"), A),
    **dict.fromkeys(("b", "model_b", "respondent_b", "model_2", "right", "second"), B),
    **dict.fromkeys(("tie", "draw", "tied", "both_good"), TIE),
    **dict.fromkeys(
        ("both_bad", "bothbad", "tie (bothbad)", "tie (both bad)", "tie_bothbad", "neither"),
        BOTH_BAD,
    ),
}
_MISSING = -1
_UNKNOWN = -2
_SHOWN = 3


@dataclass(frozen=True, eq=False)
class Verdicts:
    """What each vote said; −1 where it says nothing."""

    outcomes: Codes
    shares: Floats | None = None


def read_winners(
    column: Column,
    name: str,
    sides: tuple[Codes, Codes],
    respondents: tuple[str, ...],
) -> Verdicts:
    """Read a column that says who won.

    Parameters
    ----------
    column : words, names of the two respondents, or numbers: 1 the first, 2 the second, 1.5 or 0 a
        tie, others between 1 and 2 one more than the probability of the second (AlpacaEval).
    name : of the column, for errors.
    sides : respondents on either side, as codes.
    """
    codes, distinct = factorize(column)
    numbers = [_number(value) for value in distinct]
    if any(number is not None for number in numbers):
        _refuse_number_names(distinct, respondents, name)
        return _read_numbers(codes, distinct, numbers, name)
    meanings = np.array([*(_meaning(value) for value in distinct), _MISSING])
    outcomes = meanings[codes]
    return Verdicts(_match_names(outcomes, codes, distinct, name, sides, respondents))


def read_shares(column: Column, name: str) -> Verdicts:
    """Read a column of probabilities that side a is better; 1, 0 and ½ are plain votes."""
    codes, distinct = factorize(column)
    numbers = np.array([_known(_number(value)) for value in distinct] + [np.nan])
    is_missing = np.array([_is_missing(value) for value in distinct] + [True])
    is_bad = ~is_missing & ~((numbers >= 0) & (numbers <= 1))
    if is_bad[codes].any():
        _refuse(codes, distinct, is_bad, name, "must lie between 0 and 1: how sure a is better")
    shares = numbers[codes]
    return _as_verdicts(shares, is_missing[codes])


def _read_numbers(
    codes: Codes, distinct: list[Any], found: list[float | None], name: str
) -> Verdicts:
    """AlpacaEval's numbers; those alone that could be shares of a are refused, not guessed."""
    numbers = np.array([_known(number) for number in found] + [np.nan])
    is_missing = np.array([_is_missing(value) for value in distinct] + [True])
    is_bad = ~is_missing & ~(((numbers >= 1) & (numbers <= 2)) | (numbers == 0))
    used = ~is_missing[:-1]
    if used.any() and not is_bad.any() and set(numbers[:-1][used].tolist()) <= {0.0, 1.0}:
        is_bad = numbers == 0
    if is_bad[codes].any():
        _refuse(
            codes,
            distinct,
            is_bad,
            name,
            "must be 1 (the first), 2 (the second), 1.5 or 0 (tie) or, between 1 and 2, one more "
            "than the probability of the second",
        )
    shares = np.where(numbers == 0, 0.5, 2.0 - numbers)[codes]
    return _as_verdicts(shares, is_missing[codes])


def _refuse_number_names(distinct: list[Any], respondents: tuple[str, ...], name: str) -> None:
    """Respondents called 1 and 2 might have won as themselves, or as the side they were on."""
    both = sorted({str(value) for value in distinct} & set(respondents))
    if both:
        raise ResponsesError(
            f"Numbers in column {name!r} must not be names of respondents too;",
            f"{both[0]!r} is one.",
            "Write a, b, tie or both_bad.",
        )


def _as_verdicts(shares: Floats, is_missing: NDArray[np.bool_]) -> Verdicts:
    """Whole votes by their codes; what is neither won, lost nor tied keeps its share."""
    outcomes = np.full(len(shares), A, dtype=np.int8)
    outcomes[shares == 0] = B
    outcomes[shares == 0.5] = TIE
    outcomes[is_missing] = _MISSING
    is_soft = ~is_missing & (shares > 0) & (shares < 1) & (shares != 0.5)
    return Verdicts(outcomes, np.where(is_soft, shares, np.nan) if is_soft.any() else None)


def _match_names(
    outcomes: Codes,
    codes: Codes,
    distinct: list[Any],
    name: str,
    sides: tuple[Codes, Codes],
    respondents: tuple[str, ...],
) -> Codes:
    """Where a word is none of those known it may be the winner's own name."""
    places = {respondent: code for code, respondent in enumerate(respondents)}
    named = np.array([*(places.get(str(value), _UNKNOWN) for value in distinct), _MISSING])[codes]
    first, second = sides
    by_name = np.where(named == first, A, np.where(named == second, B, _UNKNOWN))
    _refuse_two_meanings(by_name, outcomes, codes, distinct, name)
    found = np.where(by_name == _UNKNOWN, outcomes, by_name)
    if (found == _UNKNOWN).any():
        row = int(np.flatnonzero(found == _UNKNOWN)[0])
        others = {str(distinct[code]) for code in codes[found == _UNKNOWN]}
        raise ResponsesError(
            f"Winners in column {name!r} must be a, b, tie or both_bad, words of arena logs for "
            "these (model_a, tie (bothbad)), or the name of one of the two;",
            f"{(found == _UNKNOWN).sum():,} are not: "
            f"{', '.join(map(repr, sorted(others)[:_SHOWN]))}"
            f"{' and others' if len(others) > _SHOWN else ''}, the first in row {row + 1}.",
            "Rename them, or leave the cell empty where nothing was decided.",
        )
    return found.astype(np.int8)


def _refuse_two_meanings(
    by_name: Codes, by_word: Codes, codes: Codes, distinct: list[Any], name: str
) -> None:
    """Models may well be called a and b, and then a may be the model or the side."""
    rows = np.flatnonzero((by_name >= 0) & (by_word >= 0) & (by_name != by_word))
    if len(rows):
        raise ResponsesError(
            f"Winners in column {name!r} must have one meaning;",
            f"{distinct[codes[rows[0]]]!r} is a side and the name of who was on the other in "
            f"{len(rows):,} rows, the first is row {rows[0] + 1}.",
            "Write model_a and model_b for the sides, or rename the respondents.",
        )


def _refuse(
    codes: Codes, distinct: list[Any], is_bad: NDArray[np.bool_], name: str, rule: str
) -> None:
    row = int(np.flatnonzero(is_bad[codes])[0])
    raise ResponsesError(
        f"Numbers in column {name!r} {rule};",
        f"{is_bad[codes].sum():,} are not, the first is {distinct[codes[row]]!r} in row {row + 1}.",
        "Write a, b, tie and both_bad in a column `winner`, or probabilities that a is better in "
        "a column `probability_a`.",
    )


def _meaning(value: object) -> int:
    if _is_missing(value):
        return _MISSING
    return _WORDS.get(str(value).strip().lower(), _UNKNOWN)


def _is_missing(value: object) -> bool:
    return str(value).strip() in MISSING_TEXTS


def _number(value: object) -> float | None:
    if isinstance(value, str) and ("_" in value or _is_missing(value)):
        return None
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None


def _known(number: float | None) -> float:
    return np.nan if number is None else number
