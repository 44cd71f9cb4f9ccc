"""From the covariance of coordinates to standard errors in the metric people read."""

from collections.abc import Callable
from typing import Annotated, Any, Protocol

import numpy as np

from itemcurve.models.contract import ItemModel
from itemcurve.models.free_coordinates import free_columns
from itemcurve.numerics.engine import NUMPY, Array, Engine, add_up
from itemcurve.numerics.shapes import (
    Estimated,
    EstimatedMatrix,
    ItemCoordinates,
    ItemMatrices,
    ItemValues,
    PerItem,
    State,
    axes,
)
from itemcurve.numerics.symmetric_matrices import decompose, invert_positive

ReportedValues = Callable[[Array, Array], Array]
"""Item parameters (items × parameters) by item coordinates (items × free) and population state."""

_STEP = 1e-6


def free_covariance(information: EstimatedMatrix, held: Estimated) -> EstimatedMatrix:
    """Inverse of the information about all parameters that are not held; NaN for those.

    Parameters
    ----------
    held : parameters at a bound: taken as known.
    """
    if not held.any():
        return inverse_information(information)
    free = ~held
    covariance = np.full(information.shape, np.nan)
    covariance[np.ix_(free, free)] = inverse_information(information[np.ix_(free, free)])
    return covariance


def covariance_blocks(
    covariance: EstimatedMatrix, entities: int, width: int
) -> Annotated[Array, axes("entities own own")]:
    """Each entity's covariance together with the shared state's (entities × w+s × w+s).

    Parameters
    ----------
    covariance : of all parameters, the state last.
    """
    size = entities * width
    own = np.arange(size).reshape(entities, width)
    shared = np.broadcast_to(np.arange(size, len(covariance)), (entities, len(covariance) - size))
    index = np.concatenate([own, shared], axis=1)
    return covariance[index[:, :, None], index[:, None, :]]


def inverse_information(matrix: EstimatedMatrix) -> EstimatedMatrix:
    """Invert; directions without information get an infinite variance, not a wrong one."""
    inverse = invert_positive(matrix)
    if inverse is not None:
        return inverse
    values, vectors = decompose(matrix)
    floor = 1e-10 * max(values.max(), 1.0)
    with np.errstate(divide="ignore"):
        spread = np.where(values > floor, 1.0 / np.maximum(values, floor), 1e20)
    found: Array = (vectors * spread) @ vectors.T
    return found


def delta_method(
    model: ItemModel,
    values: ReportedValues,
    x: ItemCoordinates,
    state: State,
    covariance: Annotated[Array, axes("items own own")],
) -> tuple[dict[str, PerItem], ItemMatrices]:
    """Standard errors of the reported columns, and the covariance of the free parameters.

    Derivatives are central differences: columns depend on an item's own coordinates and on the
    state, so a handful of evaluations serve all items.

    Parameters
    ----------
    covariance : of each item's coordinates and the state (items × both × both); NaN at a bound.

    Returns
    -------
    Standard errors by column (items each); covariance in reported units (items × free × free).
    """
    errors, own = _errors_and_covariance(NUMPY, model, values, x, state, covariance)
    return dict(zip(model.columns, errors[: len(model.columns)], strict=True)), own


class ReportedItems(Protocol):
    """How item parameters as people read them depend on what is estimated; hashable."""

    def values(self, engine: Engine, x: ItemCoordinates, state: State, given: Any) -> ItemValues:
        """Item parameters (items × parameters); `given` are arrays that nothing changes."""


def compiled_delta_method(
    engine: Engine,
    model: ItemModel,
    items: ReportedItems,
    given: Any,
    x: ItemCoordinates,
    state: State,
    covariance: Annotated[Array, axes("items own own")],
) -> tuple[ItemValues, dict[str, PerItem], dict[str, PerItem], ItemMatrices]:
    """What `delta_method` gives, by one program: millions of items take no time on a device.

    Returns
    -------
    Values, what is reported of them by column, its standard errors, and the covariance.
    """
    run = engine.compile(_reported_with_errors, static=("engine", "model", "items"))
    found = run(engine, model, items, given, *engine.place_all((x, state, covariance)))
    values, columns, errors, own = map(np.asarray, found)
    names = list(model.columns)
    shown, known = (dict(zip(names, of, strict=True)) for of in (columns, errors))
    return values, shown, known, own


def _reported_with_errors(
    engine: Engine,
    model: ItemModel,
    items: ReportedItems,
    given: Any,
    x: ItemCoordinates,
    state: State,
    covariance: Annotated[Array, axes("items own own")],
) -> tuple[Array, ...]:
    def values(x: ItemCoordinates, state: State) -> ItemValues:
        return items.values(engine, x, state, given)

    at, shown = values(x, state), len(model.columns)
    columns = _columns(engine, model, at)
    errors, own = _errors_and_covariance(engine, model, values, x, state, covariance)
    return at, columns[:shown], errors[:shown], own


def _columns(
    engine: Engine, model: ItemModel, values: ItemValues
) -> Annotated[Array, axes("columns items")]:
    """What is reported of items, then their free parameters."""

    def stacked(values: ItemValues) -> Array:
        found = [model.report(values)[name] for name in model.columns]
        found += [values[:, index] for index in free_columns(model)]
        return values.__array_namespace__().stack(found)

    count = len(model.columns) + len(free_columns(model))
    like = engine.xp.zeros((count, values.shape[0]))
    return engine.call(stacked, like, values)


def _errors_and_covariance(
    engine: Engine,
    model: ItemModel,
    values: ReportedValues,
    x: ItemCoordinates,
    state: State,
    covariance: Annotated[Array, axes("items own own")],
) -> tuple[Annotated[Array, axes("columns items")], ItemMatrices]:
    """Standard errors of all columns, and the covariance of the free parameters."""
    xp, first = engine.xp, len(model.columns)

    def reported(x: ItemCoordinates, state: State) -> Array:
        return _columns(engine, model, values(x, state))

    jacobian = _differences(reported, x, state)
    # A parameter at a bound has no covariance (NaN); it must not spoil columns it is not in.
    is_held = xp.isnan(xp.diagonal(covariance, axis1=1, axis2=2)).T
    known = xp.where(xp.isnan(covariance), 0.0, covariance)
    # Weights of next to nothing leave errors beyond all numbers: not determined.
    with np.errstate(invalid="ignore", over="ignore"):
        # Items come last, so that a million of them are a few long sums and not a million short.
        images = [
            add_up(known[:, a, b] * other for b, other in enumerate(jacobian))
            for a in range(len(jacobian))
        ]
        variance = add_up(own * image for own, image in zip(jacobian, images, strict=True))
        touched = add_up(xp.abs(own) * held for own, held in zip(jacobian, is_held, strict=True))
        errors = xp.where(touched > 0, xp.nan, xp.sqrt(xp.maximum(variance, 0.0)))
        last = [(own[first:], image[first:]) for own, image in zip(jacobian, images, strict=True)]
        own_covariance = add_up(left[:, None, :] * right[None, :, :] for left, right in last)
    return errors, xp.moveaxis(own_covariance, 2, 0)


def _differences(
    reported: Callable[[Array, Array], Array], x: ItemCoordinates, state: State
) -> list[Annotated[Array, axes("columns items")]]:
    """Derivatives (columns × items) in each coordinate and part of the state."""
    found = []
    width = x.shape[1]
    for change in _STEP * np.eye(width + state.shape[0]):
        above = reported(x + change[:width], state + change[width:])
        below = reported(x - change[:width], state - change[width:])
        # A difficulty at infinity has no derivative, and its error is not determined.
        with np.errstate(invalid="ignore", over="ignore"):
            found.append((above - below) / (2 * _STEP))
    return found
