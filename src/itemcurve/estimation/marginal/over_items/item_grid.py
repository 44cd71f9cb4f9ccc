"""A grid over item parameters: where a population of items is integrated."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from itemcurve.estimation.marginal.over_items.item_axis import Axis, Spacing, lattice, needed_size
from itemcurve.estimation.marginal.problem import Grid
from itemcurve.models.likelihood import Likelihood
from itemcurve.models.priors import Beta, Normal, Prior
from itemcurve.numerics.engine import NUMPY, Array
from itemcurve.numerics.integration import AtNodes, Rule, WithinBox
from itemcurve.numerics.lattice_interpolation import MARGIN
from itemcurve.numerics.shapes import PerParameter, axes

# Half-width of the grid in standard deviations of the population of items.
_REACH = 4.5
_FEWEST = (15, 15, 9)
# A population narrower than this many grid steps would hide between the nodes.
_STEPS_PER_POPULATION_SD = 0.75
# Share of a population of probabilities beyond either end of the grid.
_TAIL = 5e-4
# Most nodes along each axis, by the number of axes. A third parameter (guessing) is known so
# vaguely that few nodes serve.
_MOST = {1: (400,), 2: (200, 200), 3: (30, 30, 11)}
# Beyond so many nodes in all, interpolation between fewer is cheaper.
_MOST_NODES = 12_000
# Where there is no interpolation, no more than these.
_MOST_THINNED = 6_000
# Nodes along each of two axes between which curves are interpolated.
_INTERPOLATING = 64
_AT_NODES = AtNodes()

Ends = tuple[float, float]


@dataclass(frozen=True)
class ItemGrid:
    """A lattice in the unbounded coordinates of the free item parameters.

    The trapezoidal rule converges as fast as any on smooth functions that vanish at both ends:
    a normal posterior of standard deviation s is integrated to 1e-3 with spacing 1.5 s, to 1e-8
    with s.
    """

    axes: tuple[Axis, ...]
    rule: Rule = _AT_NODES

    def grid(self, likelihood: Likelihood, held: PerParameter) -> Grid:
        """Lay the axes out as nodes; `held` are values of all parameters (parameters)."""
        mesh = lattice([axis.nodes for axis in self.axes])
        values = np.repeat(held[None, :], mesh.shape[1], axis=0)
        for row, index in enumerate(likelihood.free):
            transform = likelihood.model.parameters[index].transform
            values[:, index] = transform.value(NUMPY, mesh[row])
        volume = np.log(lattice([axis.widths for axis in self.axes])).sum(axis=0)
        return Grid(points=values, coordinates=mesh, log_quadrature=volume, rule=self.rule)

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of nodes along each axis."""
        return tuple(axis.size for axis in self.axes)

    @property
    def ends(self) -> tuple[Ends, ...]:
        """First and last node of each axis."""
        return tuple((float(axis.nodes[0]), float(axis.nodes[-1])) for axis in self.axes)

    @property
    def least_sds(self) -> Annotated[Array, axes("coordinates")]:
        """The narrowest population that the grid can still see, along each axis."""
        # It lies in the middle.
        middles = [np.mean(ends, keepdims=True) for ends in self.ends]
        steps = [axis.step_at(at) for axis, at in zip(self.axes, middles, strict=True)]
        return _STEPS_PER_POPULATION_SD * np.concatenate(steps)


def lay_grid(
    ends: Sequence[Ends], spacings: Sequence[Spacing], can_interpolate: bool = True
) -> ItemGrid:
    """Cover what lies between the ends with nodes about so far apart.

    Two axes that would need too many nodes get as many as are good for interpolation, and every
    item is integrated on a finer lattice of its own.

    Parameters
    ----------
    can_interpolate : whether polynomials follow log densities from node to node. They do not where
        these rise like exponential functions of exponential functions; then nodes are thinned.
    """
    count = len(ends)
    pairs = list(zip(ends, spacings, strict=True))
    wanted = [needed_size(*pair) for pair in pairs]
    if count == 2 and not can_interpolate:
        thinning = min(1.0, float(np.sqrt(_MOST_THINNED / np.prod(wanted))))
        wanted = [int(thinning * size) for size in wanted]
    elif count == 2 and (np.prod(wanted) > _MOST_NODES or max(wanted) > max(_MOST[2])):
        inner = [Axis.across(*pair, _INTERPOLATING) for pair in pairs]
        axes = tuple(axis.widened(MARGIN) for axis in inner)
        return ItemGrid(axes, WithinBox(tuple(axis.size for axis in axes)))
    sizes = np.clip(wanted, _FEWEST[:count], _MOST[count])
    return ItemGrid(tuple(Axis.across(*pair, int(n)) for pair, n in zip(pairs, sizes, strict=True)))


def first_spacings(n_respondents: int, dimensions: int) -> list[Spacing]:
    """Guess how narrow posteriors will be: like 1/√respondents, coarser in three dimensions."""
    step = float(np.clip(3.0 / np.sqrt(n_respondents), 0.15, 0.5))
    return [Spacing(step if place < 2 else 0.6) for place in range(dimensions)]


def prior_range(prior: Prior) -> Ends:
    """Where a population of items lies, in its unbounded coordinate."""
    if isinstance(prior, Normal):
        return prior.mean - _REACH * prior.sd, prior.mean + _REACH * prior.sd
    if isinstance(prior, Beta):
        from scipy.special import betaincinv, logit

        low, high = betaincinv(prior.alpha, prior.beta, np.array([_TAIL, 1 - _TAIL]))
        return float(logit(low)), float(logit(high))
    return -6.0, 6.0
