"""Predictions of single responses, with intervals that hold what is not known."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ModelError
from itemcurve.families.contract import Family
from itemcurve.models.boundary import Boundary
from itemcurve.numerics.engine import NUMPY, Array
from itemcurve.numerics.shapes import axes
from itemcurve.responses.matrix import Responses

if TYPE_CHECKING:
    import pandas

DRAWS = 400
_CELLS_AT_ONCE = 20_000

Table = Annotated[Array, axes("respondents items")]
Natural = Callable[[np.random.Generator], Sequence[Array]]
"""Draws natural parameters η_k of every cell, from what is known of respondents and items."""


@dataclass(frozen=True, eq=False)
class CellPredictions:
    """What respondents would answer to items (respondents × items each).

    Attributes
    ----------
    mean, median : of what is expected.
    lower, upper : of continuous responses the interval in which one response lies; of right and
        wrong, and of categories, the interval of the expected response.
    level : probability of the intervals.
    was_observed : whether the cell was among the responses that were fitted.
    """

    respondents: tuple[str, ...]
    items: tuple[str, ...]
    mean: Table
    median: Table
    lower: Table
    upper: Table
    level: float
    was_observed: Table

    def frame(self) -> "pandas.DataFrame":
        """One row per respondent and item."""
        import pandas

        count, width = self.mean.shape
        return pandas.DataFrame(
            {
                "respondent": np.repeat(np.array(self.respondents, dtype=object), width),
                "item": np.tile(np.array(self.items, dtype=object), count),
                "mean": self.mean.ravel(),
                "median": self.median.ravel(),
                "lower": self.lower.ravel(),
                "upper": self.upper.ravel(),
                "was_observed": self.was_observed.ravel(),
            }
        )


class Asked(NamedTuple):
    """Which cells are to be predicted: places and ids."""

    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    respondents: tuple[str, ...]
    items: tuple[str, ...]


def read_cells(
    responses: Responses, respondents: Sequence[str] | None, items: Sequence[str] | None
) -> Asked:
    """Find the respondents and items that are asked for."""
    rows = _places(responses.respondents, respondents, "respondent")
    columns = _places(responses.items, items, "item")
    return Asked(
        rows,
        columns,
        tuple(responses.respondents[i] for i in rows),
        tuple(responses.items[j] for j in columns),
    )


def _places(known: Sequence[str], asked: Sequence[str] | None, what: str) -> NDArray[np.intp]:
    if asked is None:
        return np.arange(len(known))
    names = [asked] if isinstance(asked, str) else list(asked)
    place = {name: k for k, name in enumerate(known)}
    foreign = [name for name in names if name not in place]
    if foreign or not names:
        raise ModelError(
            f"Predictions are for {what}s of the fit.",
            f"{foreign[0]!r} is none of its {len(known):,}." if names else "Got an empty list.",
            f"Use ids of fit.responses.{what}s; new respondents are measured by itemcurve.score.",
        )
    return np.array([place[name] for name in names])


def check_level(level: float) -> None:
    """Refuse a level that is no probability."""
    if not 0 < level < 1:
        raise ModelError(
            "The level of an interval lies between 0 and 1.", f"Got {level}.", "Use 0.9."
        )


def predict_cells(
    asked: Asked,
    responses: Responses,
    family: Family,
    boundary: Boundary,
    natural: Callable[[NDArray[np.intp]], Natural],
    level: float,
    seed: int,
) -> CellPredictions:
    """Summarise draws of what responses may be, some respondents at a time.

    Parameters
    ----------
    natural : for places of respondents, a function that draws η_k (items × respondents each).
    """
    check_level(level)
    rng = np.random.default_rng(seed)
    size = max(1, _CELLS_AT_ONCE // max(len(asked.columns), 1))
    found = []
    for start in range(0, len(asked.rows), size):
        draw = natural(asked.rows[start : start + size])
        found.append(_summary(draw, family, boundary, level, rng))
    parts = (np.concatenate(own).astype(float) for own in zip(*found, strict=True))
    mean, median, lower, upper = parts
    weight = responses.weight()
    seen = np.ones(responses.shape) if weight is None else weight
    seen = seen.toarray() if hasattr(seen, "toarray") else np.asarray(seen)
    observed = seen[np.ix_(asked.rows, asked.columns)] > 0
    return CellPredictions(
        asked.respondents, asked.items, mean, median, lower, upper, level, observed
    )


def _summary(
    draw: Natural, family: Family, boundary: Boundary, level: float, rng: np.random.Generator
) -> tuple[Array, Array, Array, Array]:
    """Mean, median and interval of each cell (respondents × items each)."""
    means, others = [], []
    for _ in range(DRAWS):
        eta = draw(rng)
        expected = family.mean(NUMPY, eta)
        means.append(expected)
        # Of what is counted in categories, an interval of one answer says little.
        others.append(family.sample(rng, eta) if family.is_continuous else expected)
    drawn = np.array(others)
    if family.is_continuous:
        drawn = _within(drawn, family, boundary)
    tail = (1 - level) / 2
    lower, median, upper = np.quantile(drawn, [tail, 0.5, 1 - tail], axis=0)
    return np.mean(means, axis=0).T, median.T, lower.T, upper.T


def _within(drawn: Array, family: Family, boundary: Boundary) -> Array:
    """Draws that lie beyond a censoring bound count as the end of the range itself."""
    low, high = boundary.bounds(family)
    lowest, highest = family.support
    return np.where(drawn <= low, lowest, np.where(drawn >= high, highest, drawn))
