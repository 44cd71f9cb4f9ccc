"""Respondents integrated out, items estimated: the classical marginal likelihood.

Abilities live on a Chebyshev grid that is wide enough for everyone and fine enough for the
steepest item; both are checked against the result and mended, so that the quadrature is exact to
far more digits than the data determine.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from itemcurve.estimation.identification.latent_population import ability_population, has_priors
from itemcurve.estimation.identification.population import Population, penalise
from itemcurve.estimation.marginal.e_step import Expectation
from itemcurve.estimation.marginal.em_newton import Point, Standardise
from itemcurve.estimation.marginal.factored_curves import FactoredCurve
from itemcurve.estimation.marginal.over_respondents.ability_grid import GridPlan, plan_grid
from itemcurve.estimation.marginal.over_respondents.respondent_units import respondent_units
from itemcurve.estimation.marginal.problem import EntitiesAtNodes, MarginalProblem
from itemcurve.models.capabilities import curve_terms
from itemcurve.models.contract import has_free_slope
from itemcurve.models.free_coordinates import coordinates_of, free_cells, held_values, values_at
from itemcurve.models.likelihood import Likelihood, as_points
from itemcurve.models.priors import Normal
from itemcurve.numerics.engine import NUMPY, Array, Engine
from itemcurve.numerics.shapes import (
    EntityCoordinates,
    EntityCurve,
    EntityMatrices,
    EntitySlope,
    ItemCoordinates,
    ItemValues,
    State,
    axes,
)
from itemcurve.responses.matrix import Responses

_HALF_WIDTH = 6.5
# With priors the spread of abilities is free, and often above one.
_OPEN_HALF_WIDTH = 7.5


@dataclass(frozen=True)
class ItemCurves:
    """Curves of items at abilities; `x` are the items' free coordinates."""

    likelihood: Likelihood

    def values(self, engine: Engine, at: EntitiesAtNodes) -> list[EntityCurve]:
        """Curves g_k (items × abilities)."""
        return self.likelihood.curves(engine, at.points, self._values(engine, at))

    def factors(self, engine: Engine, at: EntitiesAtNodes) -> list[FactoredCurve]:
        """Sums of functions of ability, where the model states them."""
        terms = curve_terms(
            self.likelihood.model, engine, as_points(at.points), self._values(engine, at)
        )
        return [] if terms is None else [FactoredCurve(own, terms[0]) for own in terms[1]]

    def slopes(self, engine: Engine, at: EntitiesAtNodes) -> list[list[EntitySlope]]:
        """Derivatives in the items' coordinates."""
        return self.likelihood.item_slopes(engine, at.points, self._values(engine, at))

    def gradient(
        self, engine: Engine, at: EntitiesAtNodes, sums: Sequence[EntityCurve]
    ) -> EntityCoordinates:
        """Score in the items' coordinates."""
        values = self._values(engine, at)
        return self.likelihood.item_gradient(engine, at.points, values, sums)

    def score(
        self, engine: Engine, at: EntitiesAtNodes, sums: Sequence[EntityCurve]
    ) -> tuple[EntityCoordinates, EntityMatrices]:
        """Score and Fisher information in the items' coordinates."""
        return self.likelihood.item_score(engine, at.points, self._values(engine, at), sums)

    def _values(self, engine: Engine, at: EntitiesAtNodes) -> ItemValues:
        return values_at(engine, self.likelihood.model, at.x, at.held)


@dataclass(frozen=True)
class RespondentProblem:
    """The problem with respondents integrated out, and the plan of its grid."""

    marginal: MarginalProblem
    plan: GridPlan
    likelihood: Likelihood
    weights: tuple[float, float]
    """Smallest and largest weight per item of any respondent."""
    bands: tuple[tuple[float, float], ...] = ()
    """The same of each band of respondents, where they come in bands."""

    @classmethod
    def build(
        cls, likelihood: Likelihood, responses: Responses, values: ItemValues, engine: Engine
    ) -> "RespondentProblem":
        """Set the problem up around starting `values` (items × parameters)."""
        model = likelihood.model
        is_open = has_priors(model)
        specs = [likelihood.model.parameters[i] for i in likelihood.free]
        n_items = responses.shape[1]
        weights = _weight_per_item(responses)
        half_width = _OPEN_HALF_WIDTH if is_open else _HALF_WIDTH
        units, bands = respondent_units(likelihood, responses, engine)
        plan = plan_grid(likelihood, values, weights, half_width, 1.0, bands)
        marginal = MarginalProblem(
            engine=engine,
            curves=ItemCurves(likelihood),
            held=held_values(model, values),
            free=free_cells(model, n_items),
            units=units,
            grid=plan.grid(),
            population=Population((ability_population(model, is_open),)),
            priors=tuple(spec.prior for spec in specs),
            bounds=tuple(spec.bounds for spec in specs),
            polynomials=plan.polynomials,
        )
        return cls(marginal, plan, likelihood, weights, bands)

    def values(self, x: ItemCoordinates) -> ItemValues:
        """Item parameters at coordinates `x` (items × parameters)."""
        return values_at(NUMPY, self.likelihood.model, x, self.marginal.held)

    @property
    def standardise(self) -> Standardise | None:
        """How to move along the scale of abilities; None where its origin and unit are fixed."""
        latent = self.likelihood.model.latent
        return self._standardised if latent.shifts or latent.stretches else None

    def _standardised(
        self, x: ItemCoordinates, state: State, expectation: Expectation
    ) -> tuple[ItemCoordinates, State]:
        """Move along the scale of abilities, which the likelihood leaves open.

        Without priors, to where the abilities just found have mean 0 and sd 1 (parameter-expanded
        EM, Liu, Rubin and Wu 1998); with priors, to where the items' prior is highest.
        """
        if has_priors(self.likelihood.model):
            return self._towards_prior(x, state)
        latent = self.likelihood.model.latent
        share = expectation.mass.sum(axis=0) / expectation.mass.sum()
        points = self.marginal.grid.points
        mean = share @ points
        location = mean if latent.shifts else 0.0
        stretches = latent.stretches and not latent.is_sd_free
        scale = np.sqrt(share @ (points - mean) ** 2) if stretches else 1.0
        return self._rescaled(x, state, location, scale)

    def _towards_prior(self, x: ItemCoordinates, state: State) -> tuple[ItemCoordinates, State]:
        """One Newton step of origin and unit on the log priors of items and population."""
        latent = self.likelihood.model.latent
        moves = latent.shifts, latent.stretches and has_free_slope(self.likelihood.model)
        height = self._log_priors(x, state)
        step = _newton_step(
            lambda change: self._log_priors(*self._rescaled(x, state, *change)), np.array(moves)
        )
        for share in (1.0, 0.25):
            moved = self._rescaled(x, state, share * step[0], np.exp(share * step[1]))
            if self._log_priors(*moved) > height:
                return moved
        return x, state

    def _log_priors(self, x: ItemCoordinates, state: State) -> float:
        """What of the objective changes along the scale of abilities."""
        return penalise(self.marginal.priors, x)[0] + self.marginal.population.penalty(state)[0]

    def _rescaled(
        self, x: ItemCoordinates, state: State, location: float, scale: float
    ) -> tuple[ItemCoordinates, State]:
        """Items and population for abilities measured as (θ − location)/scale."""
        moved = self.likelihood.model.rescale(self.values(x), location, scale)
        new_state = self.marginal.population.rescaled(state, location, scale)
        return coordinates_of(self.likelihood.model, moved), new_state

    def refined(self, point: Point) -> "RespondentProblem | None":
        """Give the problem on a better grid, or None when its grid is good enough for a point."""
        ability = self.marginal.population.at(point.state)[0]
        assert isinstance(ability, Normal)
        reach = self._reach(ability, point.expectation)
        values = self.values(point.x)
        needed = plan_grid(self.likelihood, values, self.weights, reach, ability.sd, self.bands)
        if self.plan.suffices_for(needed):
            return None
        marginal = replace(self.marginal, grid=needed.grid(), polynomials=needed.polynomials)
        return replace(self, marginal=marginal, plan=needed)

    def _reach(self, ability: Normal, expectation: Expectation) -> float:
        """Half-width that holds the population and every respondent; the present one if it does."""
        present = self.plan.half_width
        if expectation.extent > 0.85 * present:
            return 1.4 * present
        if abs(ability.mean) + 5.2 * ability.sd <= present:
            return present
        # With something to spare, so that the next small change does not ask for another grid.
        return abs(ability.mean) + 6.0 * ability.sd


def _weight_per_item(responses: Responses) -> tuple[float, float]:
    """Smallest and largest total weight of a respondent's answers, per item of the test."""
    totals = responses.cells.totals(1)[1] / responses.shape[1]
    return float(totals.min()), float(totals.max())


def _newton_step(
    height: Callable[[Array], float], moves: Annotated[Array, axes("2")]
) -> Annotated[Array, axes("2")]:
    """A Newton step from 0 on a function of (location, log scale), by central differences."""
    size = 1e-3

    def at(first: float, second: float) -> float:
        return height(np.array([first, np.exp(second)]))

    centre = at(0, 0)
    up, down, out, back = at(size, 0), at(-size, 0), at(0, size), at(0, -size)
    slope = np.array([up - down, out - back]) / (2 * size)
    bend = np.array([up - 2 * centre + down, out - 2 * centre + back]) / size**2
    # Origin and unit hardly interact under the priors in use: two scalar steps suffice.
    step = np.where(bend < 0, -slope / np.minimum(bend, -1e-12), 0.0)
    return np.clip(step, -1.0, 1.0) * moves
