"""Between item parameters as people read them and the unbounded coordinates that are estimated.

`x` holds the coordinates of the parameters that are free of some item (items × free). `held` holds
values of all parameters (items × parameters), of which those count that are not estimated; of a
parameter that is free of some items and held of others it is NaN where the parameter is free.
"""

import numpy as np

from itemcurve.models.contract import ItemModel
from itemcurve.numerics.engine import NUMPY, Engine
from itemcurve.numerics.shapes import ItemCoordinates, ItemValues


def free_columns(model: ItemModel) -> tuple[int, ...]:
    """Columns of `values` that are estimated of some item."""
    return tuple(i for i, spec in enumerate(model.parameters) if spec.is_free)


def values_at(engine: Engine, model: ItemModel, x: ItemCoordinates, held: ItemValues) -> ItemValues:
    """Put free coordinates and held values together (items × parameters)."""
    xp, found = engine.xp, {}
    for column, index in enumerate(free_columns(model)):
        spec = model.parameters[index]
        value = spec.transform.value(engine, x[:, column])
        if spec.is_mixed:
            value = xp.where(xp.isnan(held[:, index]), value, held[:, index])
        found[index] = value
    return engine.with_columns(held, found)


def coordinates_of(model: ItemModel, values: ItemValues, engine: Engine = NUMPY) -> ItemCoordinates:
    """Unbounded coordinates of the free parameters (items × free), finite where one is held."""
    columns = []
    for index in free_columns(model):
        spec = model.parameters[index]
        with np.errstate(divide="ignore"):
            column = spec.transform.coordinate(engine, values[:, index])
        columns.append(engine.xp.clip(column, *spec.bounds) if spec.is_mixed else column)
    return engine.xp.stack(columns, axis=1)


def held_values(model: ItemModel, values: ItemValues) -> ItemValues:
    """`held` for items that start at `values`."""
    held = np.array(values, dtype=float)
    for index, spec in enumerate(model.parameters):
        if spec.is_mixed:
            held[:, index] = spec.held(len(values))
    return held


def free_cells(model: ItemModel, n_items: int) -> ItemCoordinates | None:
    """Which coordinates are estimated (items × free); None when all of them are."""
    specs = [model.parameters[index] for index in free_columns(model)]
    if not any(spec.is_mixed for spec in specs):
        return None
    return np.stack([np.isnan(spec.held(n_items)) for spec in specs], axis=1)
