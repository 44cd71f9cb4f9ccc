"""What items that are known almost exactly tell of abilities and population.

The observed information of a marginal likelihood is the difference of two parts (Louis 1982). Where
a response is known to a millionth, either part is of the order of 1e11 and their difference of
1e3: no quadrature resolves that. But the posterior of such an item is normal, and then the
difference is a Schur complement of second derivatives at its mode, in which little is lost.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from itemcurve.estimation.population import Population
from itemcurve.models.likelihood import Likelihood
from itemcurve.models.priors import on_coordinate
from itemcurve.numerics.engine import NUMPY, Array

# Differences of fourth order, with errors of 1e-14 from either side: of the step, and of rounding.
_STEP = 2e-4
_STENCIL = ((1, 8.0), (-1, -8.0), (2, -1.0), (-2, 1.0))
_NEWTON_STEPS = 2


@dataclass(frozen=True)
class SharpItems:
    """Items at points, among respondents of these abilities and in a population of this state.

    Attributes
    ----------
    channels : items × respondents each.
    values : parameters of the items at coordinates, as a function (items × parameters).
    coordinates : of the free parameters (coordinates × items).
    """

    likelihood: Likelihood
    population: Population
    channels: list[Array]
    values: Callable[[Array], Array]
    coordinates: Array
    abilities: Array
    state: Array

    def information(self) -> Array:
        """Information of all these items about abilities, then the state, at their modes."""
        modes = self
        for _ in range(_NEWTON_STEPS):
            # A slope left over would count as curvature.
            modes = modes._nearer_to_mode()
        return modes._schur_complement()

    def _nearer_to_mode(self) -> "SharpItems":
        slope = self._scores(0.0)[1]
        matrix, _ = self._own_derivatives()
        step = np.linalg.solve(matrix, slope[:, :, None])[:, :, 0]
        return replace(self, coordinates=self.coordinates + step.T)

    def _schur_complement(self) -> Array:
        matrix, coupling = self._own_derivatives()
        about, _ = _differentiate(self._scores)
        count, size = len(self.abilities), len(self.abilities) + len(self.state)
        found = np.zeros((size, size))
        found[np.diag_indices(count)] = -about.sum(axis=0)[:count]
        bend = self.population.curvature(self.state, self.coordinates)
        found[count:, count:] -= bend.sum(axis=2)
        solved = np.linalg.solve(matrix, coupling)
        return found - coupling.reshape(-1, size).T @ solved.reshape(-1, size)

    def _own_derivatives(self) -> tuple[Array, Array]:
        """Negative second derivatives: items × coordinates × (coordinates, or parameters)."""
        units = np.eye(len(self.coordinates))
        pairs = [_differentiate(partial(self._scores_beside, unit)) for unit in units]
        coupling, matrix = (-np.stack(parts, axis=1) for parts in zip(*pairs, strict=True))
        return (matrix + matrix.transpose(0, 2, 1)) / 2, coupling

    def _scores_beside(self, unit: Array, size: float) -> tuple[Array, Array]:
        return replace(self, coordinates=self.coordinates + size * unit[:, None])._scores(0.0)

    def _scores(self, shift: float) -> tuple[Array, Array]:
        """Scores of abilities and state, and of the items' coordinates (items × … each).

        Parameters
        ----------
        shift : of all abilities.
        """
        values = self.values(self.coordinates)
        cells = self.likelihood.cells(NUMPY, self.abilities + shift, values, self.channels, order=1)
        ability, *items = cells.scores
        priors = map(on_coordinate, self.population.at(self.state))
        pairs = zip(items, priors, self.coordinates, strict=True)
        own = [score.sum(axis=1) + prior.slope(NUMPY, at) for score, prior, at in pairs]
        slopes = self.population.slopes(self.state, self.coordinates).T
        return np.hstack([ability, slopes]), np.stack(own, axis=1)


def _differentiate(function: Callable[[float], tuple[Array, Array]]) -> tuple[Array, Array]:
    """Derivatives at 0 of two arrays that depend on a number."""
    parts = [(weight, function(place * _STEP)) for place, weight in _STENCIL]
    first, second = (sum(w * found[k] for w, found in parts) / (12 * _STEP) for k in (0, 1))
    return first, second
