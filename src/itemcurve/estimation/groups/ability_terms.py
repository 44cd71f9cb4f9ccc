"""What the population of abilities is made of: groups, covariates, and which of it is estimated."""

from dataclasses import dataclass

import numpy as np

from itemcurve.estimation.groups.designed_population import DesignedPopulation
from itemcurve.estimation.identification.latent_population import STANDARD, ability_population
from itemcurve.estimation.identification.population import Coordinate, Design
from itemcurve.estimation.identification.shaped_population import (
    DavidianPopulation,
    KnownDensity,
    TiltedNormal,
)
from itemcurve.models.contract import ItemModel
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import State


@dataclass(frozen=True, eq=False)
class AbilityTerms:
    """The population, who belongs where, and what is what.

    Attributes
    ----------
    population : its first group is what the scale of ability is told by: the reference group, at
        covariates of zero.
    codes : the place of each respondent in it.
    group_rows : for each named group, mean and log sd in terms of the state (groups × state each);
        None where the population says them itself.
    slopes : places of the covariates' slopes in the state.
    n_counted : how many of its numbers are parameters; not those that priors only leave open.
    """

    population: DesignedPopulation | DavidianPopulation | KnownDensity | TiltedNormal
    codes: Array
    group_rows: tuple[Array, Array] | None
    slopes: Array
    n_counted: int

    def group_moments(self, state: State) -> tuple[Array, Array]:
        """Mean and standard deviation of each named group, in the search's own unit."""
        if self.group_rows is None:
            return self.population.moments(state)
        means, logs = self.group_rows
        return means @ state, np.exp(logs @ state)


def build_terms(
    model: ItemModel,
    is_open: bool,
    codes: Array,
    n_groups: int,
    covariates: Array,
    free: tuple[bool, bool],
) -> AbilityTerms:
    """Set the population up.

    Parameters
    ----------
    is_open : whether items have priors, so that the scale is settled only when it is reported.
    codes : the group of each respondent.
    covariates : respondents × covariates, centred; no columns where there are none.
    free : whether means, and spreads, of groups beyond the first are estimated.
    """
    base = ability_population(model, is_open)
    rows, own = _rows(codes, covariates)
    groups = rows[:, 0].astype(int)
    indicator = (groups[:, None] == np.arange(1, n_groups)).astype(float)
    ones, nothing = np.ones((len(rows), 1)), np.zeros((len(rows), 0))
    mean = np.hstack(
        [
            ones if base.is_mean_free else nothing,
            indicator if free[0] else nothing,
            rows[:, 1:],
        ]
    )
    log_sd = np.hstack([ones if base.is_sd_free else nothing, indicator if free[1] else nothing])
    ability = Coordinate(
        STANDARD,
        is_mean_free=mean.shape[1] > 0,
        is_sd_free=log_sd.shape[1] > 0,
        is_anchored=base.is_anchored,
        design=Design(mean, log_sd),
    )
    population = DesignedPopulation((ability,), (base.is_mean_free, base.is_sd_free))
    latent = model.latent
    open_slots = (base.is_mean_free and not latent.is_mean_free) + (
        base.is_sd_free and not latent.is_sd_free
    )
    first = mean.shape[1] - covariates.shape[1]
    return AbilityTerms(
        population,
        own,
        _group_rows(n_groups, free, base, mean.shape[1], log_sd.shape[1]),
        np.arange(first, mean.shape[1]),
        population.size - int(open_slots),
    )


def _rows(codes: Array, covariates: Array) -> tuple[Array, Array]:
    """Different rows of group and covariates, that of the reference first; and everyone's own."""
    if not covariates.shape[1]:
        count = int(codes.max()) + 1
        return np.arange(count, dtype=float)[:, None], codes
    rows, own = np.unique(np.column_stack([codes, covariates]), axis=0, return_inverse=True)
    # Nobody need be there: what is reported is told from there.
    return np.vstack([np.zeros((1, rows.shape[1])), rows]), own.ravel() + 1


def _group_rows(
    n_groups: int, free: tuple[bool, bool], base: Coordinate, n_means: int, n_logs: int
) -> tuple[Array, Array]:
    found = []
    for is_free, is_base, size in (
        (free[0], base.is_mean_free, n_means),
        (free[1], base.is_sd_free, n_logs),
    ):
        table = np.zeros((n_groups, size))
        if is_base:
            table[:, 0] = 1.0
        if is_free:
            table[1:, int(is_base) : int(is_base) + n_groups - 1] = np.eye(n_groups - 1)
        found.append(table)
    means, logs = found
    return (
        np.hstack([means, np.zeros((n_groups, n_logs))]),
        np.hstack([np.zeros((n_groups, n_means)), logs]),
    )
