"""From the covariance of coordinates to standard errors in the metric people read."""

from collections.abc import Callable
from typing import Annotated

import numpy as np

from itemcurve.models.contract import ItemModel
from itemcurve.models.free_coordinates import free_columns
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import (
    Estimated,
    EstimatedMatrix,
    ItemCoordinates,
    ItemMatrices,
    PerItem,
    State,
    axes,
)
from itemcurve.numerics.symmetric_eigen import decompose

ReportedValues = Callable[[Array, Array], Array]
"""Item parameters (items × parameters) by item coordinates (items × free) and population state."""

_STEP = 1e-6


def free_covariance(information: EstimatedMatrix, held: Estimated) -> EstimatedMatrix:
    """Inverse of the information about all parameters that are not held; NaN for those.

    Parameters
    ----------
    held : parameters at a bound: taken as known.
    """
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
    try:
        np.linalg.cholesky(matrix)
        inverse: Array = np.linalg.inv(matrix)
    except np.linalg.LinAlgError:
        values, vectors = decompose(matrix)
        floor = 1e-10 * max(values.max(), 1.0)
        with np.errstate(divide="ignore"):
            spread = np.where(values > floor, 1.0 / np.maximum(values, floor), 1e20)
        inverse = (vectors * spread) @ vectors.T
    return inverse


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
    names, free = list(model.report(values(x, state))), list(free_columns(model))

    def reported(x: ItemCoordinates, state: State) -> Array:
        at = values(x, state)
        return np.stack([*model.report(at).values(), *at[:, free].T])

    jacobian = _differences(reported, x, state)
    with np.errstate(invalid="ignore"):
        # A parameter at a bound has no covariance (NaN); it must not spoil columns it is not in.
        known = np.nan_to_num(covariance, nan=0.0)
        variance = np.einsum("cia,iab,cib->ci", jacobian, known, jacobian)
        touched = np.einsum(
            "cia,ia->ci",
            np.abs(jacobian),
            np.isnan(np.diagonal(covariance, axis1=1, axis2=2)).astype(float),
        )
    errors = np.where(touched > 0, np.nan, np.sqrt(np.maximum(variance, 0.0)))
    own = jacobian[len(names) :].transpose(1, 0, 2)
    return (
        dict(zip(names, errors[: len(names)], strict=True)),
        own @ known @ own.transpose(0, 2, 1),
    )


def _differences(
    reported: Callable[[Array, Array], Array], x: ItemCoordinates, state: State
) -> Annotated[Array, axes("columns items own")]:
    """Derivatives (columns × items × coordinates and state)."""
    found = []
    width = x.shape[1]
    for index in range(width + len(state)):
        change = np.zeros(width + len(state))
        change[index] = _STEP
        above = reported(x + change[:width], state + change[width:])
        below = reported(x - change[:width], state - change[width:])
        found.append((above - below) / (2 * _STEP))
    return np.stack(found, axis=2)
