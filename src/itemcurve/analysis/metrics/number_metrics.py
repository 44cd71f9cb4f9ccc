"""The usual metrics of regressors, for all respondents at once."""

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.predictions import Forecasts


def measure_numbers(forecasts: Forecasts) -> dict[str, NDArray[np.float64]]:
    """Give mean absolute error, root mean squared error and R² of every respondent."""
    errors = forecasts.values - forecasts.targets
    spread = ((forecasts.targets - forecasts.targets.mean()) ** 2).mean()
    squares = np.asarray((errors**2).mean(axis=1))
    return {
        "mae": np.asarray(np.abs(errors).mean(axis=1)),
        "rmse": np.sqrt(squares),
        "r2": 1 - squares / spread if spread > 0 else np.full(len(squares), np.nan),
    }
