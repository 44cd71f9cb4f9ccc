"""A grid over item parameters: where a population of items is integrated."""

from dataclasses import dataclass

import numpy as np

from itemcurve.estimation.side import Grid
from itemcurve.models.likelihood import Likelihood
from itemcurve.models.priors import Beta, Normal, Prior
from itemcurve.numerics.engine import NUMPY, Array
from itemcurve.numerics.integration import AtNodes

# Half-width of the grid in standard deviations of the population of items.
_REACH = 4.25
_FEWEST = (15, 15, 9)
# A population narrower than this many grid steps would hide between the nodes.
_STEPS_PER_POPULATION_SD = 0.75
# Share of a population of probabilities beyond either end of the grid.
_TAIL = 5e-4
# Most nodes along each axis, by the number of axes: about 5,000 or 10,000 in all. A third
# parameter (guessing) is known so vaguely that few nodes serve.
_MOST = {1: (400,), 2: (72, 72), 3: (30, 30, 11)}


@dataclass(frozen=True)
class ItemGrid:
    """A regular grid in the unbounded coordinates of the free item parameters.

    The trapezoidal rule converges as fast as any on smooth functions that vanish at both ends:
    a posterior of standard deviation s is integrated to 1e-3 with spacing 1.5 s, to 1e-8 with s.
    """

    axes: tuple[Array, ...]

    def grid(self, likelihood: Likelihood, held: Array) -> Grid:
        """Lay the axes out as nodes; `held` are values of all parameters (parameters)."""
        mesh = np.stack([part.ravel() for part in np.meshgrid(*self.axes, indexing="ij")])
        values = np.repeat(held[None, :], mesh.shape[1], axis=0)
        for row, index in enumerate(likelihood.free):
            transform = likelihood.model.parameters[index].transform
            values[:, index] = transform.value(NUMPY, mesh[row])
        volume = sum(float(np.log(axis[1] - axis[0])) for axis in self.axes)
        return Grid(
            points=values,
            coordinates=mesh,
            log_quadrature=np.full(mesh.shape[1], volume),
            rule=AtNodes(),
        )

    @property
    def least_sds(self) -> Array:
        """The narrowest population that the grid can still see, along each axis."""
        return _STEPS_PER_POPULATION_SD * np.array([axis[1] - axis[0] for axis in self.axes])


def lay_grid(priors: tuple[Prior, ...], spacing: Array) -> ItemGrid:
    """Cover the population with nodes about `spacing` apart."""
    axes = []
    for prior, step, least, most in zip(priors, spacing, _FEWEST, _MOST[len(priors)], strict=False):
        lower, upper = _range(prior)
        size = int(np.clip(np.ceil((upper - lower) / step) + 1, least, most))
        axes.append(np.linspace(lower, upper, size))
    return ItemGrid(tuple(axes))


def first_spacing(n_respondents: int, dimensions: int) -> Array:
    """Guess how narrow posteriors will be: like 1/√respondents, coarser in three dimensions."""
    spacing = np.full(dimensions, np.clip(3.0 / np.sqrt(n_respondents), 0.15, 0.5))
    spacing[2:] = 0.6
    return spacing


def _range(prior: Prior) -> tuple[float, float]:
    if isinstance(prior, Normal):
        return prior.mean - _REACH * prior.sd, prior.mean + _REACH * prior.sd
    if isinstance(prior, Beta):
        from scipy.special import betaincinv, logit

        low, high = betaincinv(prior.alpha, prior.beta, np.array([_TAIL, 1 - _TAIL]))
        return float(logit(low)), float(logit(high))
    return -6.0, 6.0
