"""What is known and asked of raters."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from itemcurve.errors import ModelError, ResponsesError
from itemcurve.responses.ratings.rating_table import RatingColumns, Ratings

_INTERACTIONS = ("respondent", "item")


@dataclass(frozen=True)
class Raters:
    """Who rates, by which columns of a long table, and what may differ between raters.

    Attributes
    ----------
    rater, respondent, item, rating, time : names of the columns. A table without a column
        `rating` may call it `response`. `time` is only needed to look for drift.
    anchors : raters whose severity is the origin and whose view defines quality, such as people;
        all raters together when left out.
    interactions : `"respondent"`: a rater may like a respondent more than its answers deserve, and
        the spread of such tastes is estimated; `"item"`: likewise for items.
    families : family of raters and respondents by id. A rater's preference for respondents of its
        own family is then estimated, and kept out of their abilities.
    slopes : whether items may differ in how much they tell respondents apart.
    repeats : whether a rater may have rated the same answer more than once.
    max_iterations : of the search.
    """

    rater: str = "rater"
    respondent: str = "respondent"
    item: str = "item"
    rating: str = "rating"
    time: str | None = None
    anchors: tuple[str, ...] = ()
    interactions: tuple[str, ...] = ("respondent", "item")
    families: Mapping[str, str] | None = None
    slopes: bool = True
    repeats: bool = False
    max_iterations: int = 100

    def __post_init__(self) -> None:
        for name in ("anchors", "interactions"):
            given: Any = getattr(self, name)
            object.__setattr__(self, name, (given,) if isinstance(given, str) else tuple(given))
        if any(name not in _INTERACTIONS for name in self.interactions):
            raise ModelError(
                "Interactions of raters are with 'respondent', 'item' or both;",
                f"given is {self.interactions!r}.",
                "Give a tuple, such as ('respondent',), or () for none.",
            )

    @property
    def columns(self) -> RatingColumns:
        """Names of the columns."""
        return RatingColumns(self.rater, self.respondent, self.item, self.rating, self.time)

    def read(self, table: object) -> Ratings:
        """Take ratings from what a user gives: ratings, a table or the path of a file."""
        from os import PathLike

        if isinstance(table, Ratings):
            return table
        if isinstance(table, str | PathLike):
            return Ratings.read(table, self.columns, repeats=self.repeats)
        return Ratings.from_frame(table, self.columns, repeats=self.repeats)

    def check(self, ratings: Ratings) -> None:
        """Raise where anchors or families name nobody."""
        strangers = [name for name in self.anchors if name not in ratings.raters]
        if strangers:
            raise ResponsesError(
                "Anchors must be raters;",
                f"{strangers[0]!r} rated nothing; raters are {', '.join(ratings.raters[:8])}.",
                "Name raters as the table does.",
            )
        if self.families is not None and not any(r in self.families for r in ratings.raters):
            raise ResponsesError(
                "Families are given by the ids of raters and respondents;",
                f"none of the raters {', '.join(ratings.raters[:8])} is among them.",
                "Give a mapping such as {'judge-a': 'A', 'model-a-large': 'A'}.",
            )

    def record(self) -> dict[str, Any]:
        """Everything needed to fit the same again, as plain values."""
        return {
            **{name: getattr(self, name) for name in ("rater", "respondent", "item", "rating")},
            "time": self.time,
            "anchors": list(self.anchors),
            "interactions": list(self.interactions),
            "families": None if self.families is None else dict(self.families),
            "slopes": self.slopes,
            "repeats": self.repeats,
            "max_iterations": self.max_iterations,
        }


def read_record(record: Mapping[str, Any]) -> Raters:
    """Turn what `Raters.record` gave back into settings."""
    own = dict(record)
    for name in ("anchors", "interactions"):
        own[name] = tuple(str(value) for value in own[name])
    return Raters(**own)
