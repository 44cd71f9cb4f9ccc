"""Log priors of parameters that are point estimates."""

from collections.abc import Sequence
from math import log, pi

import numpy as np

from itemcurve.models.priors import Normal, Prior
from itemcurve.numerics.engine import NUMPY, Engine
from itemcurve.numerics.shapes import EntityCoordinates, PerEntity


def penalise(
    priors: Sequence[Prior | None],
    x: EntityCoordinates,
    free: EntityCoordinates | None = None,
    engine: Engine = NUMPY,
) -> tuple[float, EntityCoordinates, EntityCoordinates]:
    """Log prior of parameters that are point estimates, with its first two derivatives in x.

    Parameters
    ----------
    priors : one per column, None for a flat one.
    x : unbounded coordinates (entities × columns).
    free : which of them are estimated; all when left out. A held one has no prior.
    """
    xp = engine.xp
    if free is None and engine is NUMPY and all(type(prior) is Normal for prior in priors):
        return _penalise_normal(priors, x)
    slopes, bends = [], []
    for column, prior in enumerate(priors):
        own = x[:, column]
        slopes.append(xp.zeros_like(own) if prior is None else prior.slope(engine, own))
        bends.append(xp.zeros_like(own) if prior is None else prior.curvature(engine, own))
    slope, bend = xp.stack(slopes, axis=1), xp.stack(bends, axis=1)
    if free is not None:
        slope, bend = xp.where(free, slope, 0.0), xp.where(free, bend, 0.0)
    return log_priors(priors, x, free, engine).sum(), slope, bend


def _penalise_normal(
    priors: Sequence[Prior | None], x: EntityCoordinates
) -> tuple[float, EntityCoordinates, EntityCoordinates]:
    """The same of all columns at once, which small fits ask for some hundred times."""
    known = [(prior.mean, prior.sd) for prior in priors if isinstance(prior, Normal)]
    mean, sd = np.array(known).T
    gap, precision = mean - x, sd**-2.0
    slope, bend = gap * precision, np.empty_like(gap)
    bend[:] = -precision
    constant = sum(log(sd) for _, sd in known) + 0.5 * len(known) * log(2 * pi)
    return -0.5 * float(np.vdot(slope, gap)) - len(x) * constant, slope, bend


def log_priors(
    priors: Sequence[Prior | None],
    x: EntityCoordinates,
    free: EntityCoordinates | None = None,
    engine: Engine = NUMPY,
) -> PerEntity:
    """Log prior of each entity, as `penalise` adds them up."""
    xp = engine.xp
    total = xp.zeros(x.shape[0])
    for column, prior in enumerate(priors):
        if prior is not None:
            own = prior.log_density(engine, x[:, column])
            total = total + (own if free is None else xp.where(free[:, column], own, 0.0))
    return total
