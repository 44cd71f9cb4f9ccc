"""Moves along the scale of ability, where items can absorb them and the likelihood says nothing."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from itemcurve.estimation.identification.latent_population import has_priors
from itemcurve.estimation.identification.population import Population
from itemcurve.estimation.marginal.problem import EntitiesAtNodes
from itemcurve.models.contract import ItemModel, has_free_slope
from itemcurve.models.free_coordinates import coordinates_of, values_at
from itemcurve.models.priors import Normal
from itemcurve.numerics.engine import Array, Engine
from itemcurve.numerics.shapes import GroupNodes, ItemCoordinates, ItemValues, State, axes

_SIZE = 1e-3


@dataclass(frozen=True)
class AlongScale:
    """Moves items and population to where the origin and unit of ability serve the objective.

    Without priors, to where the abilities just found have mean 0 and sd 1 (parameter-expanded EM,
    Liu, Rubin and Wu 1998); with priors, to where the items' prior is highest.
    """

    model: ItemModel
    population: Population

    def moved(
        self,
        engine: Engine,
        at: EntitiesAtNodes,
        state: State,
        mass: GroupNodes,
        log_prior: Callable[[ItemCoordinates], Any],
    ) -> tuple[ItemCoordinates, State]:
        """Coordinates of items and population on the better scale."""
        if has_priors(self.model):
            return self._towards_prior(engine, at, state, log_prior)
        latent, xp = self.model.latent, engine.xp
        share = mass.sum(axis=0) / mass.sum()
        mean = share @ at.points
        location = mean if latent.shifts else 0.0 * mean
        stretches = latent.stretches and not latent.is_sd_free
        spread = xp.sqrt(share @ (at.points - mean) ** 2)
        return self.rescaled(engine, at, state, location, spread if stretches else 1.0 + 0.0 * mean)

    def rescaled(
        self, engine: Engine, at: EntitiesAtNodes, state: State, location: Any, scale: Any
    ) -> tuple[ItemCoordinates, State]:
        """Items and population for abilities measured as (θ − location)/scale."""
        values = values_at(engine, self.model, at.x, at.held)
        moved = engine.call(self.model.rescale, values, values, location, scale)
        new_state = self.population.rescaled(state, location, scale, engine)
        return coordinates_of(self.model, moved, engine), new_state

    def _towards_prior(
        self,
        engine: Engine,
        at: EntitiesAtNodes,
        state: State,
        log_prior: Callable[[ItemCoordinates], Any],
    ) -> tuple[ItemCoordinates, State]:
        """One Newton step of origin and unit on the log priors of items and population."""
        xp, latent = engine.xp, self.model.latent
        moves = latent.shifts, latent.stretches and has_free_slope(self.model)

        def height(x: ItemCoordinates, state: State) -> Any:
            return log_prior(x) + self.population.penalty(state)[0]

        def there(first: Any, second: Any) -> tuple[ItemCoordinates, State]:
            return self.rescaled(engine, at, state, first, xp.exp(second))

        before, found = height(at.x, state), (at.x, state)
        change = _newton_step(engine, lambda *to: height(*there(*to)), before, np.array(moves))
        for share in (0.25, 1.0):
            moved = there(share * change[0], share * change[1])
            is_higher = height(*moved) > before
            found = (
                xp.where(is_higher, moved[0], found[0]),
                xp.where(is_higher, moved[1], found[1]),
            )
        return found


@dataclass(frozen=True)
class OnReportedScale:
    """Items as they are reported: abilities with mean 0 and sd 1 where items allow it."""

    model: ItemModel
    population: Population

    def values(
        self,
        engine: Engine,
        x: ItemCoordinates,
        state: State,
        given: tuple[ItemValues, Annotated[Array, axes("")]],
    ) -> ItemValues:
        """Item parameters (items × parameters); given is what is held, and the sign of ability."""
        (held, sign), latent = given, self.model.latent
        ability = self.population.priors_at(engine, state)[0]
        assert isinstance(ability, Normal)
        location = ability.mean if latent.shifts else 0.0
        unit = ability.sd if latent.stretches else 1.0
        values = values_at(engine, self.model, x, held)
        moved = engine.call(self.model.rescale, values, values, location, unit)
        return engine.call(self.model.rescale, moved, moved, 0.0, sign)


def _newton_step(
    engine: Engine,
    height: Callable[[Any, Any], Any],
    centre: Any,
    moves: Annotated[Array, axes("2")],
) -> Annotated[Array, axes("2")]:
    """A Newton step from 0 on a function of (location, log scale), by central differences.

    Parameters
    ----------
    centre : the function at 0.
    moves : which of the two may move.
    """
    xp, size = engine.xp, _SIZE
    ends = xp.asarray([[size, 0.0], [-size, 0.0], [0.0, size], [0.0, -size]])
    up, down, out, back = (height(*end) for end in ends)
    slope = xp.stack([up - down, out - back]) / (2 * size)
    bend = xp.stack([up - 2 * centre + down, out - 2 * centre + back]) / size**2
    # Origin and unit hardly interact under the priors in use: two scalar steps suffice.
    step = xp.where(bend < 0, -slope / xp.minimum(bend, -1e-12), 0.0)
    return xp.clip(step, -1.0, 1.0) * moves
