"""What items with a sharp conditional peak tell of abilities and population.

The observed information of a marginal likelihood is the difference of two parts (Louis 1982). Where
a response is known to a millionth, either part is of the order of 1e11 and their difference of
1e3: no quadrature resolves that. But so sharp a peak is normal, and then the difference is a Schur
complement of second derivatives at the peak, in which little is lost. Here the inner coordinate of
an item is treated so, at each point of its outer one; along that, Louis' formula does.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from itemcurve.estimation.identification.population import Population
from itemcurve.models.likelihood import Likelihood
from itemcurve.models.priors import on_coordinate
from itemcurve.numerics.engine import NUMPY, Array, add_up
from itemcurve.numerics.shapes import (
    EstimatedMatrix,
    ItemLevels,
    ItemsByRespondents,
    PerPoint,
    PerRespondent,
    State,
    axes,
)

# Differences of fourth order, with errors of 1e-14 from either side: of the step, and of rounding.
_STEP = 2e-4
_STENCIL = ((1, 8.0), (-1, -8.0), (2, -1.0), (-2, 1.0))
_NEWTON_STEPS = 2
# In standard deviations: conditional peaks are known to a hundredth of one.
_LONGEST_STEP = 0.1


@dataclass(frozen=True)
class NarrowItems:
    """Items along their ridges, among these respondents and in a population of this state.

    Attributes
    ----------
    rows : the item of each point; all have the same number of points, one after another.
    channels : of all items (items × respondents each).
    values : parameters of items at coordinates, as a function of both (points × parameters).
    coordinates : outer and inner (2 × points).
    """

    likelihood: Likelihood
    population: Population
    rows: PerPoint
    channels: Sequence[ItemsByRespondents]
    values: Callable[[Array, Array], Array]
    coordinates: Annotated[Array, axes("coordinates points")]
    abilities: PerRespondent
    state: State

    def information(self, mass: ItemLevels) -> EstimatedMatrix:
        """Information about abilities, then the state.

        Parameters
        ----------
        mass : posterior probability of the points of each item (items × points).
        """
        peaks = self
        for _ in range(_NEWTON_STEPS):
            # A slope left over would count as curvature.
            peaks = peaks._nearer_to_peak()
        return peaks._schur_complement(mass.ravel()) - peaks._spread(mass)

    def _spread(self, mass: ItemLevels) -> EstimatedMatrix:
        """How scores vary along the ridges."""
        scores, _ = self._scores(0.0, 0.0)
        means = (mass.reshape(-1, 1) * scores).reshape(*mass.shape, -1).sum(axis=1)
        centred = (scores.reshape(*mass.shape, -1) - means[:, None, :]).reshape(scores.shape)
        return centred.T @ (centred * mass.reshape(-1, 1))

    def _nearer_to_peak(self) -> "NarrowItems":
        _, slope = self._scores(0.0, 0.0)
        _, bend = _differentiate(lambda size: self._scores(0.0, size))
        sd = 1 / np.sqrt(np.abs(bend))
        step = np.clip(slope * sd**2, -_LONGEST_STEP * sd, _LONGEST_STEP * sd)
        return replace(self, coordinates=self.coordinates + np.stack([0 * step, step]))

    def _schur_complement(self, weights: PerPoint) -> EstimatedMatrix:
        about, _ = _differentiate(lambda size: self._scores(size, 0.0))
        coupling, bend = _differentiate(lambda size: self._scores(0.0, size))
        count, size = len(self.abilities), len(self.abilities) + len(self.state)
        found = np.zeros((size, size))
        found[np.diag_indices(count)] = -(weights @ about)[:count]
        found[count:, count:] += self.population.information(
            self.state, self.coordinates, weights[None, :]
        )
        return found - coupling.T @ (coupling * (weights / np.abs(bend))[:, None])

    def _scores(
        self, shift: float, inner: float
    ) -> tuple[Annotated[Array, axes("points estimated")], PerPoint]:
        """Scores of abilities and state (points × …), and of the inner coordinate (points).

        Parameters
        ----------
        shift, inner : added to all abilities, and to all inner coordinates.
        """
        coordinates = self.coordinates + np.array([[0.0], [inner]])
        values = self.values(self.rows, coordinates)
        channels = [channel[self.rows] for channel in self.channels]
        cells = self.likelihood.cells(NUMPY, self.abilities + shift, values, channels, order=1)
        prior = on_coordinate(self.population.at(self.state)[1])
        own = cells.scores[2].sum(axis=1) + prior.slope(NUMPY, coordinates[1])
        slopes = self.population.slopes(self.state, coordinates)[0].T
        return np.hstack([cells.scores[0], slopes]), own


def _differentiate(function: Callable[[float], tuple[Array, Array]]) -> tuple[Array, Array]:
    """Derivatives at 0 of two arrays that depend on a number."""
    parts = [(weight, function(place * _STEP)) for place, weight in _STENCIL]
    first, second = (add_up(w * found[k] for w, found in parts) / (12 * _STEP) for k in (0, 1))
    return first, second
