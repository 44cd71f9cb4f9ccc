"""Easy, hard or uninformative: what an item does for the respondents it was given to."""

import numpy as np
from numpy.typing import NDArray

from itemcurve.estimation.result import FitResult

SUSPECT = "suspect label"
EASY, HARD, UNINFORMATIVE, INFORMATIVE = "easy", "hard", "uninformative", "informative"
VERDICTS = (SUSPECT, EASY, HARD, UNINFORMATIVE, INFORMATIVE)

EASY_FROM = 0.9
HARD_UNTO = 0.5
FLAT_BELOW = 0.1


def judge_items(fit: FitResult) -> NDArray[np.str_]:
    """Give each item's verdict from its expected response at the middle half of abilities.

    Easy: at least 0.9 throughout, from the lower to the upper quartile of abilities. Hard: at most
    0.5 throughout. Uninformative: neither, and it changes by less than 0.1 between the quartiles,
    so that it hardly tells these respondents apart. Informative: the rest. Expected errors e from 0
    are read as 1 / (1 + e / m), m the median observed error.
    """
    quartiles = np.quantile(fit.estimates.abilities, (0.25, 0.5, 0.75))
    expected = _as_share(fit, fit.expected_response(quartiles))
    lowest, highest = expected.min(axis=0), expected.max(axis=0)
    is_flat = np.abs(expected[2] - expected[0]) < FLAT_BELOW
    return np.select(
        [lowest >= EASY_FROM, highest <= HARD_UNTO, is_flat],
        [EASY, HARD, UNINFORMATIVE],
        default=INFORMATIVE,
    )


def _as_share(fit: FitResult, expected: NDArray[np.float64]) -> NDArray[np.float64]:
    """Bring expected responses to [0, 1], 1 the best."""
    if np.isfinite(fit.estimates.model.family.support[1]):
        return expected
    middle = np.median(fit.responses.observed_values())
    return np.asarray(middle / (middle + expected))
