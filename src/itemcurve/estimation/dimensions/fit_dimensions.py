"""Fit a model of several abilities: posteriors of both sides first, maximum likelihood if asked."""

import time
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Annotated, NamedTuple

import numpy as np

from itemcurve.bank.shown_errors import is_undetermined
from itemcurve.errors import ModelError
from itemcurve.estimation.dimensions.adaptive_nodes import Nodes
from itemcurve.estimation.dimensions.bifactor_surface import BifactorSurface
from itemcurve.estimation.dimensions.composite_cells import CompositeCells
from itemcurve.estimation.dimensions.correlations.correlation_errors import (
    from_angles,
    from_posteriors,
)
from itemcurve.estimation.dimensions.correlations.integrated_correlations import (
    integrate_correlations,
)
from itemcurve.estimation.dimensions.dimension_choice import choose_dimensions, is_observed
from itemcurve.estimation.dimensions.dimensions_fit import DimensionsFit
from itemcurve.estimation.dimensions.item_prior import first_prior
from itemcurve.estimation.dimensions.joint_spread import Spread, find_spread
from itemcurve.estimation.dimensions.loading_pattern import (
    Dimensions,
    General,
    LoadingPattern,
    read_pattern,
)
from itemcurve.estimation.dimensions.marginal_surface import MarginalSurface, Surface
from itemcurve.estimation.dimensions.maximum_likelihood import MOST_CELLS, Ascent, Place, scale_of
from itemcurve.estimation.dimensions.normal_sides import Normals, predictors
from itemcurve.estimation.dimensions.reported_axes import Reported, report_axes
from itemcurve.estimation.dimensions.rotation import Rotation, check_rotation
from itemcurve.estimation.dimensions.starting_loadings import start_items
from itemcurve.estimation.dimensions.variational_climb import Climb, Standing
from itemcurve.estimation.optimisation.iterate import UNWATCHED, Optimum, Watch, iterate
from itemcurve.estimation.status import FitStatus
from itemcurve.models.contract import ItemModel
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes
from itemcurve.responses.matrix import Responses

# In standard errors.
_TOLERANCE, _CHOICE_TOLERANCE = 0.05, 0.15
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
    general: General = False,
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
    choice = None
    if isinstance(dimensions, str) and dimensions == "auto" and not general:
        choice = choose_dimensions(responses, partial(score_number, model))
        dimensions = choice.best
    pattern = read_pattern(responses.items, dimensions, general=general)
    climb, settled = _settle(responses, model, pattern, _TOLERANCE, watch)
    if climb.are_points:
        found = _by_likelihood(climb, settled, watch)
    else:
        found = _by_posteriors(climb, settled)
    turned = report_axes(found.standing, found.spread, pattern, rotation)
    seconds = time.perf_counter() - started
    result = _result(responses, model, climb, found, turned, rotation, seconds)
    return replace(result, choice=choice)


def score_number(
    model: ItemModel, training: Responses, held: Responses, dimensions: int
) -> Annotated[Array, axes("cells")]:
    """Log densities of left-out responses after a number of abilities was explored."""
    pattern = read_pattern(training.items, dimensions)
    climb, settled = _settle(training, model, pattern, _CHOICE_TOLERANCE, UNWATCHED)
    at, size = settled.point, pattern.size
    rows = np.array([training.respondents.index(name) for name in held.respondents])
    columns = np.array([training.items.index(name) for name in held.items])
    items = at.items.rows(columns)
    values = climb.cells.values(at.items.mean[:, size + 1 :])[columns]
    cells = CompositeCells.under(held, climb.cells.likelihood.model, values)
    density = cells.log_density(*predictors(at.respondents.rows(rows), items.head(size + 1)))
    return density.T[is_observed(held)]


def _settle(
    responses: Responses,
    model: ItemModel,
    pattern: LoadingPattern,
    tolerance: float,
    watch: Watch,
) -> tuple[Climb, Optimum[Standing]]:
    """Let posteriors of both sides settle."""
    has_prior = any(spec.prior is not None for spec in model.parameters if spec.is_free)
    cells = CompositeCells.of(responses, model)
    if not has_prior:
        _refuse_flat_items(cells, responses)
        _refuse_above(pattern)
    prior = first_prior(cells.likelihood.model, pattern, has_prior=has_prior)
    climb = Climb(cells, pattern, prior, tolerance)
    start = np.zeros((responses.shape[0], pattern.size)), start_items(cells, pattern)
    return climb, iterate(climb, start, max_iterations=_MOST_TURNS, watch=watch)


class _Found(NamedTuple):
    """What a fit came to, before axes are turned."""

    standing: Standing
    spread: Spread
    log_likelihood: float
    objective: str
    objective_value: float
    status: FitStatus
    iterations: int
    correlations: Array | None = None
    """Covariance of correlations below the diagonal, where they were estimated."""


def _result(
    responses: Responses,
    model: ItemModel,
    climb: Climb,
    found: _Found,
    turned: Reported,
    rotation: str,
    seconds: float,
) -> DimensionsFit:
    pattern, own = climb.pattern, climb.cells.start.shape
    spreads = (turned.item_covariance, turned.ability_covariance, found.correlations)
    return DimensionsFit(
        responses=responses,
        base=climb.cells.likelihood.model,
        model=model.name,
        pattern=replace(pattern, names=turned.names),
        rotation=rotation if pattern.is_exploratory else "none",
        item_points=turned.items,
        item_covariance=turned.item_covariance,
        ability_points=turned.abilities,
        ability_covariance=turned.ability_covariance,
        correlation=turned.correlation,
        correlation_covariance=(
            None if found.correlations is None else turned.pairs(found.correlations)
        ),
        log_likelihood=found.log_likelihood,
        objective=found.objective,
        objective_value=found.objective_value,
        n_parameters=pattern.n_free + own[0] * (1 + own[1]),
        status=_known_status(found.status, spreads),
        iterations=found.iterations,
        standard_errors=found.spread.kind,
        seconds=seconds,
    )


def _known_status(status: FitStatus, covariances: Iterable[Array | None]) -> FitStatus:
    """A maximum is flat where a standard error is too large to mean anything."""
    known = (own for own in covariances if own is not None)
    variances = (np.diagonal(own, axis1=-2, axis2=-1) for own in known)
    is_open = any(bool(is_undetermined(np.sqrt(own)).any()) for own in variances)
    return FitStatus.FLAT if is_open and status is FitStatus.CONVERGED else status


def _by_posteriors(climb: Climb, settled: Optimum[Standing]) -> _Found:
    standing = integrate_correlations(climb, settled.point)
    height = _read_likelihood(climb, standing)
    spread, pairs = find_spread(climb, standing), None
    if climb.pattern.is_correlated:
        pairs = from_posteriors(
            standing.correlation,
            standing.respondents,
            is_second_order=climb.pattern.is_second_order,
        )
    return _Found(
        standing,
        spread,
        height,
        POSTERIORS,
        standing.bound,
        settled.status,
        settled.iterations,
        pairs,
    )


def _read_likelihood(climb: Climb, at: Standing) -> float:
    """The marginal log-likelihood at the items' means: by nodes, or by draws in many dimensions."""
    size, (items, respondents) = climb.pattern.size, climb.cells.shape
    room = _CELLS_TO_READ / (items * respondents)
    per_axis = int(room ** (1 / size))
    if climb.pattern.groups is not None:
        count = int(np.clip(np.sqrt(room), 5, _BIFACTOR_NODES))
        surface: Surface
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
    surface: Surface
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
    spread, is_flat, pairs = _observed_spread(place, climb)
    status = FitStatus.FLAT if is_flat and best.status is FitStatus.CONVERGED else best.status
    height = place.height.log_likelihood
    total = settled.iterations + best.iterations
    return _Found(standing, spread, height, LIKELIHOOD, height, status, total, pairs)


def _observed_spread(place: Place, climb: Climb) -> tuple[Spread, bool, Array | None]:
    """Covariances from the observed information, and whether the data leave a direction open.

    The last is that of the correlations.
    """
    surface, items = place.surface, place.items
    information = surface.information(items, place.correlation)
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
    pairs = None
    if climb.pattern.is_correlated:
        pairs = from_angles(place.correlation, covariance[items.size :, items.size :])
    return spread, int(is_open.sum()) > turns, pairs


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


def _refuse_above(pattern: LoadingPattern) -> None:
    if pattern.is_second_order:
        raise ModelError(
            "A general ability above the others is fitted with items drawn from a population.",
            "Got prior=None with general='above'.",
            "Leave prior out; or leave general out, and of three abilities the likelihood is the "
            "same.",
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
