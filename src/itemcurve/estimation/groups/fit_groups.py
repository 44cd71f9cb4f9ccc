"""Fit one model to several populations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from itemcurve.estimation.groups.ability_terms import AbilityTerms, build_terms
from itemcurve.estimation.groups.designed_population import DesignedPopulation
from itemcurve.estimation.groups.group_problem import GroupSolution, solve
from itemcurve.estimation.groups.settings import ROLES, GroupCodes
from itemcurve.estimation.groups.split_items import EVERYONE, SplitItems
from itemcurve.estimation.identification.latent_population import has_priors
from itemcurve.estimation.identification.starting_values import start_values
from itemcurve.estimation.marginal.over_respondents.population_search import search
from itemcurve.estimation.marginal.over_respondents.respondent_problem import RespondentProblem
from itemcurve.estimation.optimisation.iterate import UNWATCHED
from itemcurve.models.contract import ItemModel
from itemcurve.models.free_coordinates import coordinates_of
from itemcurve.models.mixed_likelihood import likelihood_of
from itemcurve.numerics.engine import NUMPY, Array
from itemcurve.numerics.shapes import ItemCoordinates, State
from itemcurve.responses.matrix import Responses

# The start of a search need not be a maximum itself.
_SCOUTING = 1e-4


@dataclass(frozen=True, eq=False)
class GroupData:
    """Responses, a model and what is known of the respondents.

    Attributes
    ----------
    covariates : respondents × covariates, centred; no columns where there are none.
    """

    responses: Responses
    model: ItemModel
    groups: GroupCodes
    covariates: Array
    tolerance: float = 1e-7
    max_iterations: int = 200


@dataclass(frozen=True, eq=False)
class Start:
    """Where a search begins.

    Attributes
    ----------
    x : coordinates of items, one row each.
    base : mean and log sd of the first group.
    state : of the population, where one of the same kind is known.
    copies : coordinates of single copies, by item and group, where they are known.
    """

    x: ItemCoordinates
    base: tuple[float, float]
    state: State | None = None
    copies: Mapping[tuple[int, int], Array] = field(default_factory=dict)

    @classmethod
    def near(cls, solution: GroupSolution) -> "Start":
        """The start that a solution of the same data is."""
        split, point = solution.split, solution.point
        _, first = np.unique(split.items, return_index=True)
        copies = {
            (int(item), int(group)): row
            for item, group, row in zip(split.items, split.groups, point.x, strict=True)
            if group != EVERYONE
        }
        return cls(point.x[first], (0.0, 0.0), point.state, copies)

    def rows(self, split: SplitItems) -> ItemCoordinates:
        """Coordinates of copies."""
        found = self.x[split.items].copy()
        for row, key in enumerate(zip(split.items.tolist(), split.groups.tolist(), strict=True)):
            found[row] = self.copies.get(key, found[row])
        return found


def one_population(data: GroupData) -> Start:
    """The fit that takes all respondents for one group."""
    likelihood = likelihood_of(data.model)
    values = start_values(data.model, data.responses)
    problem = RespondentProblem.build(likelihood, data.responses, values, NUMPY)
    found = search(
        problem,
        coordinates_of(data.model, values),
        problem.marginal.population.start(),
        tolerance=_SCOUTING,
        max_iterations=data.max_iterations,
        watch=UNWATCHED,
        with_population=False,
    )
    ability = found.problem.marginal.population.at(found.optimum.point.state)[0]
    base = float(ability.mean), float(np.log(ability.sd))  # type: ignore[attr-defined]
    return Start(found.optimum.point.x, base)


def fit_groups(
    data: GroupData, equal: Sequence[str], free: NDArray[np.bool_], start: Start | None = None
) -> GroupSolution:
    """Fit with what is `equal` the same in all groups, save for items that are `free`."""
    start = start or one_population(data)
    n_groups = len(data.groups.names)
    split = SplitItems.build(data.responses.shape[1], n_groups, equal, free)
    terms = terms_of(data, split, equal)
    model = split.model(data.model)
    responses = split.responses(data.responses, data.groups)
    ties = split.ties(model, terms.population.size)
    x = start.rows(split)
    # Copies that are one and the same start alike.
    x = x.ravel()[ties.owner[: x.size]].reshape(x.shape)
    state = _state(terms, start)
    begin = x, state
    return solve(responses, model, split, terms, begin, data.tolerance, data.max_iterations)


def terms_of(data: GroupData, split: SplitItems, equal: Sequence[str]) -> AbilityTerms:
    """The population: a group's mean is estimated where some item tells it, and so is its spread.

    Items that differ between groups in all that takes up the origin of ability tell nothing of how
    far groups lie apart.
    """
    latent, n_groups = data.model.latent, len(data.groups.names)
    is_several = n_groups > 1
    tells_mean = not latent.shifts or split.has_common(ROLES["intercepts"])
    tells_sd = not latent.stretches or latent.is_sd_free or split.has_common(ROLES["slopes"])
    free = (
        is_several and tells_mean and "means" not in equal,
        is_several and tells_sd and "variances" not in equal,
    )
    is_open = has_priors(data.model)
    return build_terms(data.model, is_open, data.groups.codes, n_groups, data.covariates, free)


def _state(terms: AbilityTerms, start: Start) -> State:
    population = terms.population
    if start.state is not None and len(start.state) == population.size:
        return start.state
    assert isinstance(population, DesignedPopulation)
    state = population.start()
    n_means = population.coordinates[0].design.mean.shape[1]
    n_means *= population.coordinates[0].is_mean_free
    for is_free, place, value in zip(
        population.is_base_free, (0, n_means), start.base, strict=True
    ):
        if is_free:
            state[place] = value
    return state
