"""Items as tables show them, from the search's coordinates to parameters with errors."""

from dataclasses import dataclass, field
from typing import Annotated

import numpy as np

from itemcurve.estimation.identification.reported_errors import compiled_delta_method
from itemcurve.estimation.identification.undetermined_difficulties import (
    bring_within_reach,
    linear_places,
)
from itemcurve.estimation.marginal.em_newton import Point, evaluate
from itemcurve.estimation.marginal.over_respondents.ability_scale import AbilityScale
from itemcurve.estimation.marginal.over_respondents.difficulty_posteriors import (
    LinearItems,
    LinearMoments,
    linear_moments,
)
from itemcurve.estimation.marginal.over_respondents.item_likelihoods import (
    ItemLikelihoods,
)
from itemcurve.estimation.marginal.over_respondents.item_population import (
    ItemPopulation,
)
from itemcurve.estimation.marginal.over_respondents.population_search import Solution
from itemcurve.estimation.marginal.over_respondents.scale_moves import OnReportedScale
from itemcurve.models.contract import ItemModel, column_of
from itemcurve.models.parameters import Role
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import (
    ItemMatrices,
    ItemValues,
    PerItem,
    axes,
)

ItemCovariances = Annotated[Array, axes("items own own")]


@dataclass(frozen=True)
class ReportedItems:
    """Items in reported units.

    Attributes
    ----------
    values : parameters (items × parameters).
    covariance : of the free ones (items × free × free).
    columns, errors : what tables show, and standard errors, by name (items each).
    population : mean and standard deviation of the items, where they were estimated.
    extras : the probability that a slope is negative, where the population was estimated.
    """

    values: ItemValues
    covariance: ItemMatrices
    columns: dict[str, PerItem]
    errors: dict[str, PerItem]
    population: dict[str, float]
    extras: dict[str, PerItem] = field(default_factory=dict)


@dataclass(frozen=True)
class ReportedPoint:
    """Items where they are reported, in the search's own coordinates.

    Attributes
    ----------
    point : at the reported items.
    moments : posterior moments of slopes and difficulties, where their population was estimated.
    slope_variance : of each slope alone, all else given.
    """

    point: Point
    moments: LinearMoments | None = None
    slope_variance: PerItem | float = 0.0


def reported_point(
    solution: Solution, scale: AbilityScale, covariance: ItemCovariances
) -> ReportedPoint:
    """Where items are reported.

    In an estimated population, at the posterior means of slope and intercept; else at the optimum,
    flat items at a difficulty that someone has.
    """
    problem, point, items = solution.problem, solution.optimum.point, solution.items
    state, model = point.state, problem.likelihood.model
    places = linear_places(model)
    if items is None:
        own = np.asarray(covariance)
        x = bring_within_reach(model, point.x, own, scale.location(state), scale.unit(state))
        same = np.array_equal(x, point.x)
        return ReportedPoint(point if same else evaluate(problem.marginal, x, state))
    if places is None or not items.is_estimated[list(places)].all():
        return ReportedPoint(point)
    likelihoods = ItemLikelihoods.around(problem.marginal, point, items)
    linear = LinearItems.of(likelihoods, items, places)
    moments = linear_moments(linear, items, places, problem.marginal.engine_of_all)
    x = point.x.copy()
    x[:, places[0]], x[:, places[1]] = moments.slope, moments.intercept
    known = np.asarray(linear.slopes[1]) ** 2
    return ReportedPoint(evaluate(problem.marginal, x, state), moments, known)


def report_items(
    solution: Solution,
    found: ReportedPoint,
    scale: AbilityScale,
    sign: float,
    covariance: ItemCovariances,
) -> ReportedItems:
    """Parameters, columns and errors; abilities are reported times `sign`."""
    model, marginal, point = solution.problem.likelihood.model, scale.problem.marginal, found.point
    items = solution.items
    engine = marginal.engine_of_all
    given = engine.place_all((marginal.held, np.asarray(sign)))
    on_scale = OnReportedScale(model, marginal.population)
    at = point.x, point.state, covariance
    values, columns, errors, own = compiled_delta_method(engine, model, on_scale, given, *at)
    population = {} if items is None else _population(model, items, scale.unit(point.state))
    extras = {}
    if found.moments is not None:
        negative = found.moments.negative
        extras["probability_negative"] = negative if sign > 0 else 1.0 - negative
        slope, location = column_of(model, Role.SLOPE), column_of(model, Role.LOCATION)
        assert slope is not None
        assert location is not None, "an intercept and a slope have a difficulty"
        unit, origin = scale.unit(point.state), scale.location(point.state)
        # What a slope's error has beyond its own comes from the other items and from the unit.
        shared = np.maximum(errors[slope] ** 2 - found.slope_variance * unit**2, 0.0)
        errors[slope] = np.sqrt((found.moments.slope_sd * unit) ** 2 + np.nan_to_num(shared))
        errors[location] = found.moments.difficulty_sd / unit
        columns[location] = sign * (found.moments.difficulty - origin) / unit
    return ReportedItems(values, own, columns, errors, population, extras)


def _population(model: ItemModel, items: ItemPopulation, unit: float) -> dict[str, float]:
    """Mean and spread of the parameters' coordinates, slopes in reported units."""
    found = {}
    free = [spec for spec in model.parameters if spec.is_free]
    for place, (spec, coordinate) in enumerate(zip(free, items.coordinates, strict=True)):
        if coordinate is not None:
            factor = unit if place == items.slope else 1.0
            found[f"{spec.name}_mean"] = float(items.mean[place]) * factor
            found[f"{spec.name}_sd"] = float(items.sd[place]) * factor
    return found
