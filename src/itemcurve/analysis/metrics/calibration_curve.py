"""Calibration curves: how often choices are right, by how sure the respondent said it was."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.predictions import Predictions

if TYPE_CHECKING:
    import pandas

_GROUPS = 8
# A share of fewer is off by a tenth, typically.
_LEAST = 25


def calibration_curves(predictions: Predictions) -> "pandas.DataFrame":
    """Compare what respondents state with what comes true, in groups of equal size.

    Returns
    -------
    Columns respondent, stated (mean probability of the class that was chosen), right (share of
    given labels among these choices) and items; one row per group, the least sure first.
    References are left out, and respondents that name classes without probabilities.
    """
    import pandas

    rows = []
    stated = predictions.probabilities.max(axis=2).astype(float)
    right = predictions.chosen == predictions.labels
    for place, name in enumerate(predictions.respondents):
        own = stated[place]
        if predictions.is_reference[place] or np.isin(own, (0.0, 1.0)).all():
            continue
        for group in _groups(own):
            share = float(right[place][group].mean())
            rows.append((name, float(own[group].mean()), share, len(group)))
    return pandas.DataFrame(rows, columns=["respondent", "stated", "right", "items"])


def _groups(stated: NDArray[np.float64]) -> list[NDArray[np.intp]]:
    """Items in the order of what was stated, in parts as equal as their number allows."""
    order = np.argsort(stated, kind="stable")
    count = max(1, min(_GROUPS, len(order) // _LEAST))
    return [part for part in np.array_split(order, count) if len(part)]
