"""Items integrated out, abilities estimated: for few respondents and many items.

The respondents are these particular systems, each with many responses, so their abilities are
parameters. The items are a sample from a population, so their parameters are integrated over a
grid; softmax over the grid gives every item's exact posterior, and the covariance of the
abilities contains the uncertainty of the items.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from itemcurve.estimation.identification.latent_population import item_population
from itemcurve.estimation.identification.population import Population
from itemcurve.estimation.identification.starting_values import start_abilities
from itemcurve.estimation.marginal.factored_curves import FactoredCurve
from itemcurve.estimation.marginal.over_items.ability_lattice import InterpolatedCurves
from itemcurve.estimation.marginal.over_items.item_axis import Axis, coarseness, fitting_spacing
from itemcurve.estimation.marginal.over_items.item_grid import (
    Ends,
    ItemGrid,
    first_spacings,
    lay_grid,
    prior_range,
)
from itemcurve.estimation.marginal.problem import Curves, EntitiesAtNodes, MarginalProblem
from itemcurve.estimation.marginal.units import UnitsInMemory
from itemcurve.models.capabilities import curve_terms
from itemcurve.models.likelihood import Likelihood
from itemcurve.models.priors import Normal, Prior
from itemcurve.numerics.engine import Array, Engine
from itemcurve.numerics.integration import WithinBox
from itemcurve.numerics.row_blocks import split_rows
from itemcurve.numerics.shapes import (
    EntityCoordinates,
    EntityCurve,
    EntityMatrices,
    EntitySlope,
    PerItem,
    PerParameter,
    State,
    axes,
)
from itemcurve.responses.matrix import Responses

_BLOCK_BYTES = 2**23
_ABILITY_BOUNDS = (-12.0, 12.0)
# A grid may be coarser than wanted by this factor before another is laid.
_SLACK = 1.25
# ... and may miss so many standard deviations of its population at either end.
_LOST_REACH = 0.4


@dataclass(frozen=True)
class AbilityCurves:
    """Curves of respondents at item parameters; `x` are abilities (respondents × 1)."""

    likelihood: Likelihood

    @property
    def is_linear(self) -> bool:
        """Units are items here, whose curves bend with ability."""
        return False

    @property
    def is_compressed(self) -> bool:
        """Respondents are few: so are products with their curves."""
        return False

    def values(self, engine: Engine, at: EntitiesAtNodes) -> list[EntityCurve]:
        """Curves g_k (respondents × nodes)."""
        return [curve.T for curve in self.likelihood.curves(engine, at.x[:, 0], at.points)]

    def factors(self, engine: Engine, at: EntitiesAtNodes) -> list[FactoredCurve]:
        """Sums of functions of an item's parameters, where the model states them."""
        terms = curve_terms(self.likelihood.model, engine, at.x, at.points)
        return [] if terms is None else [FactoredCurve(terms[0].T, own.T) for own in terms[1]]

    def slopes(self, engine: Engine, at: EntitiesAtNodes) -> list[list[EntitySlope]]:
        """Derivatives in ability."""
        return [
            [curve.T for curve in self.likelihood.ability_slopes(engine, at.x[:, 0], at.points)]
        ]

    def gradient(
        self, engine: Engine, at: EntitiesAtNodes, sums: Sequence[EntityCurve]
    ) -> EntityCoordinates:
        """Score of abilities."""
        slopes = self.likelihood.ability_slopes(engine, at.x[:, 0], at.points)
        return _gradient(engine, sums, slopes)

    def score(
        self, engine: Engine, at: EntitiesAtNodes, sums: Sequence[EntityCurve]
    ) -> tuple[EntityCoordinates, EntityMatrices]:
        """Score of abilities, and Fisher information about them."""
        slopes, per_item = self.likelihood.ability_score(engine, at.x[:, 0], at.points)
        weight = self.likelihood.total_weight(sums)
        information = engine.xp.vecdot(weight, per_item.T)[:, None, None]
        return _gradient(engine, sums, slopes), information


def curves_of_respondents(engine: Engine, likelihood: Likelihood) -> Curves:
    """Exact curves, or interpolated ones where tail probabilities make them slow.

    Compiled code has fixed shapes and no tables that grow.
    """
    is_slow = likelihood.is_censored and engine.name == "numpy"
    return InterpolatedCurves(likelihood) if is_slow else AbilityCurves(likelihood)


def _gradient(
    engine: Engine,
    sums: Sequence[EntityCurve],
    slopes: Sequence[Annotated[Array, axes("nodes|1 entities|1")]],
) -> EntityCoordinates:
    return sum(engine.xp.vecdot(s, g.T) for s, g in zip(sums, slopes, strict=True))[:, None]


@dataclass(frozen=True)
class ItemProblem:
    """The problem with items integrated out."""

    marginal: MarginalProblem
    likelihood: Likelihood
    axes: ItemGrid
    standardise: None = None
    """Abilities are parameters, and the population of items fixes their scale."""

    @classmethod
    def build(cls, likelihood: Likelihood, responses: Responses, engine: Engine) -> "ItemProblem":
        """Set the problem up; `likelihood` has the model in its population form."""
        model = likelihood.model
        n_respondents, n_items = responses.shape
        population = Population(item_population(model))
        channels = [None if c is None else c.T for c in likelihood.channels(responses)]
        ends = [prior_range(prior) for prior in population.at(population.start())]
        spacings = first_spacings(n_respondents, len(ends))
        axes = lay_grid(ends, spacings, not likelihood.is_censored)
        grid = axes.grid(likelihood, _held(likelihood))
        population = _visible(population, axes)
        rows = max(64, _BLOCK_BYTES // (8 * grid.points.shape[0]))
        blocks = split_rows(engine, channels, n_items, n_respondents, rows)
        marginal = MarginalProblem(
            engine=engine,
            curves=curves_of_respondents(engine, likelihood),
            held=np.zeros((n_respondents, 0)),
            units=UnitsInMemory(engine, blocks, n_items),
            grid=grid,
            population=population,
            priors=(model.ability_prior,),
            bounds=(_ABILITY_BOUNDS,),
            polynomials=5,
        )
        return cls(marginal, likelihood, axes)

    def start(self, responses: Responses) -> EntityCoordinates:
        """Abilities from mean responses, on an unbounded scale (respondents × 1)."""
        return start_abilities(self.likelihood.model, responses)[:, None]

    def refined(
        self,
        state: State,
        means: Annotated[Array, axes("items coordinates")],
        sds: Annotated[Array, axes("items coordinates")],
    ) -> "ItemProblem | None":
        """Give the problem on a grid that fits the population and posteriors found, if needed.

        Parameters
        ----------
        means, sds : posterior means and standard deviations of the items' coordinates (items ×
            coordinates).
        """
        priors = self.marginal.population.at(state)
        found = list(zip(means.T, sds.T, self.axes.axes, strict=True))
        is_covered = all(map(_covers, self.axes.ends, priors))
        present = [coarseness(*own, own[2]) for own in found]
        if is_covered and max(present) <= _SLACK:
            return None
        ends = [prior_range(prior) for prior in priors]
        pairs = zip(found, ends, strict=True)
        spacings = [fitting_spacing(*own, limits) for own, limits in pairs]
        axes = lay_grid(ends, spacings, not self.likelihood.is_censored)
        if is_covered and not self._gains_by(axes, found, present):
            return None
        grid = axes.grid(self.likelihood, _held(self.likelihood))
        population = _visible(self.marginal.population, axes)
        marginal = replace(self.marginal, grid=grid, population=population)
        return replace(self, marginal=marginal, axes=axes)

    def _gains_by(
        self, axes: ItemGrid, found: list[tuple[PerItem, PerItem, Axis]], present: list[float]
    ) -> bool:
        """Whether items are resolved better on other axes; lattices for interpolation all serve."""
        if isinstance(axes.rule, WithinBox):
            return not isinstance(self.axes.rule, WithinBox)
        triples = zip(axes.axes, found, present, strict=True)
        return any(
            _SLACK * coarseness(means, sds, axis, seen_on) < before
            for axis, (means, sds, seen_on), before in triples
        )


def _covers(ends: Ends, prior: Prior) -> bool:
    """Whether the ends of an axis hold a population, or miss next to nothing of it."""
    low, high = prior_range(prior)
    lost = _LOST_REACH * prior.sd if isinstance(prior, Normal) else 0.5
    return ends[0] - lost <= low and high <= ends[1] + lost


def _visible(population: Population, axes: ItemGrid) -> Population:
    """Keep every spread wide enough for the grid to see it, and above a floor of 0.15."""
    pairs = zip(population.coordinates, axes.least_sds, strict=True)
    return Population(tuple(replace(c, least_sd=max(0.15, float(sd))) for c, sd in pairs))


def _held(likelihood: Likelihood) -> PerParameter:
    specs = likelihood.model.parameters
    return np.array([np.nan_to_num(spec.held(1)[0]) for spec in specs])
