"""How sure a respondent is beside how sure it should be, in words."""

from math import isfinite

# Within a quarter of the right sharpness, stated probabilities serve as they are.
_CLOSE = 1.25
# Beyond this the size of the factor says no more than that it is large.
_LARGE = 10.0


def say_calibration(slope: float) -> str:
    """Say what a calibration slope means.

    Examples
    --------
    >>> say_calibration(0.4), say_calibration(1.0), say_calibration(2.0)
    ('over-confident ×2.5', 'calibrated', 'under-confident ×2.0')
    """
    if not isfinite(slope) or slope <= 0:
        return "says nothing"
    if 1 / _CLOSE <= slope <= _CLOSE:
        return "calibrated"
    factor = max(slope, 1 / slope)
    side = "over-confident" if slope < 1 else "under-confident"
    return f"{side} ×{factor:.1f}" if factor <= _LARGE else f"{side} ×10+"
