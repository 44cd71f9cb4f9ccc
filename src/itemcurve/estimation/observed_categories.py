"""The categories that responses are made of: which there are, and which of them each item has."""

from functools import partial
from typing import Annotated, NamedTuple

import numpy as np

from itemcurve.errors import ResponsesError
from itemcurve.estimation.rare_categories import has_category, typical_widths
from itemcurve.models.capabilities import MOST_CATEGORIES, HasCategories
from itemcurve.models.contract import ItemModel
from itemcurve.models.formulas.used_categories import all_used, bits_of
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import PerItem, axes
from itemcurve.responses.matrix import Responses


class ObservedCategories(NamedTuple):
    """What categories responses have.

    Attributes
    ----------
    codes : every value that occurs, from the lowest up.
    counts : how often each item has each (items × categories).
    """

    codes: tuple[float, ...]
    counts: Annotated[Array, axes("items categories")]


def observed_categories(responses: Responses) -> ObservedCategories:
    """Read them off the responses, however they are coded."""
    found = [np.unique(values) for values in responses.values_by_block()]
    codes = np.unique(np.concatenate(found)) if found else np.zeros(0)
    if not 2 <= len(codes) <= MOST_CATEGORIES:
        words = f"{len(codes):,} different values"
        raise ResponsesError(
            f"Models of categories need responses of 2 to {MOST_CATEGORIES} different values.",
            f"Got {words}." if len(codes) != 1 else f"All responses are {codes[0]:g}.",
            "Use 2pl for right and wrong, and for scores divide by the highest possible one and "
            "use beta3 or logit-normal."
            if len(codes) > 1
            else "Items that all are answered alike tell nothing of ability.",
        )
    known = tuple(map(float, codes))
    return ObservedCategories(known, count_categories(responses, known))


def count_categories(
    responses: Responses, codes: tuple[float, ...]
) -> Annotated[Array, axes("items categories")]:
    """How often each item was given each category."""
    return np.stack([_column_sums(responses, code) for code in codes], axis=1)


def settle_categories(
    model: ItemModel,
    responses: Responses,
    columns: PerItem | None = None,
    *,
    keeps_all: bool = False,
    has_priors: bool = True,
) -> ItemModel:
    """Give a model of the categories that occur; others as they are.

    Parameters
    ----------
    columns : the items that follow the model, where not all do. Of the others nothing is said.
    keeps_all : whether every item has every category, for methods that cannot hold parameters of
        some items: of a category that nobody used, they know what the prior says.
    has_priors : whether thresholds have priors, which tell of a rare category that by chance nobody
        gave to an item. Without, all that was not used is left out.
    """
    if not isinstance(model, HasCategories) or not model.is_open:
        return model
    own = responses if columns is None else responses.take(columns=columns.tolist())
    codes, counts = observed_categories(own)
    is_told = not model.is_unordered and (has_priors or model.has_common_gaps)
    used = has_category(counts) if is_told else counts > 0
    bits = all_used(len(codes)) if keeps_all else bits_of(used)
    if columns is not None and isinstance(bits, tuple):
        every = np.full(responses.shape[1], all_used(len(codes)))
        every[columns] = bits
        bits = tuple(every.tolist())
    settled: ItemModel = model.with_categories(codes, bits, typical_widths(counts))
    return settled


def _column_sums(responses: Responses, code: float) -> PerItem:
    matrix = responses.accumulate(partial(_is_code, code))
    return np.asarray(matrix.sum(axis=0), dtype=float).ravel()


def _is_code(code: float, values: Array) -> Array:
    return (values == code).astype(float)
