"""Items and a histogram of abilities: a free weight at every node (Bock and Aitkin 1981)."""

from dataclasses import dataclass, replace

import numpy as np

from itemcurve.estimation.groups.ability_terms import AbilityTerms
from itemcurve.estimation.groups.group_problem import GroupSolution
from itemcurve.estimation.groups.tied_newton import maximise_tied
from itemcurve.estimation.identification.latent_population import has_priors
from itemcurve.estimation.identification.shaped_population import KnownDensity
from itemcurve.estimation.marginal.e_step import log_densities
from itemcurve.estimation.marginal.em_newton import Point, evaluate
from itemcurve.estimation.marginal.problem import MarginalProblem
from itemcurve.estimation.optimisation.iterate import Optimum
from itemcurve.estimation.status import FitStatus
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import ItemCoordinates

# Of items given weights, and of weights given items: neither need arrive before the other moves.
_NEWTON_STEPS, _WEIGHT_STEPS = 2, 60
_MOST_ROUNDS = 120
# What a round of both must still gain. The last thousandths only make a comb of the histogram.
_LEAST_GAIN = 5e-3
# A weight below is nobody.
_NOBODY = 1e-3
_NOTHING = 1e-300


@dataclass(frozen=True, eq=False)
class Weighted:
    """Items, and weights of abilities at nodes.

    Attributes
    ----------
    solution : the normal that it began from.
    x : coordinates of items.
    weights : at the nodes; they add up to one.
    """

    solution: GroupSolution
    x: ItemCoordinates
    weights: Array
    optimum: Optimum[Point] | None = None

    @property
    def nodes(self) -> Array:
        """Where weights are."""
        return np.asarray(self.solution.problem.marginal.grid.points)

    @property
    def problem(self) -> MarginalProblem:
        """The problem with abilities of these weights."""
        marginal = self.solution.problem.marginal
        quadrature = np.exp(marginal.grid.log_quadrature)
        heights = np.log(np.maximum(self.weights, _NOTHING)) - marginal.grid.log_quadrature
        return replace(marginal, population=KnownDensity.of(heights, self.nodes, quadrature))

    def as_solution(self) -> GroupSolution:
        """As the search for several populations gives it."""
        assert self.optimum is not None
        marginal, normal = self.problem, self.solution
        population = marginal.population
        assert isinstance(population, KnownDensity)
        count = int((self.weights > _NOBODY).sum())
        codes = np.zeros(normal.responses.shape[0], dtype=int)
        # Origin and unit of ability are told by it as of any density, and weights add up to one.
        terms = AbilityTerms(population, codes, None, np.arange(0), max(count - 3, 0))
        marginal = replace(marginal, polynomials=normal.problem.marginal.polynomials)
        problem = replace(normal.problem, marginal=marginal)
        model = problem.likelihood.model
        ties = normal.split.ties(model, 0)
        return GroupSolution(problem, self.optimum, normal.split, ties, terms, normal.responses)


def weigh(solution: GroupSolution, rounds: int = _MOST_ROUNDS) -> Weighted:
    """Climb from the normal; after few rounds the histogram shows its shape."""
    marginal, point = solution.problem.marginal, solution.point
    mass = point.expectation.mass.sum(axis=0)
    # A respondent's worth of the normal keeps origin and unit where priors leave them open.
    anchor = _anchor(solution) if has_priors(solution.problem.likelihood.model) else 0.0
    found = Weighted(solution, point.x, mass / mass.sum())
    ties = solution.split.ties(solution.problem.likelihood.model, 0)
    height, nothing = -np.inf, np.zeros(0)
    status, done = FitStatus.MAX_ITERATIONS, 0
    while done < rounds and status is not FitStatus.CONVERGED:
        done += 1
        weights = _weights(marginal, found, solution.point.state, anchor)
        found = replace(found, weights=weights)
        at = evaluate(found.problem, found.x, nothing)
        optimum = maximise_tied(found.problem, at, ties, 1e-9, _NEWTON_STEPS)
        found = replace(found, x=optimum.point.x, optimum=optimum)
        gain, height = optimum.point.objective - height, optimum.point.objective
        if gain < _LEAST_GAIN:
            status = FitStatus.CONVERGED
    assert found.optimum is not None
    return replace(found, optimum=Optimum(found.optimum.point, status, done))


def _anchor(solution: GroupSolution) -> Array:
    nodes = np.asarray(solution.problem.marginal.grid.points)
    own = np.exp(-0.5 * nodes**2 + solution.problem.marginal.grid.log_quadrature)
    return own / own.sum()


def _weights(
    marginal: MarginalProblem, found: Weighted, state: Array, anchor: Array | float
) -> Array:
    """Better weights for these items, by as many steps of EM as cost one of the items."""
    known = marginal.population.log_density(state, marginal.grid.coordinates)
    logs = np.concatenate([np.asarray(own) for own in log_densities(marginal, found.x, state)])
    logs -= known[0] if len(known) == 1 else known[np.zeros(len(logs), dtype=int)]
    chances = np.exp(logs - logs.max(axis=1, keepdims=True))
    weights = found.weights
    for _ in range(_WEIGHT_STEPS):
        shares = weights / (chances @ weights)[:, None] * chances
        weights = shares.sum(axis=0) + anchor
        weights = weights / weights.sum()
    return np.asarray(weights)
