"""From the fit with normal abilities to one with abilities of another shape."""

import numpy as np

from itemcurve.errors import ModelError
from itemcurve.estimation.densities.ability_density import (
    DAVIDIAN,
    HISTOGRAM,
    NORMAL,
    AbilityDensity,
    read_density,
)
from itemcurve.estimation.densities.davidian_search import best_davidian
from itemcurve.estimation.densities.histogram_search import weigh
from itemcurve.estimation.groups.fit_groups import GroupData
from itemcurve.estimation.groups.group_problem import GroupSolution
from itemcurve.estimation.groups.reported_groups import ReportedGroups
from itemcurve.estimation.identification.shaped_population import DavidianPopulation

# So many rounds show the shape of a histogram that curves are laid over.
_SCOUTING = 6


def check_density(density: object, groups: object, covariates: object) -> str:
    """The kind of density, refused where there is more than one population."""
    kind, _ = read_density(density)
    if kind != NORMAL and not (groups is None and covariates is None):
        raise ModelError(
            "Abilities of another shape than the normal are fitted in one population.",
            f"Got density={density!r} beside groups or covariates.",
            "Fit each group by itself, or leave density out.",
        )
    return kind


def reshape(data: GroupData, normal: GroupSolution, density: str) -> GroupSolution:
    """Items and abilities of this density, from where the normal ended."""
    kind, degree = read_density(density)
    if kind == DAVIDIAN:
        return best_davidian(data, weigh(normal, _SCOUTING), degree)
    return weigh(normal).as_solution() if kind == HISTOGRAM else normal


def reported_density(solution: GroupSolution, found: ReportedGroups) -> AbilityDensity | None:
    """The density on the reported scale; None where abilities were taken as normal."""
    terms, grid = solution.terms, solution.problem.marginal.grid
    population = terms.population
    if terms.group_rows is not None:
        return None
    log_density = population.log_density(solution.point.state, grid.coordinates)[0]
    kind = HISTOGRAM
    if isinstance(population, DavidianPopulation):
        kind = f"{DAVIDIAN}-{population.degree}"
    shares = np.exp(log_density + grid.log_quadrature)
    location, unit = found.location, found.unit
    abilities = (np.asarray(grid.points) - location) / unit
    order = np.argsort(abilities)
    return AbilityDensity(
        kind,
        abilities[order],
        (shares / shares.sum())[order],
        (np.exp(log_density) * abs(unit))[order],
    )
