"""Which columns of a table hold what, in the words of arenas, AlpacaEval and this library."""

from collections.abc import Sequence
from dataclasses import dataclass

from itemcurve.errors import ResponsesError

_FIRST = ("respondent_a", "model_a", "model_1", "generator_1", "respondent_1")
_SECOND = ("respondent_b", "model_b", "model_2", "generator_2", "respondent_2")
_WINNER = ("winner", "probability_a", "preference")
_OPTIONAL = {
    "judge": ("judge", "annotator", "rater"),
    "item": ("item", "question_id", "instruction", "prompt"),
    "weight": ("weight",),
}
_SIDES = (("_a", "_b"), ("_1", "_2"))


@dataclass(frozen=True)
class VoteColumns:
    """Names of the columns that are used; None where there is none.

    Attributes
    ----------
    style : for each covariate its name and its columns: two (side a, side b), or one difference.
    """

    first: str
    second: str
    winner: str
    judge: str | None = None
    item: str | None = None
    weight: str | None = None
    style: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def names(self) -> list[str]:
        """Of all columns, each once."""
        own = (self.first, self.second, self.winner, self.judge, self.item, self.weight)
        style = [name for _, columns in self.style for name in columns]
        return list(dict.fromkeys([name for name in own if name is not None] + style))


def find_columns(names: list[str], style: Sequence[str] = ()) -> VoteColumns:
    """Recognise the columns of a table of votes.

    Parameters
    ----------
    names : of all columns.
    style : covariates, each a column of differences (a less b) or the common part of two names:
        `length` for `length_a` and `length_b`.

    Examples
    --------
    >>> find_columns(["model_a", "model_b", "winner", "judge", "tstamp"]).judge
    'judge'
    """
    optional = {part: _first_of(names, known) for part, known in _OPTIONAL.items()}
    return VoteColumns(
        _needed(names, _FIRST, "on side a"),
        _needed(names, _SECOND, "on side b"),
        _needed(names, _WINNER, "who won"),
        style=tuple((name, _style_columns(names, name)) for name in style),
        **optional,
    )


def _needed(names: list[str], known: tuple[str, ...], meaning: str) -> str:
    found = _first_of(names, known)
    if found is None:
        raise ResponsesError(
            "Votes need the columns respondent_a, respondent_b and winner;",
            f"none says {meaning}: the columns are {', '.join(names[:10]) or 'none'}"
            f"{' …' if len(names) > 10 else ''}.",
            f"Name it {known[0]}; {', '.join(known[1:])} are read too.",
        )
    return found


def _first_of(names: list[str], known: tuple[str, ...]) -> str | None:
    return next((name for name in known if name in names), None)


def _style_columns(names: list[str], style: str) -> tuple[str, ...]:
    for ends in _SIDES:
        both = tuple(style + end for end in ends)
        if set(both) <= set(names):
            return both
    if style in names:
        return (style,)
    raise ResponsesError(
        f"The style {style!r} needs the columns {style}_a and {style}_b, or a column {style} of "
        "differences;",
        f"the columns are {', '.join(names[:12])}{' …' if len(names) > 12 else ''}.",
        "Add them, or leave this style out.",
    )
