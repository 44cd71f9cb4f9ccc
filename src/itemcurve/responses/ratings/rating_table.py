"""Ratings in long form: one row per rating of a respondent's answer to an item by a rater."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ResponsesError

if TYPE_CHECKING:
    import pandas

Codes = NDArray[np.int64]
Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class RatingColumns:
    """Names of the columns of a long table of ratings.

    Attributes
    ----------
    rater, respondent, item, rating : who rated, whose answer, to what, and how.
    time : when, in any unit that can be ordered; only needed to look for drift.
    """

    rater: str = "rater"
    respondent: str = "respondent"
    item: str = "item"
    rating: str = "rating"
    time: str | None = None

    @property
    def needed(self) -> tuple[str, ...]:
        """Those that a table must have."""
        named = (self.respondent, self.item, self.rater, self.rating)
        return named if self.time is None else (*named, self.time)


@dataclass(frozen=True, eq=False, repr=False)
class Ratings:
    """Who rated whose answer to what, and how.

    Build one with `from_frame` or `read`.

    Attributes
    ----------
    respondents, items, raters : ids in order of appearance.
    grades : the ratings that occur, in order; those that nobody gave are no grades.
    respondent, item, rater, grade : positions in these, of each rating.
    weight : of each rating: 1, or 1/k where a rater rated the same answer k times.
    time : of each rating, where it is known.

    Examples
    --------
    >>> import pandas
    >>> table = pandas.DataFrame(
    ...     {"model": list("aabb"), "task": 1, "judge": list("xyxy"), "score": [3, 4, 1, 2]}
    ... )
    >>> columns = RatingColumns(rater="judge", respondent="model", item="task", rating="score")
    >>> Ratings.from_frame(table, columns)
    Ratings(4 of 2 respondents × 1 items by 2 raters, grades 1 to 4)
    """

    respondents: tuple[str, ...]
    items: tuple[str, ...]
    raters: tuple[str, ...]
    grades: tuple[float, ...]
    respondent: Codes
    item: Codes
    rater: Codes
    grade: Codes
    weight: Numbers
    time: Numbers | None = None

    @classmethod
    def from_frame(
        cls, frame: object, columns: RatingColumns | None = None, *, repeats: bool = False
    ) -> "Ratings":
        """Take ratings from a long pandas, polars or Arrow table.

        Parameters
        ----------
        frame : one row per rating; rows without a rating are left out.
        columns : their names.
        repeats : whether a rater may have rated the same answer more than once. Together such
            ratings then count as one: they say how steady a rater is, not more about the answer.
        """
        from itemcurve.responses.ratings.rating_input import ratings_from_frame

        return ratings_from_frame(frame, columns or RatingColumns(), repeats)

    @classmethod
    def read(
        cls,
        path: str | PathLike[str],
        columns: RatingColumns | None = None,
        *,
        repeats: bool = False,
    ) -> "Ratings":
        """Read ratings from a long table in a file: .csv, .tsv, .jsonl (also with .gz), .parquet.

        Parameters
        ----------
        path : the file.
        columns, repeats : as for `from_frame`.
        """
        from itemcurve.responses.ratings.rating_files import read_ratings

        return read_ratings(path, columns or RatingColumns(), repeats)

    def __len__(self) -> int:
        return len(self.grade)

    @property
    def values(self) -> Numbers:
        """The ratings as they were given."""
        return np.asarray(self.grades)[self.grade]

    def take(self, rows: Sequence[int] | NDArray[np.integer] | NDArray[np.bool_]) -> "Ratings":
        """Keep these rows; ids and grades stay as they are."""
        chosen = np.asarray(rows)
        return replace(
            self,
            respondent=self.respondent[chosen],
            item=self.item[chosen],
            rater=self.rater[chosen],
            grade=self.grade[chosen],
            weight=self.weight[chosen],
            time=None if self.time is None else self.time[chosen],
        )

    def only_used(self) -> "Ratings":
        """Leave out respondents, items, raters and grades that no rating has any more."""
        found = self
        for code, ids in (
            ("respondent", "respondents"),
            ("item", "items"),
            ("rater", "raters"),
            ("grade", "grades"),
        ):
            used, places = np.unique(getattr(self, code), return_inverse=True)
            names = getattr(self, ids)
            if len(used) < len(names):
                kept: dict[str, Any] = {ids: tuple(names[k] for k in used)}
                found = replace(found, **{**kept, code: places.astype(np.int64)})
        return found

    def split(self, share: float, seed: int) -> "tuple[Ratings, Ratings]":
        """Part the ratings at random into (kept, held out).

        Parameters
        ----------
        share : of the ratings held out, strictly between 0 and 1.
        seed : the same seed gives the same parts.
        """
        if not 0 < share < 1:
            raise ResponsesError(
                "The share of ratings held out must be strictly between 0 and 1;",
                f"given is {share}.",
                "Use for example `ratings.split(0.15, seed=1)`.",
            )
        held = np.random.default_rng(seed).random(len(self)) < share
        return self.take(~held), self.take(held)

    def frame(self) -> "pandas.DataFrame":
        """One row per rating."""
        import pandas

        table = pandas.DataFrame(
            {
                "respondent": np.array(self.respondents, dtype=object)[self.respondent],
                "item": np.array(self.items, dtype=object)[self.item],
                "rater": np.array(self.raters, dtype=object)[self.rater],
                "rating": self.values,
            }
        )
        return table if self.time is None else table.assign(time=self.time)

    def __repr__(self) -> str:
        return (
            f"Ratings({len(self):,} of {len(self.respondents):,} respondents × "
            f"{len(self.items):,} items by {len(self.raters):,} raters, grades "
            f"{self.grades[0]:g} to {self.grades[-1]:g})"
        )
