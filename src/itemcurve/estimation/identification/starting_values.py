"""Starting values that depend on the data alone, so that reruns agree."""

from collections.abc import Callable
from typing import Annotated

import numpy as np

from itemcurve.estimation.identification.category_heights import category_heights
from itemcurve.models.capabilities import HasCategories
from itemcurve.models.contract import ItemModel, slope_of
from itemcurve.models.free_coordinates import coordinates_of
from itemcurve.models.item_summaries import ItemSummaries
from itemcurve.models.likelihood import Likelihood
from itemcurve.models.mixed import MixedModel
from itemcurve.models.parameters import Role
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import (
    ItemCategories,
    ItemCoordinates,
    ItemValues,
    PerItem,
    PerRespondent,
    RespondentsByItems,
    SameShape,
    axes,
)
from itemcurve.responses.matrix import Responses

# Starting values need no more than this many cells; above, respondents or items are thinned.
_ENOUGH_CELLS = 500_000
# Item-rest correlations from which items are started anew, one for each sign.
_OTHER_CORRELATIONS = (0.6, -0.6)


def start_values(model: ItemModel, responses: Responses) -> ItemValues:
    """Starting item parameters from mean responses and item-rest correlations."""
    thinned = _thinned(responses, axis=0)
    means = thinned.means(axis=0)
    # An item that none of the remaining respondents answered starts from the average item.
    means = np.where(np.isnan(means), np.nanmean(means), means)
    correlations = item_rest_correlations(thinned)
    return model.start(_summaries(model, thinned, means, correlations))


def start_abilities(model: ItemModel, responses: Responses) -> PerRespondent:
    """Starting abilities from mean responses, on an unbounded scale (respondents)."""
    heights = model.family.unbounded(responses.means(axis=1)) * model.orientation
    centre = np.median(heights) if model.latent.shifts else 0.0
    return np.clip(heights - centre, -3.0, 3.0)


def typical_abilities(model: ItemModel, responses: Responses) -> PerRespondent:
    """Starting abilities from the mean of responses on an unbounded scale (respondents).

    A few errors of millions do not move it, as they move the mean response.
    """
    heights = responses.accumulate(model.family.unbounded)
    weights = responses.weight()
    totals = responses.shape[1] if weights is None else np.asarray(weights.sum(axis=1)).ravel()
    typical = np.asarray(heights.sum(axis=1)).ravel() / totals
    return np.clip(typical * model.orientation, -3.0, 3.0)


def can_turn(model: ItemModel) -> bool:
    """Whether turning all signs of abilities and discriminations leaves the likelihood as it is."""
    return model.latent.stretches and all(
        spec.transform.name == "free" and spec.is_free_everywhere
        for spec in model.parameters
        if spec.role is Role.SLOPE
    )


def other_starts(likelihood: Likelihood, responses: Responses) -> list[ItemCoordinates]:
    """Coordinates of items that all rise, and of items that all fall (items × free each).

    None where the sign of a discrimination is not open.
    """
    model = likelihood.model
    slope = slope_of(model)
    if slope is None or not slope.is_free or slope.transform.name != "free":
        return []
    means = np.nan_to_num(responses.means(axis=0))
    found = []
    for correlation in _OTHER_CORRELATIONS:
        summaries = _summaries(model, responses, means, np.full(len(means), correlation))
        found.append(coordinates_of(model, model.start(summaries)))
    return found


def runs_against(abilities: PerRespondent, responses: Responses, model: ItemModel) -> bool:
    """Whether abilities correlate negatively with the mean response, in the model's orientation."""
    means = np.nan_to_num(_thinned(responses, axis=1).means(axis=1))
    product = (abilities - abilities.mean()) @ (means - means.mean())
    return bool(product * model.orientation < 0)


def reflection(abilities: PerRespondent, responses: Responses, model: ItemModel) -> float:
    """−1 when abilities run against the mean response and the model does not mind turning."""
    return -1.0 if can_turn(model) and runs_against(abilities, responses, model) else 1.0


def _summaries(
    model: ItemModel, responses: Responses, means: PerItem, correlations: PerItem
) -> ItemSummaries:
    """What starting values are made from, of each model's items where there are several models."""
    if not isinstance(model, MixedModel):
        heights = None
        if isinstance(model, HasCategories) and model.is_unordered:
            heights = category_heights(responses, model.codes)
        shares = _category_shares(model, responses)
        return ItemSummaries(means, correlations, shares, heights)
    parts = []
    for place, part in enumerate(model.parts):
        rows = np.flatnonzero(model.codes == place)
        own = responses.take(columns=rows.tolist())
        parts.append(_summaries(part, own, means[rows], correlations[rows]))
    return ItemSummaries(means, correlations, parts=tuple(parts))


def _category_shares(model: ItemModel, responses: Responses) -> ItemCategories | None:
    """Share of responses in each category (items × categories), where there are categories."""
    family = model.family
    if family.is_continuous or len(family.statistics) < 2:
        return None
    counts = np.maximum(responses.counts(axis=0), 1)
    own = [
        _column_sums(responses.accumulate(statistic)) / counts for statistic in family.statistics
    ]
    return np.stack([1.0 - sum(own), *own], axis=1)


def _thinned(responses: Responses, axis: int) -> Responses:
    """Every k-th respondent (axis 0) or item (axis 1), so that few cells are left."""
    n_cells = responses.n_observed
    size = responses.shape[axis]
    # Thinning needs rows or columns to remain that still cover the other side.
    step = min(-(-n_cells // _ENOUGH_CELLS), max(1, size // 100))
    # Of streamed responses, means are known already; anything else is of some taken into memory.
    if responses.is_streamed if axis == 1 else step <= 1 and not responses.is_streamed:
        return responses
    kept = np.arange(0, size, step)
    rows = kept.tolist() if axis == 0 else None
    columns = kept.tolist() if axis == 1 else None
    return responses.take(rows, columns)


def item_rest_correlations(responses: Responses) -> PerItem:
    """Correlate each item's responses with its respondents' mean on the other items (items).

    Everything comes from products of the response matrix with vectors; an item without spread
    gets 0.
    """
    means = np.nan_to_num(responses.means(axis=1))
    n_items = max(float(responses.counts(axis=1).mean()), 2.0)
    weights = responses.weight()
    y, ym = _item_sums(responses, np.stack([np.ones_like(means), means], axis=1)).T
    is_binary = responses.integer_range() in ((0, 1), (0, 0), (1, 1))
    yy = y if is_binary else _column_sums(responses.accumulate(_squared))
    if weights is None:
        n = np.full(len(y), float(len(means)))
        m, mm = np.full(len(y), means.sum()), np.full(len(y), (means**2).sum())
    else:
        n, m, mm = _column_sums(weights), weights.T @ means, weights.T @ means**2
    n = np.maximum(n, 1e-12)
    covariance = ym / n - y * m / n**2
    variance, spread = yy / n - (y / n) ** 2, mm / n - (m / n) ** 2
    rest_covariance = covariance - variance / n_items
    rest_variance = spread - 2 * covariance / n_items + variance / n_items**2
    scale = np.sqrt(np.maximum(variance, 0) * np.maximum(rest_variance, 0))
    return np.divide(rest_covariance, scale, out=np.zeros_like(scale), where=scale > 1e-12)


def _item_sums(responses: Responses, right: Annotated[Array, axes("respondents columns")]) -> Array:
    """Sum weight · value · right over the respondents (items × columns)."""
    own: Callable[[Array], Array] | None = getattr(responses.cells, "item_sums", None)
    if own is not None:
        return own(right)
    return np.asarray(responses.accumulate(_as_float).T @ right)


def _as_float(values: SameShape) -> SameShape:
    return values.astype(float)


def _squared(values: SameShape) -> SameShape:
    return np.square(values, dtype=float)


def _column_sums(matrix: RespondentsByItems) -> PerItem:
    return np.asarray(matrix.sum(axis=0), dtype=float).ravel()
