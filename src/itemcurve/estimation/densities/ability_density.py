"""How abilities are distributed, as a fit found it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from itemcurve.errors import ModelError
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes

if TYPE_CHECKING:
    import pandas

NORMAL, DAVIDIAN, HISTOGRAM = "normal", "davidian", "histogram"
_MOST_TERMS = 10


@dataclass(frozen=True, eq=False)
class AbilityDensity:
    """A density of ability on the reported scale.

    Attributes
    ----------
    kind : `"davidian-4"` for a curve with a polynomial of degree 4, `"histogram"`.
    abilities : where it is known, ascending.
    shares : how many of the population are there; they add up to one.
    heights : the density itself; of a histogram, shares by the room of each.
    """

    kind: str
    abilities: Annotated[Array, axes("nodes")]
    shares: Annotated[Array, axes("nodes")]
    heights: Annotated[Array, axes("nodes")]

    @property
    def skewness(self) -> float:
        """Third moment of standardised ability: 0 of the normal, above 0 with a tail upwards."""
        return self._moment(3)

    @property
    def kurtosis(self) -> float:
        """Fourth moment of standardised ability less that of the normal."""
        return self._moment(4) - 3.0

    def _moment(self, order: int) -> float:
        mean = self.shares @ self.abilities
        sd = np.sqrt(self.shares @ (self.abilities - mean) ** 2)
        return float(self.shares @ ((self.abilities - mean) / sd) ** order)

    def frame(self) -> "pandas.DataFrame":
        """One row per place: ability, share, density."""
        import pandas

        return pandas.DataFrame(
            {"ability": self.abilities, "share": self.shares, "density": self.heights}
        )

    def __repr__(self) -> str:
        return (
            f"AbilityDensity({self.kind}, skewness {self.skewness:.2f}, "
            f"kurtosis {self.kurtosis:.2f})"
        )


def read_density(density: object) -> tuple[str, int | None]:
    """The kind that was asked for, and the degree of a curve where it was named."""
    kind, sign, degree = density.partition("-") if isinstance(density, str) else ("", "", "")
    is_named = kind == DAVIDIAN and sign and degree.isdecimal() and 0 < int(degree) <= _MOST_TERMS
    if is_named:
        return kind, int(degree)
    if density not in (NORMAL, DAVIDIAN, HISTOGRAM):
        raise ModelError(
            f"A density of ability is {NORMAL!r}, {DAVIDIAN!r}, 'davidian-1' to "
            f"'davidian-{_MOST_TERMS}' or {HISTOGRAM!r}.",
            f"Got {density!r}.",
            f"Use {DAVIDIAN!r} if unsure, and {NORMAL!r} while nothing speaks against it.",
        )
    return str(density), None
