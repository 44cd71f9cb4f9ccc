"""What the responses alone say of slope and difficulty of each item, priors taken out.

Around the reported items the log-likelihood is expanded once, abilities integrated out; whatever
else an item has (asymptotes, thresholds, noise) is integrated out with its prior.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from itemcurve.errors import ModelError
from itemcurve.estimation.dimensions.item_prior import normal_near
from itemcurve.estimation.marginal.em_newton import evaluate
from itemcurve.estimation.marginal.over_respondents.difficulty_posteriors import LinearItems
from itemcurve.estimation.marginal.over_respondents.item_likelihoods import (
    ItemLikelihoods,
)
from itemcurve.estimation.marginal.over_respondents.item_population import (
    ItemPopulation,
)
from itemcurve.estimation.marginal.over_respondents.reported_problem import reported_problem
from itemcurve.estimation.result import FitResult
from itemcurve.models.contract import ItemModel
from itemcurve.models.mixed import MixedModel
from itemcurve.models.parameters import Role
from itemcurve.numerics.engine import NUMPY, Array

# Slopes that are the same for all items, or held, count as known to so much.
_KNOWN = 1e8
# Of an item that is flatter, the difficulty says nothing of the intercept.
_FLAT = 0.05
_LEAST, _LEAST_KNOWN = 1e-12, 1.0 / 9.0


def difficulty_likelihoods(fit: FitResult) -> LinearItems:
    """Normal likelihoods of slope and intercept of each item, in reported units."""
    places = _places(fit.estimates.model)
    marginal, x, state = reported_problem(fit)
    marginal = replace(marginal, priors=(None,) * len(marginal.priors))
    point = evaluate(marginal, x, state)
    count = x.shape[1]
    nothing = ItemPopulation(
        (None,) * count, np.zeros(count), np.ones(count), None, tuple(range(count))
    )
    found = ItemLikelihoods.around(marginal, point, nothing)
    return _in_reported_units(fit, places, found, x)


def _places(model: ItemModel) -> tuple[int | None, int]:
    """Places of slope and intercept (or difficulty) among the free coordinates."""
    free = [spec for spec in model.parameters if spec.is_free]
    origins = [k for k, s in enumerate(free) if s.role in (Role.INTERCEPT, Role.LOCATION)]
    slopes = [k for k, s in enumerate(free) if s.role is Role.SLOPE and not s.is_common]
    is_plain = not isinstance(model, MixedModel) and not model.latent.is_logit
    if not is_plain or len(origins) != 1 or len(slopes) > 1 or free[origins[0]].is_mixed:
        raise ModelError(
            "Difficulty is explained in models that have one for each item, a·(ability − b).",
            f"{model.name} has none of that form.",
            "Use rasch, 1pl, 2pl, 3pl, grm, gpcm, sequential, fractional-2pl or logit-normal.",
        )
    return (slopes[0] if slopes else None), origins[0]


class _Expansion(NamedTuple):
    """A log-likelihood around a point: its gradient there and minus its curvature (items each)."""

    at: Array
    gradient: Array
    information: Array


def _in_reported_units(
    fit: FitResult, places: tuple[int | None, int], found: ItemLikelihoods, x: Array
) -> LinearItems:
    model, values = fit.estimates.model, fit.estimates.values
    free = [k for k, spec in enumerate(model.parameters) if spec.is_free]
    kept = [place for place in places if place is not None]
    shown = values[:, [free[k] for k in kept]]
    units = [model.parameters[free[k]].transform for k in kept]
    stretch = np.stack([u.slope(NUMPY, v) for u, v in zip(units, shown.T, strict=True)], axis=1)
    gradient, information = _without_others(model, kept, found, x)
    information = information / (stretch[:, :, None] * stretch[:, None, :])
    own = _Expansion(shown, gradient / stretch, information)
    if places[0] is None:
        own = _with_known_slope(own, _slopes(model, values))
    if model.parameters[free[places[1]]].role is Role.LOCATION:
        own = _by_intercept(own)
    at, known = own.at, own.information
    push = np.einsum("jkl,jl->jk", known, at) + own.gradient
    width = 1.0 / np.sqrt(np.maximum(known[:, 0, 0], _LEAST_KNOWN))
    parts = known[:, 0, 0], known[:, 0, 1], np.maximum(known[:, 1, 1], _LEAST)
    return LinearItems(parts, (push[:, 0], push[:, 1]), (at[:, 0], width))


def _without_others(
    model: ItemModel, kept: list[int], found: ItemLikelihoods, x: Array
) -> tuple[Array, Array]:
    """Gradient and information of these coordinates, others integrated out with their priors."""
    free = [spec for spec in model.parameters if spec.is_free]
    others = [k for k in range(len(free)) if k not in kept and not free[k].is_common]
    slope = found.push - np.einsum("jkl,jl->jk", found.information, x)
    if not others:
        return slope[:, kept], found.information[:, kept][:, :, kept]
    normals = np.array([normal_near(free[k].prior) for k in others])
    inner = found.information[:, others][:, :, others]
    inner = inner + np.eye(len(others)) * np.maximum(normals[:, 1], _LEAST)
    pull = slope[:, others] - (x[:, others] - normals[:, 0]) * normals[:, 1]
    crossed = found.information[:, kept][:, :, others]
    moved = np.linalg.solve(inner, crossed.transpose(0, 2, 1)).transpose(0, 2, 1)
    information = found.information[:, kept][:, :, kept] - moved @ crossed.transpose(0, 2, 1)
    return slope[:, kept] - np.einsum("jko,jo->jk", moved, pull), information


def _slopes(model: ItemModel, values: Array) -> Array:
    """Slopes that all items share, or that are held."""
    own = [k for k, spec in enumerate(model.parameters) if spec.role is Role.SLOPE]
    return values[:, own[0]] if own else np.ones(len(values))


def _with_known_slope(own: _Expansion, slopes: Array) -> _Expansion:
    known = np.zeros((len(slopes), 2, 2))
    known[:, 0, 0], known[:, 1, 1] = _KNOWN, own.information[:, 0, 0]
    at = np.column_stack([slopes, own.at[:, 0]])
    return _Expansion(at, np.column_stack([0.0 * slopes, own.gradient[:, 0]]), known)


def _by_intercept(own: _Expansion) -> _Expansion:
    """The same of slope and intercept e = −ab, in place of slope and difficulty b."""
    slope, difficulty = own.at.T
    safe = np.where(np.abs(slope) < _FLAT, np.where(slope < 0, -_FLAT, _FLAT), slope)
    change = np.zeros((len(slope), 2, 2))
    change[:, 0, 0], change[:, 1, 0], change[:, 1, 1] = 1.0, -difficulty / safe, -1.0 / safe
    turned = change.transpose(0, 2, 1)
    at = np.column_stack([slope, -slope * difficulty])
    gradient = np.einsum("jkl,jl->jk", turned, own.gradient)
    return _Expansion(at, gradient, turned @ own.information @ change)
