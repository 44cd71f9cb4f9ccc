"""Items and a Davidian curve of abilities together.

The likelihood has several maxima, and the normal is a saddle or a maximum of its own: curves are
first laid over a histogram of abilities from many starts, and the best of these are climbed from.
"""

import numpy as np
from scipy.optimize import minimize

from itemcurve.estimation.densities.histogram_search import Weighted
from itemcurve.estimation.groups.ability_terms import AbilityTerms
from itemcurve.estimation.groups.fit_groups import GroupData
from itemcurve.estimation.groups.group_problem import GroupSolution, solve
from itemcurve.estimation.identification.latent_population import (
    STANDARD,
    ability_population,
    has_priors,
)
from itemcurve.estimation.identification.population import Coordinate, Population
from itemcurve.estimation.identification.shaped_population import (
    DavidianPopulation,
    davidian_slopes,
    hermite,
)
from itemcurve.estimation.marginal.over_respondents.scale_moves import AlongScale
from itemcurve.numerics.engine import NUMPY, Array
from itemcurve.numerics.shapes import ItemCoordinates, State

_STARTS, _CLIMBS = 24, 4
# Starts that differ by less lead to one place.
_ALIKE = 0.1
_NOBODY = 1e-12
# Of the logarithm of a curve's unit.
_UNITS = (-2.5, 2.5)
_SEED = 20_260
_DEGREES = (2, 4, 6)


def best_davidian(data: GroupData, found: Weighted, degree: int | None) -> GroupSolution:
    """The curve of this degree; of none, that with the best Hannan-Quinn criterion."""
    degrees = _DEGREES if degree is None else (degree,)
    solutions = [_davidian(data, found, own) for own in degrees]
    heavy = 2 * np.log(np.log(max(data.responses.shape[0], 3)))
    return min(
        solutions,
        key=lambda own: heavy * own.n_parameters - 2 * own.point.expectation.log_likelihood,
    )


def _davidian(data: GroupData, found: Weighted, degree: int) -> GroupSolution:
    normal = found.solution
    split, model, responses = normal.split, normal.problem.likelihood.model, normal.responses
    solutions = []
    for curve in _different(_laid_over(found.nodes, found.weights, degree))[:_CLIMBS]:
        terms = _terms(data, curve)
        assert isinstance(terms.population, DavidianPopulation)
        begin = _placed(found, terms.population, curve)
        solutions.append(
            solve(responses, model, split, terms, begin, data.tolerance, data.max_iterations)
        )
    return max(solutions, key=lambda own: (own.optimum.status.is_converged, own.point.objective))


def _terms(data: GroupData, curve: Array) -> AbilityTerms:
    base = ability_population(data.model, has_priors(data.model))
    pivot = int(np.abs(curve[2:]).argmax())
    population = DavidianPopulation((base,), len(curve) - 3, pivot)
    latent = data.model.latent
    open_slots = (base.is_mean_free and not latent.is_mean_free) + (
        base.is_sd_free and not latent.is_sd_free
    )
    codes = np.zeros(data.responses.shape[0], dtype=int)
    return AbilityTerms(population, codes, None, np.arange(0), population.size - int(open_slots))


def _different(curves: list[Array]) -> list[Array]:
    """Each curve once."""
    found: list[Array] = []
    for curve in curves:
        if all(np.abs(curve - other).max() > _ALIKE for other in found):
            found.append(curve)
    return found


def _placed(
    found: Weighted, population: DavidianPopulation, curve: Array
) -> tuple[ItemCoordinates, State]:
    """Items and state of a curve; items take up what origin and unit the population has not."""
    mean, log_sd, c = curve[0], curve[1], curve[2:]
    ability = population.coordinates[0]
    state = [mean] * ability.is_mean_free + [log_sd] * ability.is_sd_free
    state += list(np.delete(c / c[population.pivot], population.pivot))
    location = 0.0 if ability.is_mean_free else float(mean)
    scale = 1.0 if ability.is_sd_free else float(np.exp(log_sd))
    normal = found.solution.problem
    at = normal.marginal.at_nodes(found.x)
    # What moves are the items alone.
    move = AlongScale(normal.likelihood.model, Population((Coordinate(STANDARD),)))
    x, _ = move.rescaled(NUMPY, at, np.zeros(0), location, scale)
    return x, np.array(state)


def _laid_over(nodes: Array, weights: Array, degree: int) -> list[Array]:
    """Curves of highest likelihood over weighted places, best first: mean, log sd, c."""
    mean = weights @ nodes
    sd = np.sqrt(weights @ (nodes - mean) ** 2)
    keep = weights > _NOBODY
    places, counts = nodes[keep], weights[keep]

    def depth(curve: Array) -> tuple[float, Array]:
        unit, c = np.exp(-curve[1]), curve[2:]
        u = (places - curve[0]) * unit
        height = np.maximum(np.abs(c @ hermite(u, degree)), _NOBODY)
        log = 2 * np.log(height) - np.log(c @ c) - 0.5 * u**2 - curve[1]
        along, inside = davidian_slopes(u, c)
        slopes = np.stack([-along * unit, -1 - u * along, *inside])
        return -float(counts @ log), -(slopes @ counts)

    rng = np.random.default_rng(_SEED)
    ends = [(None, None), _UNITS, *[(None, None)] * (degree + 1)]
    found = []
    for turn in range(_STARTS):
        c = rng.normal(size=degree + 1)
        if turn == 0:
            c = np.append(1.0, 0.05 * c[1:])
        start = np.concatenate([[mean, np.log(sd)], c])
        ended = minimize(depth, start, jac=True, method="L-BFGS-B", bounds=ends)
        c = ended.x[2:] / np.sqrt(ended.x[2:] @ ended.x[2:])
        c = c * np.sign(c[np.abs(c).argmax()])
        found.append((float(ended.fun), np.concatenate([ended.x[:2], c])))
    return [curve for _, curve in sorted(found, key=lambda both: both[0])]
