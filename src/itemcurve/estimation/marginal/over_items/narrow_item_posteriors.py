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
from itemcurve.models.cell_derivatives import CellDerivatives, cell_derivatives
from itemcurve.models.likelihood import Likelihood
from itemcurve.models.priors import Prior, on_coordinate
from itemcurve.numerics.engine import NUMPY, Array
from itemcurve.numerics.shapes import (
    EstimatedMatrix,
    ItemLevels,
    ItemsByRespondents,
    PerPoint,
    PerRespondent,
    State,
    axes,
)

_STEP = 1e-4
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
        scores = np.hstack([self._cells().slopes[0], self._state_slopes(0.0)])
        means = (mass.reshape(-1, 1) * scores).reshape(*mass.shape, -1).sum(axis=1)
        centred = (scores.reshape(*mass.shape, -1) - means[:, None, :]).reshape(scores.shape)
        return centred.T @ (centred * mass.reshape(-1, 1))

    def _nearer_to_peak(self) -> "NarrowItems":
        cells = self._cells((1, 1))
        slope = cells.slopes[1].sum(axis=1) + self._inner_prior.slope(NUMPY, self.coordinates[1])
        sd = 1 / np.sqrt(np.abs(self._bend(cells.bends[0])))
        step = np.clip(slope * sd**2, -_LONGEST_STEP * sd, _LONGEST_STEP * sd)
        return replace(self, coordinates=self.coordinates + np.stack([0 * step, step]))

    def _schur_complement(self, weights: PerPoint) -> EstimatedMatrix:
        about, across, along = self._cells((0, 0), (0, 1), (1, 1)).bends
        change = (self._state_slopes(_STEP) - self._state_slopes(-_STEP)) / (2 * _STEP)
        coupling = np.hstack([across, change])
        count, size = len(self.abilities), len(self.abilities) + len(self.state)
        found = np.zeros((size, size))
        found[np.diag_indices(count)] = -(weights @ about)
        found[count:, count:] += self.population.information(
            self.state, self.coordinates, weights[None, :]
        )
        bend = self._bend(along)
        return found - coupling.T @ (coupling * (weights / np.abs(bend))[:, None])

    def _cells(self, *pairs: tuple[int, int]) -> CellDerivatives:
        """Cells (points × respondents), along ability and along the inner coordinate."""
        values = self.values(self.rows, self.coordinates)
        channels = [channel[self.rows] for channel in self.channels]
        along = (None, self.likelihood.free[1])
        return cell_derivatives(
            self.likelihood, NUMPY, self.abilities, values, channels, along, pairs
        )

    def _bend(self, cells: Annotated[Array, axes("points respondents")]) -> PerPoint:
        """Curvature of each item's log density along its inner coordinate."""
        return cells.sum(axis=1) + self._inner_prior.curvature(NUMPY, self.coordinates[1])

    def _state_slopes(self, inner: float) -> Annotated[Array, axes("points state")]:
        """Scores of the state, where all inner coordinates are moved by so much."""
        moved = self.coordinates + np.array([[0.0], [inner]])
        return self.population.slopes(self.state, moved)[0].T

    @property
    def _inner_prior(self) -> Prior:
        return on_coordinate(self.population.at(self.state)[1])
