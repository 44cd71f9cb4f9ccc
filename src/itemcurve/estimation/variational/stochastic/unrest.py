"""Whether a stochastic search has arrived where it wanders, and how far it wanders there."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from itemcurve.estimation.status import FitStatus
from itemcurve.estimation.variational.mean_field_elbo import MeanFieldPosterior
from itemcurve.estimation.variational.stochastic.adam_steps import Flat
from itemcurve.estimation.variational.stochastic.drawn_slopes import softplus
from itemcurve.estimation.variational.stochastic.rounds import RoundPoint, Rounds, unflatten
from itemcurve.numerics.engine import NUMPY, Array
from itemcurve.numerics.shapes import axes

# What `drift` may be: of searches at rest it was below 0.5, of such on the way above 2.
MOST_DRIFT = 1.0


@dataclass(frozen=True, eq=False)
class Unrest:
    """What a search did in the second half of its rounds.

    Attributes
    ----------
    mean_place : all coordinates, their mean over these rounds.
    drift : squared distance between the means of both quarters of them, in units of the variance
        within; mean over locations.
    wandering : the root of that variance, in standard deviations of the posterior, likewise: how
        much noise there is in where the search happens to stand.
    """

    mean_place: Flat
    drift: float
    wandering: float

    def status(self, is_mean: bool) -> FitStatus:
        """How the search ended: on the way; wandering; or, its mean, where it wandered about."""
        if not self.drift < MOST_DRIFT:
            return FitStatus.MAX_ITERATIONS
        return FitStatus.CONVERGED if is_mean else FitStatus.WANDERING


def measure_unrest(point: RoundPoint, search: Rounds) -> Unrest:
    """Compare the third with the fourth quarter of the rounds."""
    first, second, last = (-(-k * search.total // 4) for k in (2, 3, 4))
    sizes = np.array([[second - first], [last - second]], dtype=float)
    means = point.sums / sizes
    variance = np.maximum(point.squares / sizes - means**2, 1e-300).mean(axis=0)
    mean_place = point.sums.sum(axis=0) / sizes.sum()
    gap, spread = (_locations(flat, search) for flat in ((means[1] - means[0]) ** 2, variance))
    middle = posterior_at(mean_place, search)
    widths = np.concatenate([middle.t_sd, middle.x_sd.ravel()])
    return Unrest(
        mean_place, float((gap / spread).mean()), float(np.sqrt((spread / widths**2).mean()))
    )


def posterior_at(place: Flat, search: Rounds) -> MeanFieldPosterior:
    """Give the posteriors that coordinates stand for."""
    _, respondents, free = search.shape
    t, t_width, x, x_width = unflatten(NUMPY, place, respondents, free)
    return MeanFieldPosterior(x, softplus(NUMPY, x_width), t, softplus(NUMPY, t_width))


def _locations(flat: Flat, search: Rounds) -> Annotated[Array, axes("locations")]:
    """Coordinates without the widths."""
    _, respondents, free = search.shape
    parts = unflatten(NUMPY, flat, respondents, free)
    return np.concatenate([parts.t, parts.x.ravel()])
