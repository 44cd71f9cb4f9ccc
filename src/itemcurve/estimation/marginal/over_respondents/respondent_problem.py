"""Respondents integrated out, items estimated: the classical marginal likelihood.

Abilities live on a Chebyshev grid that is wide enough for everyone and fine enough for the
steepest item; both are checked against the result and mended, so that the quadrature is exact to
far more digits than the data determine.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from itemcurve.estimation.identification.latent_population import ability_population, has_priors
from itemcurve.estimation.identification.population import Population
from itemcurve.estimation.marginal.e_step import Expectation
from itemcurve.estimation.marginal.em_newton import Point
from itemcurve.estimation.marginal.factored_curves import FactoredCurve
from itemcurve.estimation.marginal.over_respondents.ability_grid import GridPlan, plan_grid
from itemcurve.estimation.marginal.over_respondents.respondent_units import respondent_units
from itemcurve.estimation.marginal.over_respondents.scale_moves import AlongScale
from itemcurve.estimation.marginal.problem import EntitiesAtNodes, MarginalProblem
from itemcurve.models.capabilities import curve_terms
from itemcurve.models.free_coordinates import (
    coordinates_of,
    free_cells,
    held_values,
    values_at,
)
from itemcurve.models.likelihood import Likelihood, as_points
from itemcurve.models.priors import Normal, Prior
from itemcurve.numerics.engine import NUMPY, Engine
from itemcurve.numerics.shapes import (
    EntityCoordinates,
    EntityCurve,
    EntityMatrices,
    EntitySlope,
    ItemCoordinates,
    ItemValues,
    State,
)
from itemcurve.responses.matrix import Responses

_ENOUGH_ITEMS = 4000
# From so many units on, products with sparse blocks take longer than to find what makes up curves.
_MANY_UNITS = 20_000
_HALF_WIDTH = 6.5
# Starting values rather tell too small a spread.
_LEAST_HALF_WIDTH = 5.0
# With priors the spread of abilities is free, and often above one.
_OPEN_HALF_WIDTH = 7.5
# In standard deviations: who lies beyond is seen by where the grid ends.
_WIDEST = 8.0
_SPARE_REACH = 6.0
# Grids are left wider by so much: the next change of unit may be back.
_SPARE = 1.05


@dataclass(frozen=True)
class ItemCurves:
    """Curves of items at abilities; `x` are the items' free coordinates."""

    likelihood: Likelihood
    is_linear: bool = False
    """Whether natural parameters are linear in the coordinates."""
    is_compressed: bool = False
    """Whether steps take curves that are no sums of few functions for such, to seven digits."""

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
        engine = engine.shared(responses.shape[0] * n_items)
        units, bands = respondent_units(likelihood, responses, engine)
        sample = values[_some(n_items)]
        plan = plan_grid(likelihood, sample, n_items, weights, half_width, 1.0, bands)
        held = held_values(model, values)
        marginal = MarginalProblem(
            engine=engine,
            curves=ItemCurves(
                likelihood,
                _is_linear(likelihood, sample),
                units.is_sparse and not engine.compiles and units.count >= _MANY_UNITS,
            ),
            held=held,
            held_there=engine.place(held) if engine.compiles else None,
            free=free_cells(model, n_items),
            units=units,
            grid=plan.grid(),
            population=Population((ability_population(model, is_open),)),
            priors=tuple(spec.prior for spec in specs),
            bounds=tuple(spec.bounds for spec in specs),
            polynomials=plan.polynomials,
            common=tuple(k for k, spec in enumerate(specs) if spec.is_common),
        )
        return cls(marginal, plan, likelihood, weights, bands)

    def with_items(
        self, priors: tuple[Prior | None, ...], pull: ItemCoordinates | None
    ) -> "RespondentProblem":
        """The same problem with other priors of the items, and another pull on them."""
        return replace(self, marginal=replace(self.marginal, priors=priors, pull=pull))

    def in_unit(self, factor: float, state: State) -> "RespondentProblem":
        """The same problem on the grid of abilities that are multiplied by a factor.

        Parameters
        ----------
        state : of the population then. Factors of many rounds must not add up beyond its needs.
        """
        ability = self.marginal.population.at(state)[0]
        assert isinstance(ability, Normal)
        most = max(_OPEN_HALF_WIDTH, abs(ability.mean) + _WIDEST * ability.sd)
        wanted = self.plan.half_width * factor
        plan = replace(self.plan, half_width=wanted if wanted < _SPARE * most else most)
        return replace(self, marginal=replace(self.marginal, grid=plan.grid()), plan=plan)

    def rescaled(
        self, x: ItemCoordinates, state: State, location: float, scale: float
    ) -> tuple[ItemCoordinates, State]:
        """Items and population for abilities measured as (θ − location)/scale."""
        marginal = self.marginal
        move = AlongScale(self.likelihood.model, marginal.population)
        engine = marginal.engine_of_all
        if not engine.compiles:
            at = EntitiesAtNodes(x, marginal.held, marginal.grid.points)
            return move.rescaled(NUMPY, at, state, location, scale)
        run = engine.compile(_rescaled, static=("engine", "move"))
        given = engine.place_all(tuple(map(np.asarray, (state, location, scale))))
        found, new_state = run(engine, move, marginal.at_nodes(x), *given)
        return np.asarray(found), np.asarray(new_state)

    def values(self, x: ItemCoordinates) -> ItemValues:
        """Item parameters at coordinates `x` (items × parameters)."""
        return values_at(NUMPY, self.likelihood.model, x, self.marginal.held)

    @property
    def standardise(self) -> AlongScale | None:
        """How to move along the scale of abilities; None where its origin and unit are fixed."""
        model = self.likelihood.model
        if not (model.latent.shifts or model.latent.stretches):
            return None
        return AlongScale(model, self.marginal.population)

    def refined(self, point: Point) -> "RespondentProblem | None":
        """Give the problem on a better grid, or None when its grid is good enough for a point."""
        ability = self.marginal.population.at(point.state)[0]
        assert isinstance(ability, Normal)
        reach = self._reach(ability, point.expectation)
        needed = self._planned(point.x, reach, ability.sd)
        return None if self.plan.suffices_for(needed) else self._on(needed)

    def around(self, x: ItemCoordinates, state: State) -> "RespondentProblem":
        """The problem on a grid for items at `x` and a population that is known about."""
        ability = self.marginal.population.at(state)[0]
        assert isinstance(ability, Normal)
        reach = max(_LEAST_HALF_WIDTH, abs(ability.mean) + _SPARE_REACH * ability.sd)
        return self._on(self._planned(x, reach, ability.sd))

    def _planned(self, x: ItemCoordinates, reach: float, sd: float) -> GridPlan:
        n_items, held = len(x), self.marginal.held
        some = _some(n_items)
        values = values_at(NUMPY, self.likelihood.model, x[some], held[some])
        return plan_grid(self.likelihood, values, n_items, self.weights, reach, sd, self.bands)

    def _on(self, plan: GridPlan) -> "RespondentProblem":
        marginal = replace(self.marginal, grid=plan.grid(), polynomials=plan.polynomials)
        return replace(self, marginal=marginal, plan=plan)

    def _reach(self, ability: Normal, expectation: Expectation) -> float:
        """Half-width that holds the population and every respondent; the present one if it does."""
        present = self.plan.half_width
        if expectation.extent > 0.85 * present:
            return 1.4 * present
        if abs(ability.mean) + 5.2 * ability.sd <= present:
            return present
        # With something to spare, so that the next small change does not ask for another grid.
        return abs(ability.mean) + _SPARE_REACH * ability.sd


def _some(n_items: int) -> slice:
    """A few thousand items, evenly spaced: they tell how much a hundred thousand do."""
    return slice(None, None, -(-n_items // _ENOUGH_ITEMS))


def _rescaled(
    engine: Engine,
    move: AlongScale,
    at: EntitiesAtNodes,
    state: State,
    location: float,
    scale: float,
) -> tuple[ItemCoordinates, State]:
    return move.rescaled(engine, at, state, location, scale)


def _weight_per_item(responses: Responses) -> tuple[float, float]:
    """Smallest and largest total weight of a respondent's answers, per item of the test."""
    totals = responses.cells.totals(1)[1] / responses.shape[1]
    return float(totals.min()), float(totals.max())


def _is_linear(likelihood: Likelihood, values: ItemValues) -> bool:
    """Whether natural parameters are linear in the items' coordinates: seen by second differences.

    Uneven steps of all coordinates at once leave no second derivative unseen.
    """
    model, free = likelihood.model, likelihood.free
    x, held = coordinates_of(model, values), held_values(model, values)
    step = 0.1 + 0.05 * np.sin(1.0 + np.arange(x.size).reshape(x.shape))
    points, found = np.array([[-1.0], [0.5]]), []
    for place in (x - step, x, x + step):
        terms = curve_terms(model, NUMPY, points, values_at(NUMPY, model, place, held))
        if terms is None or not free or likelihood.is_censored:
            return False
        found.append(terms[1])
    return all(
        np.allclose(below + above, 2 * here, rtol=1e-10, atol=1e-10)
        for below, here, above in zip(*found, strict=True)
    )
