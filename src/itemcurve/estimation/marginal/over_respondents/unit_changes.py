"""What a search has learnt, carried over to another unit of ability and other priors of the items.

Measured in another unit, on a grid that is stretched as much, responses are as likely as before:
posteriors are the same at corresponding nodes. Curvature changes as coordinates do, and by the
priors' own.
"""

from dataclasses import replace
from functools import cached_property

import numpy as np

from itemcurve.estimation.marginal.em_newton import Point
from itemcurve.estimation.marginal.learnt_curvature import Learnt, OwnScores
from itemcurve.estimation.marginal.m_step import SCORE
from itemcurve.estimation.marginal.over_respondents.respondent_problem import RespondentProblem
from itemcurve.numerics.shapes import (
    EntityMatrices,
    Estimated,
    EstimatedMatrix,
    ItemCoordinates,
    State,
    StateMatrix,
)

_STEP = 1e-5
# Grids whose half-widths agree to so much are the same.
_SAME_GRID = 1e-12
# Units between which covariances, and curvature that only leads the way, differ too little to tell.
_SAME_UNIT = 0.05
_SAME_CURVATURE = 0.005


class UnitChange:
    """From a problem to the same one with abilities multiplied by a factor, and other priors.

    Parameters
    ----------
    problem, other : before and after.
    point : where the search stood before.
    place : items and state of the population there, in the unit of after.
    factor : between the two units.
    """

    def __init__(
        self,
        problem: RespondentProblem,
        other: RespondentProblem,
        point: Point,
        place: tuple[ItemCoordinates, State],
        factor: float,
    ) -> None:
        self._before, self._after = problem, other
        self._point, self.place, self._factor = point, place, factor
        plan, moved = problem.plan, other.plan
        gap = abs(moved.half_width - plan.half_width * factor) / moved.half_width
        self.is_same_grid = gap < _SAME_GRID

    def seen(self) -> Point | None:
        """The place as it would be seen in the new unit; None where it must be looked at anew."""
        before, marginal = self._point.expectation, self._after.marginal
        if not self.is_same_grid or marginal.engine.compiles:
            return None
        (x, state), extent = self.place, before.extent * self._factor
        kept = {SCORE: self._score(*before.kept[SCORE])} if SCORE in before.kept else {}
        expectation = replace(before, extent=extent, kept=kept)
        penalty = marginal.log_prior(x)[0] + marginal.population.penalty(state)[0]
        return Point(x, state, expectation, before.log_likelihood + penalty)

    def learnt(self, learnt: Learnt) -> Learnt:
        """What a search has left, as the next one takes it."""
        own = None if learnt.own is None else self._own(learnt.own)
        if learnt.matrix is None or learnt.scale is None or self._before.marginal.common:
            return Learnt(is_near=True, own=own)
        count, matrix, scale = self._point.x.size, learnt.matrix.copy(), learnt.scale.copy()
        diagonal = np.diag_indices(len(matrix))
        matrix[diagonal] += _bends(self._before, self._point.x, self._point.state)
        if abs(np.log(self._factor)) > _SAME_CURVATURE:
            matrix = self._turned(self._turned(matrix).T)
        matrix[diagonal] -= _bends(self._after, *self.place)
        scale[:count] *= np.diagonal(self._items, axis1=1, axis2=2).ravel() ** 2
        return Learnt(matrix, scale, is_near=True, is_trusted=True, own=own)

    def _score(
        self, gradient: ItemCoordinates, information: EntityMatrices
    ) -> tuple[ItemCoordinates, EntityMatrices]:
        """Score and information of the responses in the new coordinates."""
        return np.matvec(self._items.swapaxes(1, 2), gradient), self._sandwiched(information)

    def _sandwiched(self, matrices: EntityMatrices) -> EntityMatrices:
        """Matrices of each item's old coordinates as those of its new ones."""
        found: EntityMatrices = self._items.swapaxes(1, 2) @ np.asarray(matrices) @ self._items
        return found

    def _own(self, own: OwnScores) -> OwnScores:
        """Covariance of the scores of each item in the new coordinates."""
        if abs(np.log(self._factor)) < _SAME_UNIT:
            # Where each turn asks for a little of the same change, items have it undone each time.
            return own
        found = self._sandwiched(own.covariance)
        place = self._before.rescaled(own.place, self._point.state, 0.0, 1.0 / self._factor)[0]
        return OwnScores(found, place)

    def _turned(self, matrix: EstimatedMatrix) -> EstimatedMatrix:
        """Rows of old parameters turned into rows of new ones."""
        (entities, width), count = self._point.x.shape, self._point.x.size
        own = matrix[:count].reshape(entities, width, -1)
        items = np.matmul(self._items.swapaxes(1, 2), own).reshape(count, -1)
        return np.concatenate([items, self._state.T @ matrix[count:]])

    @cached_property
    def _items(self) -> EntityMatrices:
        """Derivatives of old coordinates in new ones, item by item (items × old × new)."""
        x, state = self.place

        def old(x: ItemCoordinates) -> ItemCoordinates:
            return self._after.rescaled(x, state, 0.0, self._factor)[0]

        steps = _STEP * np.eye(x.shape[1])
        columns = [(old(x + step) - old(x - step)) / (2 * _STEP) for step in steps]
        found, free = np.stack(columns, axis=2), self._after.marginal.free
        if free is None:
            return found
        # What is held stays where it is.
        return np.where(free[:, :, None] & free[:, None, :], found, np.eye(x.shape[1]))

    @cached_property
    def _state(self) -> StateMatrix:
        """Derivatives of the old state in the new one (old × new)."""
        state, population = self.place[1], self._after.marginal.population

        def old(state: State) -> State:
            return population.rescaled(state, 0.0, self._factor)

        steps = _STEP * np.eye(len(state))
        columns = [(old(state + step) - old(state - step)) / (2 * _STEP) for step in steps]
        return np.stack(columns, axis=1) if columns else np.zeros((0, 0))


def _bends(problem: RespondentProblem, x: ItemCoordinates, state: State) -> Estimated:
    """Second derivatives of the log priors of items and population."""
    marginal = problem.marginal
    own, shared = marginal.log_prior(x)[2], marginal.population.penalty(state)[2]
    return np.concatenate([own.ravel(), shared])
