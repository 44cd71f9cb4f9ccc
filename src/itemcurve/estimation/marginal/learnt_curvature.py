"""What one search leaves to the next of the same fit: curvature, and where it was measured."""

from dataclasses import dataclass
from typing import NamedTuple

from itemcurve.numerics.shapes import EntityCoordinates, EntityMatrices, Estimated, EstimatedMatrix


@dataclass
class Learnt:
    """What one search leaves to the next of the same fit, on the same grid or a better one.

    Attributes
    ----------
    matrix, scale : the curvature, and the unit of damping.
    is_near : whether Newton steps may begin at once.
    is_trusted : whether the curvature is that of the next search too, though it may begin far from
        its maximum: the same grid, other priors.
    own : covariance of the scores of each entity, and where it was measured.
    """

    matrix: EstimatedMatrix | None = None
    scale: Estimated | None = None
    is_near: bool = False
    is_trusted: bool = False
    own: "OwnScores | None" = None


class OwnScores(NamedTuple):
    """Σ over units of Cov(score | data) within each entity, at a place."""

    covariance: EntityMatrices
    place: EntityCoordinates
