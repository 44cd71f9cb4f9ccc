"""How a grade follows from the quality of an answer: what every kind of curves must say.

All depend on z = α q + … and on a rater's thresholds κ by their differences z − κ only. So the
derivative in z is minus the sum of those in the thresholds, and these are all that is computed.
"""

from dataclasses import dataclass
from typing import Any, Protocol

from itemcurve.estimation.raters.likelihood.rating_design import Codes, Numbers
from itemcurve.numerics.engine import Array, Engine


@dataclass(frozen=True, eq=False)
class Fixed:
    """What in the log-probability depends on thresholds only, not on quality, per rating.

    Attributes
    ----------
    value : ratings.
    scores : its derivatives in the thresholds of the slots (ratings × slots).
    curvature : minus its second derivatives (ratings × slots × slots).
    """

    value: Numbers
    scores: Numbers
    curvature: Numbers


class RatingCurves(Protocol):
    """Probabilities of grades. A *slot* is a threshold on which the rating at hand may depend."""

    @property
    def is_ordered(self) -> bool:
        """Whether thresholds must increase."""
        ...

    def slots(self, grade: Codes, n_grades: int) -> Codes:
        """Numbers of the thresholds in the slots (ratings × slots); −1 for none."""
        ...

    def log_probability(self, engine: Engine, z: Array, thresholds: Array, grade: Array) -> Array:
        """Log-probability of each rating at z (ratings × …), but for what is fixed."""
        ...

    def derivatives(
        self, engine: Engine, z: Array, thresholds: Array, grade: Array
    ) -> tuple[list[Array], dict[tuple[int, int], Array]]:
        """Derivatives by slot, and minus the second ones by pairs of slots that have any."""
        ...

    def fixed(self, thresholds: Numbers, grade: Codes) -> Fixed | None:
        """What does not depend on z; None where there is nothing."""
        ...

    def reached(self, z: Numbers, thresholds: Numbers) -> Numbers:
        """Probability of each grade above the lowest, or a higher one (… × thresholds)."""
        ...

    def reached_slopes(self, z: Numbers, thresholds: Numbers) -> Numbers:
        """Minus their derivatives in the thresholds (… × thresholds × thresholds)."""
        ...

    def probabilities(self, z: Numbers, thresholds: Numbers) -> Numbers:
        """Probabilities of all grades (… × grades), thresholds … × (grades − 1)."""
        ...

    def start(self, counts: Numbers) -> Numbers:
        """Thresholds to begin with, from how often each rater gave each grade."""
        ...


def spread_out(column: Any, z: Any) -> Any:
    """One number per rating, against z (ratings × …)."""
    return column.reshape((-1,) + (1,) * (z.ndim - 1))


def slope_in_z(scores: list[Array]) -> Array:
    """Derivative in z from those in the thresholds."""
    total = scores[0]
    for other in scores[1:]:
        total = total + other
    return -total


def bend_by_slot(curvature: dict[tuple[int, int], Array], n_slots: int) -> list[Array]:
    """Rows of the matrix of second derivatives, summed: that of each slot against −z."""
    rows: list[Any] = [0.0] * n_slots
    for (one, other), value in curvature.items():
        rows[one] = rows[one] + value
        if one != other:
            rows[other] = rows[other] + value
    return rows
