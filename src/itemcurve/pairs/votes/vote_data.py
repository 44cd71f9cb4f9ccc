"""Votes as arrays: who met whom, what was said, and by whom on what."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.integer]
Floats = NDArray[Any]

A, B, TIE, BOTH_BAD = 0, 1, 2, 3
OUTCOMES = ("a", "b", "tie", "both_bad")


@dataclass(frozen=True, eq=False)
class Votes:
    """One entry per vote; ids as codes into the tuples of names.

    Attributes
    ----------
    first, second : respondents on side a and side b.
    outcomes : 0 a is better, 1 b is better, 2 tie, 3 both bad.
    shares : probability that a is better, of votes given as probabilities, and NaN of others; None
        where there is no such vote.
    judge, item : None where the votes do not say.
    weights : how many votes each stands for; None for one each.
    style : covariates, side a less side b, as they are (votes × covariates).
    notes : what was left out or changed in reading.
    """

    respondents: tuple[str, ...]
    first: Codes
    second: Codes
    outcomes: Codes
    shares: Floats | None = None
    judges: tuple[str, ...] = ()
    judge: Codes | None = None
    items: tuple[str, ...] = ()
    item: Codes | None = None
    weights: Floats | None = None
    style_names: tuple[str, ...] = ()
    style: Floats | None = None
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.first)

    def take(self, rows: NDArray[np.bool_] | Codes) -> "Votes":
        """Give some of the votes; names stay, also of those who are in none of them."""

        def some(values: NDArray[np.generic] | None) -> NDArray[np.generic] | None:
            return None if values is None else values[rows]

        names = ("first", "second", "outcomes", "shares", "judge", "item", "weights", "style")
        taken = {name: some(getattr(self, name)) for name in names}
        return replace(self, **taken)  # type: ignore[arg-type]

    def only(self, kept: NDArray[np.bool_]) -> "Votes":
        """Give the votes among some respondents, and those respondents alone.

        Parameters
        ----------
        kept : whether each respondent stays.
        """
        codes = np.cumsum(kept) - 1
        inside = self.take(kept[self.first] & kept[self.second])
        names = tuple(name for name, stays in zip(self.respondents, kept, strict=True) if stays)
        return replace(
            inside, respondents=names, first=codes[inside.first], second=codes[inside.second]
        )

    def __repr__(self) -> str:
        return f"Votes({len(self):,} among {len(self.respondents):,} respondents)"
