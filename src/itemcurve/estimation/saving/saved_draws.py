"""Draws on disk: one more file of a run folder, read back without trusting it."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.estimation.posterior_draws import Draws
from itemcurve.models.contract import ItemModel
from itemcurve.models.serialisation import Record, is_in_range

DRAWS = "draws"
# More numbers than this (512 MB) are not saved: sampling again is cheaper than moving them.
_MOST_NUMBERS = 64_000_000
_POPULATION = "population."


def pack_draws(draws: Draws | None) -> dict[str, dict[str, NDArray[Any]]]:
    """Give the arrays to store; none where there are no draws, or far too many."""
    if draws is None or draws.size > _MOST_NUMBERS:
        return {}
    arrays = {
        "abilities": np.asarray(draws.abilities),
        "values": np.asarray(draws.values),
        "diverging": np.asarray(draws.diverging),
    }
    arrays |= {f"{_POPULATION}{name}": np.asarray(c) for name, c in draws.population.items()}
    return {DRAWS: arrays}


def unpack_draws(
    arrays: Mapping[str, NDArray[Any]], record: Record, shape: tuple[int, int], model: ItemModel
) -> Draws:
    """Read draws of a model for responses of this shape."""
    n_respondents, n_items = shape
    if not {"abilities", "values", "diverging"} <= set(arrays):
        raise record.refusal("its draws are incomplete")
    length = arrays["diverging"].shape
    population = {
        name.removeprefix(_POPULATION): column
        for name, column in arrays.items()
        if name.startswith(_POPULATION)
    }
    expected = {
        "abilities": (*length, n_respondents),
        "values": (*length, n_items, len(model.parameters)),
    }
    is_right = (
        len(length) == 2
        and arrays["diverging"].dtype == np.bool_
        and all(arrays[name].shape == size for name, size in expected.items())
        and all(column.shape == length for column in population.values())
    )
    if not is_right or not all(_is_finite(a) for a in (*population.values(), *_numbers(arrays))):
        raise record.refusal("its draws have another shape than its responses, or are not finite")
    for index, spec in enumerate(model.parameters):
        if not is_in_range(spec.transform, arrays["values"][..., index]):
            raise record.refusal(f"some draw of {spec.name} is outside its range")
    return Draws(arrays["abilities"], arrays["values"], arrays["diverging"], population)


def _numbers(arrays: Mapping[str, NDArray[Any]]) -> tuple[NDArray[Any], NDArray[Any]]:
    return arrays["abilities"], arrays["values"]


def _is_finite(array: NDArray[Any]) -> bool:
    return array.dtype == np.float64 and bool(np.isfinite(array).all())
