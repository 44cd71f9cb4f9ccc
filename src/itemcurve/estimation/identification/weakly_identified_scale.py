"""Origin and unit of ability where the responses leave them to the priors.

Under log-loss β³'s curves do not change when abilities and difficulties are measured from another
origin in another unit. A joint mode is no guide there: along the unit R abilities and I
difficulties move one way and I discriminations the other, so the mode gains by shrinking what is
more numerous (slope 1.38 instead of 0.99 in 20 × 100 simulations). The density of the unit itself
has the volume of that motion as a factor; its maximum is the scale reported.
"""

import numpy as np

from itemcurve.models.contract import ItemModel
from itemcurve.models.parameters import Role
from itemcurve.numerics.engine import NUMPY, Array
from itemcurve.numerics.shapes import ItemValues, PerRespondent

_BOUNDS = ((-5.0, 5.0), (-2.5, 2.5))


def most_probable_scale(
    model: ItemModel, t: PerRespondent, values: ItemValues
) -> tuple[float, float]:
    """Location and unit with the highest prior density of abilities (t − location)/unit.

    As they are, where some item parameter is held or has no prior.
    """
    specs = model.parameters
    if any(spec.prior is None for spec in specs):
        return 0.0, 1.0
    from scipy.optimize import minimize

    def cost(z: Array) -> float:
        return -_log_density(model, t, values, float(z[0]), float(z[1]))

    found = minimize(
        cost,
        np.zeros(2),
        method="Nelder-Mead",
        bounds=_BOUNDS,
        options={"xatol": 1e-9, "fatol": 1e-9, "maxiter": 400},
    )
    return float(found.x[0]), float(np.exp(found.x[1]))


def _log_density(
    model: ItemModel, t: PerRespondent, values: ItemValues, location: float, log_unit: float
) -> float:
    """Log density of (location, log unit), the shape of everything given."""
    moved = model.rescale(values, location, np.exp(log_unit))
    total = float(model.ability_prior.log_measure(NUMPY, (t - location) / np.exp(log_unit)).sum())
    volume = -len(t) * log_unit
    for index, spec in enumerate(model.parameters):
        assert spec.prior is not None
        x = spec.transform.coordinate(NUMPY, moved[:, index])
        total += float(spec.prior.log_measure(NUMPY, x).sum())
        if spec.role is Role.LOCATION:
            volume -= len(x) * log_unit
        elif spec.role is Role.SLOPE and spec.transform.name == "free":
            volume += len(x) * log_unit
    return total + volume
