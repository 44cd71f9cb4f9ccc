"""Predictions of responses from one ability, with any model."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from itemcurve.bank.item_bank import BankPart
from itemcurve.errors import ModelError
from itemcurve.estimation.prediction.cell_predictions import (
    CellPredictions,
    Natural,
    predict_cells,
    read_cells,
)
from itemcurve.estimation.result import FitResult
from itemcurve.models.mixed import MixedModel
from itemcurve.models.transforms import POSITIVE, PROBABILITY
from itemcurve.numerics.engine import NUMPY, Array

_LEAST = 1e-6


def predict_by_ability(
    fit: FitResult,
    respondents: Sequence[str] | None,
    items: Sequence[str] | None,
    level: float,
    seed: int,
) -> CellPredictions:
    """Draw abilities and item parameters from what the fit knows of them."""
    if isinstance(fit.estimates.model, MixedModel):
        raise ModelError(
            "Predictions are of items of one model.",
            f"This fit has {len(fit.bank.parts)}.",
            "Ask for them in fits of one model each.",
        )
    asked = read_cells(fit.responses, respondents, items)
    part = fit.bank.parts[0]
    model = part.model
    draw_items = _item_draws(part, asked.columns)
    abilities, errors = fit.estimates.abilities, np.nan_to_num(fit.estimates.ability_errors)

    def natural(rows: NDArray[np.intp]) -> Natural:
        def draw(rng: np.random.Generator) -> Sequence[Array]:
            points = abilities[rows] + errors[rows] * rng.standard_normal(len(rows))
            return part.likelihood.natural(NUMPY, points, draw_items(rng))

        return draw

    return predict_cells(asked, fit.responses, model.family, model.boundary, natural, level, seed)


def _item_draws(
    part: BankPart, columns: NDArray[np.intp]
) -> Callable[[np.random.Generator], Array]:
    """Draw parameters of some items, within their ranges; without an error they count as known."""
    values, free = part.values[columns], list(part.likelihood.free)
    covariance = np.nan_to_num(part.covariance[columns])
    spread, vectors = np.linalg.eigh((covariance + covariance.transpose(0, 2, 1)) / 2)
    root = vectors * np.sqrt(np.maximum(spread, 0.0))[:, np.newaxis, :]
    lows = np.full(len(free), -np.inf)
    highs = np.full(len(free), np.inf)
    for place, index in enumerate(free):
        transform = part.model.parameters[index].transform
        if transform in (POSITIVE, PROBABILITY):
            lows[place] = _LEAST
        if transform is PROBABILITY:
            highs[place] = 1 - _LEAST

    def draw(rng: np.random.Generator) -> Array:
        moved = values.copy()
        step = np.einsum("jkl,jl->jk", root, rng.standard_normal(root.shape[:2]))
        moved[:, free] = np.clip(values[:, free] + step, lows, highs)
        return moved

    return draw
