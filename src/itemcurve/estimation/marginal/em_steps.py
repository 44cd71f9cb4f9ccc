"""A whole step of EM as one function of arrays, which an engine can compile.

A look at a point integrates the units out there, says how high it lies and how far from the
maximum, and where to look next: the maximisation step of every entity, moved along the scale of
ability and mixed with the steps before. Of a look only a handful of numbers are read; all arrays
stay where the engine computes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

import numpy as np

from itemcurve.estimation.identification.population import Population
from itemcurve.estimation.marginal.e_step import (
    Expectation,
    GridArrays,
    expect_block,
    expected,
    merged,
)
from itemcurve.estimation.marginal.factored_curves import StepCurve
from itemcurve.estimation.marginal.m_step import moved_along, scores_of
from itemcurve.estimation.marginal.problem import (
    Curves,
    EntitiesAtNodes,
    MarginalProblem,
    Restraints,
)
from itemcurve.estimation.marginal.shared_coordinates import joint_direction
from itemcurve.estimation.marginal.units import Layout, Step, fits_one_program, layout_of
from itemcurve.estimation.optimisation.entity_steps import scoring_direction
from itemcurve.estimation.status import FitStatus
from itemcurve.models.priors import Kind
from itemcurve.numerics.acceleration import Trail
from itemcurve.numerics.engine import NUMPY, Array, Engine
from itemcurve.numerics.integration import ByBand, Rule
from itemcurve.numerics.shapes import (
    EntityCoordinates,
    EntityCurve,
    EntityHeld,
    GroupNodes,
    PopulationNodes,
    State,
)

_NEAR = 0.25


class ScaleMove(Protocol):
    """Moves along a scale of the latent value that the likelihood leaves open; hashable."""

    def moved(
        self,
        engine: Engine,
        at: EntitiesAtNodes,
        state: State,
        mass: GroupNodes,
        log_prior: Callable[[EntityCoordinates], Array],
    ) -> tuple[EntityCoordinates, State]:
        """Coordinates and state on a better scale, given the expected units at the nodes."""


class Plan(NamedTuple):
    """What compiled code must know that is no array."""

    curves: Curves
    kinds: tuple[Kind, ...]
    population: Population
    rule: Rule | ByBand
    scale: ScaleMove | None
    layout: Layout
    is_mixed: bool
    common: tuple[int, ...] = ()


class Given(NamedTuple):
    """The arrays that no step changes."""

    units: Any
    held: EntityHeld
    restraints: Restraints
    grid: GridArrays
    nodes: PopulationNodes


Place = tuple[EntityCoordinates, State]
"""Coordinates of the entities and state of the population."""


class Onward(NamedTuple):
    """Where a search goes from a point. Arrays are those of the engine.

    Attributes
    ----------
    decrement : what the step promises by the gradient of the objective, and at least what a move of
        the population's state is worth.
    move : largest change of any coordinate or part of the state.
    plain, bold : where to look next: by the step itself, and moved along the scale and mixed.
    trail : what mixing remembers after it.
    """

    decrement: Array
    move: Array
    plain: Place
    bold: Place
    trail: Trail


@dataclass(frozen=True)
class Look:
    """What was seen at a point. Arrays are those of the engine.

    Attributes
    ----------
    place : where it was.
    sums, mass, extent, log_likelihood : as of `Expectation`.
    onward : where the search goes.
    """

    place: Place
    objective: float
    log_likelihood: float
    extent: float
    decrement: float
    sums: list[EntityCurve]
    mass: GroupNodes
    onward: Onward


class Looker:
    """Looks at points of one problem: places what does not change once."""

    def __init__(
        self, problem: MarginalProblem, scale: ScaleMove | None, *, is_mixed: bool
    ) -> None:
        # A population whose update is a search of its own is known to NumPy alone.
        if not problem.population.is_plain and problem.engine.compiles:
            problem = replace(problem, engine=NUMPY, held_there=None)
        engine, grid, (layout, units) = problem.engine, problem.grid, layout_of(problem.units)
        self._engine = engine
        self._plan = Plan(
            problem.curves,
            problem.prior_kinds,
            problem.population,
            grid.rule,
            scale,
            layout,
            is_mixed,
            problem.common,
        )
        self._given = Given(
            units,
            problem.placed_held,
            problem.restraints,
            GridArrays.of(engine, grid),
            engine.place(grid.coordinates),
        )

    def at(self, x: EntityCoordinates, state: State, trail: Trail | None = None) -> Look:
        """Look at a point, in one program; `trail` is what mixing remembers."""
        engine = self._engine
        place = engine.place(x), engine.place(state)
        run = engine.compile(look, static=("engine", "plan"))
        trail = trail or Trail.empty(engine, x.size + len(state))
        numbers, *arrays = run(engine, self._plan, self._given, *place, trail)
        # The one thing that leaves the device.
        height, log_likelihood, extent, decrement = map(float, np.asarray(numbers))
        return Look(place, height, log_likelihood, extent, decrement, *arrays)

    def onward(
        self,
        x: EntityCoordinates,
        state: State,
        expectation: Expectation,
        trail: Trail | None = None,
    ) -> Onward:
        """Where the search goes from a point that was seen before."""
        engine = self._engine
        place = engine.place
        run = engine.compile(onward_from, static=("engine", "plan"))
        trail = trail or Trail.empty(engine, x.size + len(state))
        sums = [place(own) for own in expectation.sums]
        seen = place(x), place(state), trail, sums, place(expectation.mass)
        found: Onward = run(engine, self._plan, self._given, *seen)
        return found


def look(
    engine: Engine, plan: Plan, given: Given, x: EntityCoordinates, state: State, trail: Trail
) -> tuple[Array, list[EntityCurve], GroupNodes, Onward]:
    """What is seen at a point: its numbers in one array, then the arrays of a `Look`."""
    population, restraints = plan.population, given.restraints
    at = EntitiesAtNodes(x, given.held, given.grid.points)
    log_density = population.log_density(state, given.nodes, engine)
    step = Step(expect_block, plan.rule, merged)

    def total(curves: list[StepCurve]) -> Any:
        return plan.layout.total(engine, given.units, step, curves, log_density, given.grid)

    log_likelihood, sums, mass, extent = expected(engine, plan.curves, at, total)
    height = restraints.heights(engine, plan.kinds, x).sum()
    objective = log_likelihood + height + population.penalty(state)[0]
    onward = onward_from(engine, plan, given, x, state, trail, sums, mass)
    numbers = engine.xp.stack([objective, log_likelihood, extent, onward.decrement])
    return numbers, sums, mass, onward


def onward_from(
    engine: Engine,
    plan: Plan,
    given: Given,
    x: EntityCoordinates,
    state: State,
    trail: Trail,
    sums: Sequence[EntityCurve],
    mass: GroupNodes,
) -> Onward:
    """Where the search goes from a point at which the units were integrated out."""
    xp, restraints = engine.xp, given.restraints
    at = EntitiesAtNodes(x, given.held, given.grid.points)
    proposal, new_state, decrement = _maximised(engine, plan, given, at, state, sums, mass)
    move = xp.maximum(xp.abs(proposal - x).max(), xp.abs(new_state - state).max(initial=0.0))
    bold = proposal, new_state
    if plan.scale is not None:

        def log_prior(x: EntityCoordinates) -> Array:
            return restraints.heights(engine, plan.kinds, x).sum()

        there = at._replace(x=proposal)
        bold = plan.scale.moved(engine, there, new_state, mass, log_prior)
    if plan.is_mixed:
        # Steps from far away say little about those close to the maximum.
        trail = trail._replace(used=xp.where(move < _NEAR, trail.used, 0))
        bold, trail = _mixed(engine, plan.population, (x, state), bold, trail)
    bold = xp.clip(bold[0], restraints.lower, restraints.upper), bold[1]
    return Onward(decrement, move, (proposal, new_state), bold, trail)


def _maximised(
    engine: Engine,
    plan: Plan,
    given: Given,
    at: EntitiesAtNodes,
    state: State,
    sums: Sequence[EntityCurve],
    mass: GroupNodes,
) -> tuple[EntityCoordinates, State, Array]:
    """The maximisation step: entities, population, and what they promise."""
    xp, population = engine.xp, plan.population

    def stepped(rows: slice) -> tuple[EntityCoordinates, EntityCoordinates, EntityCoordinates]:
        own = given.restraints.of_rows(rows), at.of_rows(rows), [each[rows] for each in sums]
        gradient, information = scores_of(engine, plan.curves, plan.kinds, *own)
        if plan.common:
            direction = joint_direction(engine, gradient, information, plan.common)
        else:
            direction = scoring_direction(gradient, information, engine)
        ahead = direction, bool(plan.common)
        proposal = moved_along(engine, plan.curves, plan.kinds, *own, *ahead)
        return gradient, direction, proposal

    rows = at.x.shape[0]
    # What all have in common is found from all at once.
    at_once = rows if plan.common else at.at_once
    gradient, direction, proposal = engine.by_rows(stepped, rows, at_once)
    updated = population.updated(state, given.nodes, mass, engine)
    slope = population.gradient(state, given.nodes, mass, engine) + population.penalty(state)[1]
    change = updated - state
    worth = mass.sum() * xp.abs(change).max(initial=0.0) ** 2
    decrement = (gradient * direction).sum() + xp.maximum(xp.abs(slope @ change), worth)
    return proposal, updated, decrement


def _mixed(
    engine: Engine, population: Population, place: Place, image: Place, trail: Trail
) -> tuple[Place, Trail]:
    """The next point by the last few, with what is remembered then."""
    xp = engine.xp
    before, after = (xp.concatenate([x.ravel(), state]) for x, state in (place, image))
    found, trail = trail.mixed(engine, before, after)
    x = image[0]
    new_state = xp.clip(found[x.size :], *population.bounds())
    return (found[: x.size].reshape(x.shape), new_state), trail


def is_one_program(problem: MarginalProblem) -> bool:
    """Whether a whole step of this problem can be one program of its engine."""
    return problem.population.is_plain and fits_one_program(problem.units, problem.engine)


class WholeSteps:
    """EM accelerated by Anderson mixing; one look at each point."""

    def __init__(self, problem: MarginalProblem, scale: ScaleMove | None, tolerance: float) -> None:
        self._looker = Looker(problem, scale, is_mixed=True)
        self._bounds = np.transpose(problem.bounds)
        self._tolerance = tolerance

    def at(self, x: EntityCoordinates, state: State) -> Look:
        """Look at coordinates within their bounds."""
        return self._looker.at(np.clip(x, *self._bounds), state)

    def seen(
        self, x: EntityCoordinates, state: State, expectation: Expectation, objective: float
    ) -> Look:
        """What a look would see where the units were integrated out before."""
        onward, known = self._looker.onward(x, state, expectation), expectation
        found = objective, known.log_likelihood, known.extent, float(onward.decrement)
        return Look((x, state), *found, known.sums, known.mass, onward)

    def coordinates(self, look: Look) -> Place:
        """Entities and population."""
        return look.place

    def objective(self, look: Look) -> float:
        """The penalised marginal log-likelihood."""
        return look.objective

    def step(self, look: Look) -> tuple[Look, FitStatus | None]:
        """The bold step if it helps, else the plain one, after which mixing begins anew."""
        if look.decrement <= self._tolerance:
            return look, FitStatus.CONVERGED
        found = self._looker.at(*look.onward.bold, look.onward.trail)
        if found.objective < look.objective:
            found = self._looker.at(*look.onward.plain)
        return found, None
