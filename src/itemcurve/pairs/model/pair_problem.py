"""What is maximised: the log-likelihood of votes, less what priors hold against parameters."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from itemcurve.numerics.arrowhead_systems import ArrowheadSystem
from itemcurve.numerics.engine import NUMPY, Engine
from itemcurve.pairs.model.davidson import VoteMoments, vote_moments
from itemcurve.pairs.model.parameter_layout import Layout, read_values
from itemcurve.pairs.model.vote_predictors import (
    Codings,
    predict_rows,
    predictor_jacobians,
    strength_curvature,
)
from itemcurve.pairs.votes.vote_data import Floats
from itemcurve.pairs.votes.vote_rows import VoteRows

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, eq=False)
class PairProblem:
    """Votes, their parameters, normal priors, and what is held.

    Attributes
    ----------
    centre, precision : of the priors; precision is 1 / variance, 0 for none.
    constraints : directions in which nothing may move (constraints × parameters).
    """

    layout: Layout
    rows: VoteRows
    codings: Codings
    centre: Floats
    precision: Floats
    constraints: Floats
    engine: Engine = NUMPY

    def at(self, theta: Floats) -> "PairPoint":
        """Evaluate at these parameters."""
        values = read_values(self.layout, theta)
        eta, tau = predict_rows(values, self.rows, self.codings)
        with self.engine.double_precision():
            compute = self.engine.compile(vote_moments, static=("engine",))
            placed = [self.engine.place(array) for array in (eta, tau, self.rows.counts)]
            found = compute(*placed, engine=self.engine)
            moments = VoteMoments(*(np.asarray(part) for part in found))
        return PairPoint(self, theta, moments)


@dataclass(frozen=True, eq=False)
class PairPoint:
    """The problem evaluated at some parameters."""

    problem: PairProblem
    theta: Floats
    moments: VoteMoments

    @cached_property
    def log_likelihood(self) -> float:
        """Of the votes."""
        return float(self.moments.log_likelihood.sum())

    @cached_property
    def objective(self) -> float:
        """With priors."""
        off = self.theta - self.problem.centre
        return self.log_likelihood - 0.5 * float(self.problem.precision @ off**2)

    @cached_property
    def jacobians(self) -> "tuple[csr_array[Any, Any], csr_array[Any, Any]]":
        """Of η and τ."""
        problem = self.problem
        values = read_values(problem.layout, self.theta)
        return predictor_jacobians(problem.layout, values, problem.rows, problem.codings)

    @cached_property
    def gradient(self) -> Floats:
        """Of the objective."""
        by_eta, by_tau = self.jacobians
        found = by_eta.T @ self.moments.eta_residual + by_tau.T @ self.moments.tau_residual
        return found - self.problem.precision * (self.theta - self.problem.centre)

    def hessian(self, *, is_expected: bool = False) -> ArrowheadSystem:
        """Minus the second derivatives of the objective: items as blocks, the rest the corner.

        Directions that constraints forbid get some curvature in the core, where there may be none.

        Parameters
        ----------
        is_expected : whether to give what votes as probable as they are would have on average,
            which curves downwards wherever one is.
        """
        from scipy.sparse import diags_array

        by_eta, by_tau = self.jacobians
        moments, problem = self.moments, self.problem
        mixed = by_eta.T @ by_tau.multiply(moments.covariance[:, np.newaxis]).tocsr()
        found = by_eta.T @ by_eta.multiply(moments.eta_variance[:, np.newaxis]).tocsr()
        found = found + by_tau.T @ by_tau.multiply(moments.tau_variance[:, np.newaxis]).tocsr()
        found = found + mixed + mixed.T + diags_array(problem.precision)
        values = read_values(problem.layout, self.theta)
        curved = strength_curvature(
            problem.layout, values, problem.rows, problem.codings, moments.eta_residual
        )
        if curved is not None and not is_expected:
            found = found - curved
        return _as_arrowhead(found.tocsr(), problem.layout, problem.constraints)


def _as_arrowhead(
    matrix: "csr_array[Any, Any]", layout: Layout, constraints: Floats
) -> ArrowheadSystem:
    core, width = layout.core_size, layout.width
    corner = np.asarray(matrix[:core, :core].toarray())
    held = constraints[:, :core]
    corner = corner + (held.T @ held) * max(float(np.diagonal(corner).mean()), 1e-8) / core
    if not width:
        return ArrowheadSystem(np.zeros((0, 1, 1)), np.zeros((0, 1, core)), corner)
    cross = np.asarray(matrix[core:, :core].toarray()).reshape(layout.n_items, width, core)
    own = matrix[core:, core:].tocoo()
    blocks = np.zeros((layout.n_items, width, width))
    rows, columns = own.coords
    blocks[rows // width, rows % width, columns % width] = own.data
    return ArrowheadSystem(blocks, cross, corner)
