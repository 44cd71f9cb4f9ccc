"""Steps of many entities at once, each by its own small system."""

import numpy as np

from itemcurve.numerics.shapes import EntityCoordinates, EntityMatrices
from itemcurve.numerics.small_systems import solve_small


def scoring_direction(
    gradient: EntityCoordinates, information: EntityMatrices
) -> EntityCoordinates:
    """Solve each entity's small system: information · step = gradient."""
    return solve_small(_positive(information), gradient)


def _positive(information: EntityMatrices) -> EntityMatrices:
    """Add a whisper of ridge, so that an entity without information stays where it is."""
    diagonal = np.arange(information.shape[1])
    ridge = 1e-8 * np.maximum(information[:, diagonal, diagonal].max(axis=1), 1.0)
    information = information.copy()
    information[:, diagonal, diagonal] += ridge[:, None]
    return information
