"""Steps of many entities at once, each by its own small system."""

from itemcurve.numerics.engine import NUMPY, Engine
from itemcurve.numerics.shapes import EntityCoordinates, EntityMatrices
from itemcurve.numerics.small_systems import solve_small


def scoring_direction(
    gradient: EntityCoordinates, information: EntityMatrices, engine: Engine = NUMPY
) -> EntityCoordinates:
    """Solve each entity's small system: information · step = gradient."""
    return solve_small(_positive(information, engine), gradient, engine)


def _positive(information: EntityMatrices, engine: Engine) -> EntityMatrices:
    """Add a whisper of ridge, so that an entity without information stays where it is."""
    xp, size = engine.xp, information.shape[1]
    largest = xp.diagonal(information, axis1=1, axis2=2).max(axis=1)
    ridge = 1e-8 * xp.maximum(largest, 1.0)
    return information + ridge[:, None, None] * xp.eye(size)
