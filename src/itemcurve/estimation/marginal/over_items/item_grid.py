"""A grid over item parameters: where a population of items is integrated."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from itemcurve.estimation.marginal.problem import Grid
from itemcurve.models.likelihood import Likelihood
from itemcurve.models.priors import Beta, Normal, Prior
from itemcurve.numerics.engine import NUMPY, Array
from itemcurve.numerics.integration import AtNodes, Rule, WithinBox
from itemcurve.numerics.lattice_interpolation import MARGIN
from itemcurve.numerics.shapes import PerParameter, axes

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
# Nodes along each of two axes between which curves are interpolated.
_INTERPOLATING = 64
_AT_NODES = AtNodes()


@dataclass(frozen=True)
class ItemGrid:
    """A regular grid in the unbounded coordinates of the free item parameters.

    The trapezoidal rule converges as fast as any on smooth functions that vanish at both ends:
    a posterior of standard deviation s is integrated to 1e-3 with spacing 1.5 s, to 1e-8 with s.
    """

    axes: tuple[Array, ...]
    rule: Rule = _AT_NODES

    def grid(self, likelihood: Likelihood, held: PerParameter) -> Grid:
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
            rule=self.rule,
        )

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of nodes along each axis."""
        return tuple(len(axis) for axis in self.axes)

    @property
    def least_sds(self) -> Annotated[Array, axes("coordinates")]:
        """The narrowest population that the grid can still see, along each axis."""
        return _STEPS_PER_POPULATION_SD * np.array([axis[1] - axis[0] for axis in self.axes])


def lay_grid(priors: tuple[Prior, ...], spacing: Annotated[Array, axes("coordinates")]) -> ItemGrid:
    """Cover the population with nodes about `spacing` apart.

    Two axes that would need too many nodes get as many as are good for interpolation, and every
    item is integrated on a finer lattice of its own.
    """
    limits = _MOST[len(priors)]
    ranges = [prior_range(prior) for prior in priors]
    wanted = [
        int(np.ceil((high - low) / step)) + 1
        for (low, high), step in zip(ranges, spacing, strict=True)
    ]
    if len(priors) == 2 and any(n > most for n, most in zip(wanted, limits, strict=True)):
        return _lay_interpolating(ranges)
    sizes = np.clip(wanted, _FEWEST[: len(priors)], limits)
    return ItemGrid(tuple(np.linspace(*ends, n) for ends, n in zip(ranges, sizes, strict=True)))


def _lay_interpolating(ranges: list[tuple[float, float]]) -> ItemGrid:
    axes = []
    for lower, upper in ranges:
        inner, step = np.linspace(lower, upper, _INTERPOLATING, retstep=True)
        beyond = step * np.arange(1, MARGIN + 1)
        axes.append(np.concatenate([lower - beyond[::-1], inner, upper + beyond]))
    return ItemGrid(tuple(axes), WithinBox(tuple(len(axis) for axis in axes)))


def first_spacing(n_respondents: int, dimensions: int) -> Annotated[Array, axes("coordinates")]:
    """Guess how narrow posteriors will be: like 1/√respondents, coarser in three dimensions."""
    spacing = np.full(dimensions, np.clip(3.0 / np.sqrt(n_respondents), 0.15, 0.5))
    spacing[2:] = 0.6
    return spacing


def prior_range(prior: Prior) -> tuple[float, float]:
    """Where a population of items lies, in its unbounded coordinate."""
    if isinstance(prior, Normal):
        return prior.mean - _REACH * prior.sd, prior.mean + _REACH * prior.sd
    if isinstance(prior, Beta):
        from scipy.special import betaincinv, logit

        low, high = betaincinv(prior.alpha, prior.beta, np.array([_TAIL, 1 - _TAIL]))
        return float(logit(low)), float(logit(high))
    return -6.0, 6.0
