"""Fit a model of several abilities: posteriors of both sides first, maximum likelihood if asked."""

import time
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from itemcurve.errors import ModelError
from itemcurve.estimation.dimensions.adaptive_nodes import Nodes
from itemcurve.estimation.dimensions.bifactor_surface import BifactorSurface
from itemcurve.estimation.dimensions.composite_cells import CompositeCells
from itemcurve.estimation.dimensions.dimensions_fit import DimensionsFit
from itemcurve.estimation.dimensions.item_prior import first_prior
from itemcurve.estimation.dimensions.joint_spread import Spread, find_spread
from itemcurve.estimation.dimensions.loading_pattern import (
    Dimensions,
    LoadingPattern,
    read_pattern,
)
from itemcurve.estimation.dimensions.marginal_surface import MarginalSurface
from itemcurve.estimation.dimensions.maximum_likelihood import MOST_CELLS, Ascent, Place, scale_of
from itemcurve.estimation.dimensions.normal_sides import Normals
from itemcurve.estimation.dimensions.observed_information import observed_information
from itemcurve.estimation.dimensions.reported_axes import Reported, report_axes
from itemcurve.estimation.dimensions.rotation import Rotation, check_rotation
from itemcurve.estimation.dimensions.starting_loadings import start_items
from itemcurve.estimation.dimensions.variational_climb import Climb, Standing
from itemcurve.estimation.optimisation.iterate import Optimum, Watch, iterate
from itemcurve.estimation.status import FitStatus
from itemcurve.models.contract import ItemModel
from itemcurve.numerics.engine import Array
from itemcurve.responses.matrix import Responses

# In standard errors.
_TOLERANCE, _START_TOLERANCE = 0.02, 0.05
_MOST_TURNS, _MOST_ROUNDS = 500, 40
_LARGEST_EXACT = 3
_FIRST_NODES = {1: 15, 2: 9, 3: 7}
_BIFACTOR_NODES = 15
# Cells × nodes for the log-likelihood of a fit that was found without it, and nodes at most.
_CELLS_TO_READ = 6_000_000
_MOST_NODES, _LEAST_DRAWS, _MOST_DRAWS = 9, 8, 200
_LEAST_CURVATURE = 1e-6
POSTERIORS = "lower bound of the log evidence, items in their estimated population"
LIKELIHOOD = "marginal log-likelihood over respondents"


def fit_dimensions(
    responses: Responses,
    model: ItemModel,
    dimensions: Dimensions,
    *,
    general: bool = False,
    rotation: Rotation = "oblimin",
    watch: Watch,
) -> DimensionsFit:
    """Fit abilities that add up in every item.

    Parameters
    ----------
    model : of one ability; items without priors are fitted by maximum likelihood.
    dimensions, general : which items load on which ability (`read_pattern`).
    rotation : of explored abilities.
    """
    check_rotation(rotation)
    started = time.perf_counter()
    pattern = read_pattern(responses.items, dimensions, general=general)
    has_prior = any(spec.prior is not None for spec in model.parameters if spec.is_free)
    cells = CompositeCells.of(responses, model)
    if not has_prior:
        _refuse_flat_items(cells, responses)
    prior = first_prior(cells.likelihood.model, pattern, has_prior=has_prior)
    climb = Climb(cells, pattern, prior, _TOLERANCE if has_prior else _START_TOLERANCE)
    start = np.zeros((responses.shape[0], pattern.size)), start_items(cells, pattern)
    settled = iterate(climb, start, max_iterations=_MOST_TURNS, watch=watch)
    found = _by_posteriors(climb, settled) if has_prior else _by_likelihood(climb, settled, watch)
    axes = report_axes(found.standing, found.spread, pattern, rotation)
    return _result(responses, model, climb, found, axes, rotation, time.perf_counter() - started)


class _Found(NamedTuple):
    """What a fit came to, before axes are turned."""

    standing: Standing
    spread: Spread
    log_likelihood: float
    objective: str
    objective_value: float
    status: FitStatus
    iterations: int


def _result(
    responses: Responses,
    model: ItemModel,
    climb: Climb,
    found: _Found,
    axes: Reported,
    rotation: str,
    seconds: float,
) -> DimensionsFit:
    pattern, own = climb.pattern, climb.cells.start.shape
    return DimensionsFit(
        responses=responses,
        base=climb.cells.likelihood.model,
        model=model.name,
        pattern=replace(pattern, names=axes.names),
        rotation=rotation if pattern.is_exploratory else "none",
        item_points=axes.items,
        item_covariance=axes.item_covariance,
        ability_points=axes.abilities,
        ability_covariance=axes.ability_covariance,
        correlation=axes.correlation,
        log_likelihood=found.log_likelihood,
        objective=found.objective,
        objective_value=found.objective_value,
        n_parameters=pattern.n_free + own[0] * (1 + own[1]),
        status=found.status,
        iterations=found.iterations,
        standard_errors=found.spread.kind,
        seconds=seconds,
    )


def _by_posteriors(climb: Climb, settled: Optimum[Standing]) -> _Found:
    standing = settled.point
    height = _read_likelihood(climb, standing)
    spread = find_spread(climb, standing)
    return _Found(
        standing, spread, height, POSTERIORS, standing.bound, settled.status, settled.iterations
    )


def _read_likelihood(climb: Climb, at: Standing) -> float:
    """The marginal log-likelihood at the items' means: by nodes, or by draws in many dimensions."""
    size, (items, respondents) = climb.pattern.size, climb.cells.shape
    room = _CELLS_TO_READ / (items * respondents)
    per_axis = int(room ** (1 / size))
    if climb.pattern.groups is not None:
        count = int(np.clip(np.sqrt(room), 5, _BIFACTOR_NODES))
        surface: MarginalSurface | BifactorSurface
        surface = BifactorSurface.placed(climb.cells, climb.pattern, at.respondents, count)
    elif per_axis >= 3:
        nodes = Nodes.around(at.respondents, min(per_axis, _MOST_NODES))
        surface = MarginalSurface(climb.cells, climb.pattern, nodes)
    else:
        draws = int(np.clip(room, _LEAST_DRAWS, _MOST_DRAWS))
        nodes = Nodes.drawn(at.respondents, draws, np.random.default_rng(0))
        surface = MarginalSurface(climb.cells, climb.pattern, nodes)
    return surface.at(at.items.mean, at.correlation).log_likelihood


def _by_likelihood(climb: Climb, settled: Optimum[Standing], watch: Watch) -> _Found:
    start, pattern = settled.point, climb.pattern
    surface: MarginalSurface | BifactorSurface
    if pattern.groups is not None:
        surface = BifactorSurface.placed(climb.cells, pattern, start.respondents, _BIFACTOR_NODES)
    else:
        _refuse_too_many(climb)
        nodes = Nodes.around(start.respondents, _FIRST_NODES[pattern.size])
        surface = MarginalSurface(climb.cells, pattern, nodes)
    ascent = Ascent(surface, climb.free, scale_of(start.item_covariance, climb.free))
    best = iterate(
        ascent,
        (start.items.mean, start.correlation),
        max_iterations=_MOST_ROUNDS,
        watch=replace(watch, checkpoint=None),
    )
    place = best.point
    standing = replace(
        start,
        respondents=place.height.posteriors,
        items=Normals(place.items, np.zeros_like(start.items.covariance)),
        correlation=place.correlation,
    )
    spread, is_flat = _observed_spread(place, climb)
    status = FitStatus.FLAT if is_flat and best.status.is_converged else best.status
    height = place.height.log_likelihood
    total = settled.iterations + best.iterations
    return _Found(standing, spread, height, LIKELIHOOD, height, status, total)


def _observed_spread(place: Place, climb: Climb) -> tuple[Spread, bool]:
    """Covariances from the observed information, and whether the data leave a direction open."""
    surface, items = place.surface, place.items
    if isinstance(surface, BifactorSurface):
        information = surface.information(items)
    else:
        information = observed_information(surface, items, place.correlation)
    rest = np.ones(len(information) - climb.free.size, dtype=bool)
    free = np.concatenate([climb.free.ravel(), rest])
    inner = information[np.ix_(free, free)]
    scale = np.sqrt(np.maximum(np.abs(np.diag(inner)), _LEAST_CURVATURE))
    values, vectors = np.linalg.eigh(inner / np.outer(scale, scale))
    turns = pattern_turns(climb.pattern)
    is_open = values < _LEAST_CURVATURE
    root = vectors * np.where(is_open, 0.0, 1 / np.sqrt(np.maximum(values, _LEAST_CURVATURE)))
    covariance = np.zeros_like(information)
    covariance[np.ix_(free, free)] = root @ root.T / np.outer(scale, scale)
    count, width = items.shape
    own = covariance[: items.size, : items.size].reshape(count, width, count, width)
    blocks = own[np.arange(count), :, np.arange(count), :]
    spread = Spread(place.height.posteriors.covariance, blocks, "full observed information")
    return spread, int(is_open.sum()) > turns


def pattern_turns(pattern: LoadingPattern) -> int:
    """How many directions a free rotation leaves open."""
    return pattern.size * (pattern.size - 1) // 2 if pattern.is_exploratory else 0


def _refuse_too_many(climb: Climb) -> None:
    size, (items, respondents) = climb.pattern.size, climb.cells.shape
    nodes = _FIRST_NODES.get(size, 10**6) ** size
    if size > _LARGEST_EXACT or items * respondents * nodes > MOST_CELLS:
        raise ModelError(
            f"Maximum likelihood integrates up to {_LARGEST_EXACT} abilities, or any number of "
            "special ones beside a general one.",
            f"Got {size} abilities of {respondents:,} respondents and {items:,} items.",
            "Leave prior out: items are then drawn from a population, whatever the number of "
            "abilities.",
        )


def _refuse_flat_items(cells: CompositeCells, responses: Responses) -> None:
    """Without priors, an item that all answer alike has no intercept."""
    for item, name in enumerate(responses.items):
        seen: Array = cells.weight[item] > 0
        values = [channel[item][seen] for channel in cells.channels]
        if all(np.ptp(own) == 0 for own in values):
            raise ModelError(
                "Without priors, an item needs responses that differ.",
                f"All of {name!r} are alike.",
                "Drop it, or leave prior out.",
            )
