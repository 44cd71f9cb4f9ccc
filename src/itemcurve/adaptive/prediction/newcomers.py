"""Respondents unlike those calibrated on, told by how far two predictions of theirs disagree."""

import numpy as np

from itemcurve.numerics.engine import Array

# Share of newcomers before anything is seen of them, spread evenly over a gap of one score range.
_SHARE = 0.1


def find_unsurprising(gaps: Array, gap_sd: float, width: float) -> Array:
    """Chance that a gap between two predictions comes from within the calibration.

    Parameters
    ----------
    gap_sd : of the gaps of calibrated respondents.
    width : of the range of scores.
    """
    z = gaps / gap_sd
    usual = (1 - _SHARE) * np.exp(-0.5 * z**2) / (gap_sd * np.sqrt(2 * np.pi))
    return np.asarray(usual / (usual + _SHARE / max(width, 1e-12)))
