"""Slopes of the lower bound at one draw of everything, by the reparametrisation trick.

Every cell has a draw of its own of its respondent's ability and of all parameters of its item but
the discrimination, of which an item has one draw: so the published code of β³ draws. To the
likelihood a cell is an item with one respondent.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import numpy as np

from itemcurve.models.free_coordinates import values_at
from itemcurve.models.likelihood import Likelihood
from itemcurve.models.parameters import Role
from itemcurve.models.priors import Prior, on_coordinate
from itemcurve.numerics.engine import Array, Engine, as_dense
from itemcurve.numerics.shapes import (
    ItemCoordinates,
    ItemsByRespondents,
    ItemValues,
    PerItem,
    PerRespondent,
    axes,
)
from itemcurve.responses.matrix import Responses

CellCoordinates = Annotated[Array, axes("items respondents free")]


class CellData(NamedTuple):
    """The responses, and what priors count for beside them.

    Attributes
    ----------
    held : values of parameters that are not estimated (cells × parameters).
    channels : of the responses (cells × 1 each), zero where there is none.
    ability_weight, item_weight : of the prior at the draw of a cell, of its respondent's ability
        and of its item's parameters.
    slope_weight : of the prior at the one draw that a discrimination has.
    total : responses in all, by which everything is divided.
    """

    held: Annotated[Array, axes("cells parameters")]
    channels: Sequence[Annotated[Array, axes("cells 1")]]
    ability_weight: ItemsByRespondents
    item_weight: ItemsByRespondents
    slope_weight: PerItem
    total: float


class Noise(NamedTuple):
    """Standard normal numbers behind one draw."""

    abilities: ItemsByRespondents
    items: CellCoordinates
    slopes: ItemCoordinates


class NoiseOfSteps(NamedTuple):
    """The same of several steps."""

    abilities: Annotated[Array, axes("steps items respondents")]
    items: Annotated[Array, axes("steps items respondents free")]
    slopes: Annotated[Array, axes("steps items free")]

    def at(self, step: Any) -> Noise:
        """Give the noise of one step."""
        return Noise(*(part[step] for part in self))


class Places(NamedTuple):
    """Where posteriors are, and how wide before softplus; or slopes in these."""

    t: PerRespondent
    t_width: PerRespondent
    x: ItemCoordinates
    x_width: ItemCoordinates


@dataclass(frozen=True)
class DrawnBound:
    """What is differentiated: the likelihood, and the priors of abilities and free parameters."""

    likelihood: Likelihood
    ability_prior: Prior
    priors: tuple[Prior, ...]

    @property
    def is_slope(self) -> tuple[bool, ...]:
        """Which free parameters are discriminations."""
        model = self.likelihood.model
        return tuple(model.parameters[i].role is Role.SLOPE for i in self.likelihood.free)

    def slopes(self, engine: Engine, data: CellData, at: Places, noise: Noise) -> Places:
        """Slopes of the mean over responses, in all that describes the posteriors."""
        is_slope = np.array(self.is_slope)
        t_sd, x_sd = softplus(engine, at.t_width), softplus(engine, at.x_width)
        spread = engine.xp.where(is_slope, noise.slopes[:, None, :], noise.items)
        t = at.t + t_sd * noise.abilities
        x = at.x[:, None, :] + x_sd[:, None, :] * spread
        at_t, at_x = self._responses(engine, data, t, x)
        at_t = at_t + data.ability_weight * on_coordinate(self.ability_prior).slope(engine, t)
        # The prior of a discrimination has one draw an item, shared out among its cells.
        share = data.slope_weight[:, None] / t.shape[1]
        pulls = [
            (share if own else data.item_weight) * on_coordinate(prior).slope(engine, x[..., k])
            for k, (prior, own) in enumerate(zip(self.priors, self.is_slope, strict=True))
        ]
        at_x = at_x + engine.xp.stack(pulls, axis=2)
        weight = engine.xp.where(
            is_slope, data.slope_weight[:, None], data.item_weight.sum(axis=1)[:, None]
        )
        tilt_t, tilt_x = (at_t * noise.abilities).sum(axis=0), (at_x * spread).sum(axis=1)
        by_t = (tilt_t + data.ability_weight.sum(axis=0) / t_sd) * _expit(engine, at.t_width)
        by_x = (tilt_x + weight / x_sd) * _expit(engine, at.x_width)
        found = at_t.sum(axis=0), by_t, at_x.sum(axis=1), by_x
        return Places(*(part / data.total for part in found))

    def _responses(
        self, engine: Engine, data: CellData, t: ItemsByRespondents, x: CellCoordinates
    ) -> tuple[ItemsByRespondents, CellCoordinates]:
        """Scores of the responses in ability and in the free parameters."""
        coordinates = x.reshape(-1, x.shape[2])
        values = values_at(engine, self.likelihood.model, coordinates, data.held)
        cells = self.likelihood.cells(engine, t.reshape(-1, 1, 1), values, data.channels, 1)
        at_t, *at_x = (score.reshape(t.shape) for score in cells.scores)
        return at_t, engine.xp.stack(at_x, axis=2)


def gather_cells(
    likelihood: Likelihood, responses: Responses, held: ItemValues, are_means: bool
) -> CellData:
    """Lay the responses out cell by cell.

    Parameters
    ----------
    held : values of parameters that are not estimated (items × parameters).
    are_means : whether each divergence is a mean over draws, next to the mean log-likelihood, as
        in the published code; else divergences count for what they do in the lower bound.
    """
    weight = responses.weight()
    counts = np.ones(responses.shape) if weight is None else np.asarray(as_dense(weight))
    is_seen = (counts.T > 0).astype(float)
    total = float(is_seen.sum())
    channels = [
        np.ascontiguousarray((counts if c is None else as_dense(c)).T, dtype=float).reshape(-1, 1)
        for c in likelihood.channels(responses)
    ]
    n_items, n_respondents = is_seen.shape
    per_item, per_respondent = is_seen.sum(axis=1, keepdims=True), is_seen.sum(axis=0)
    return CellData(
        np.repeat(held, n_respondents, axis=0),
        channels,
        is_seen if are_means else is_seen / per_respondent,
        is_seen if are_means else is_seen / per_item,
        np.full(n_items, total / n_items if are_means else 1.0),
        total,
    )


def draw_noise(rng: np.random.Generator, steps: int, shape: tuple[int, int, int]) -> NoiseOfSteps:
    """Draw the noise of several steps; `shape`: items, respondents, free parameters."""
    items, respondents, free = shape
    return NoiseOfSteps(
        rng.standard_normal((steps, items, respondents)),
        rng.standard_normal((steps, items, respondents, free)),
        rng.standard_normal((steps, items, free)),
    )


def softplus(engine: Engine, width: Array) -> Array:
    """log(1 + eʷ): the standard deviation that a width w, any number, stands for."""
    found: Array = engine.xp.logaddexp(0.0, width)
    return found


def _expit(engine: Engine, width: Array) -> Array:
    """The derivative of `softplus`."""
    found: Array = engine.special.expit(width)
    return found
