"""Standard errors so large that their number says nothing: tables show none."""

import numpy as np
from numpy.typing import NDArray

from itemcurve.numerics.engine import Array

# A standard error beyond this says that the data do not determine what it belongs to; they stand
# for estimates on scales of logits, where single digits are large.
LARGEST_ERROR = 1e4
UNDETERMINED = "not determined"


def is_undetermined(errors: Array) -> NDArray[np.bool_]:
    """Say where a standard error is so large that its number means nothing."""
    return np.asarray(errors) >= LARGEST_ERROR


def shown_errors(errors: Array) -> Array:
    """Standard errors with nothing where the number would say nothing."""
    return np.where(is_undetermined(errors), np.nan, errors)
