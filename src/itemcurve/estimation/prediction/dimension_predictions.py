"""Predictions of responses from several abilities."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.estimation.prediction.cell_predictions import (
    CellPredictions,
    Natural,
    predict_cells,
    read_cells,
)
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY, Array

if TYPE_CHECKING:
    from itemcurve.estimation.dimensions.dimensions_fit import DimensionsFit


def predict_by_dimensions(
    fit: "DimensionsFit",
    respondents: Sequence[str] | None,
    items: Sequence[str] | None,
    level: float,
    seed: int,
) -> CellPredictions:
    """Draw predictors z = a·θ + e from the posteriors of abilities and items."""
    asked = read_cells(fit.responses, respondents, items)
    likelihood, values = Likelihood(fit.base), fit.base_values[asked.columns]

    def natural(rows: Array) -> Natural:
        mean, variance = fit.predictor_moments(rows, asked.columns)
        spread = np.sqrt(variance)

        def draw(rng: np.random.Generator) -> Sequence[Array]:
            predictor = mean + spread * rng.standard_normal(mean.shape)
            return likelihood.natural(NUMPY, predictor[:, :, np.newaxis], values)

        return draw

    base = fit.base
    return predict_cells(asked, fit.responses, base.family, base.boundary, natural, level, seed)
