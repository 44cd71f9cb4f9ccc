"""How many predictions noise changes, bin by bin, and where κ can be read beside that."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from itemcurve.analysis.robustness.system_curves import SystemCurves


# A bin in which one class has at least this share is made of a single class.
SINGLE_CLASS = 0.9
# κ runs from 0 to 1 in practice: an interval over half of that tells nothing.
WIDEST_INTERVAL = 0.5


def count_changes(curves: "SystemCurves") -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Count predictions that differ between clean and noisy input, all instances being noisy.

    Returns
    -------
    Changes (respondents × bins) and the instances of each bin.
    """
    differs = curves.clean != curves.noisy
    places = range(curves.n_bins)
    changed = np.stack([differs[:, curves.bins == place].sum(axis=1) for place in places], axis=1)
    return changed, np.array([int((curves.bins == place).sum()) for place in places])


def find_constant(curves: "SystemCurves") -> NDArray[np.bool_]:
    """Say which respondents name one and the same class for every instance, noisy or not."""
    inside = curves.bins >= 0
    both = np.concatenate([curves.clean[:, inside], curves.noisy[:, inside]], axis=1)
    return np.asarray((both == both[:, :1]).all(axis=1))


def find_readable(curves: "SystemCurves") -> NDArray[np.bool_]:
    """Say in which bins κ means something (respondents × bins).

    Where one class holds nine in ten of the clean predictions, chance alone agrees on 82 % or
    more and a few changes cost all of κ; where the interval of κ at the largest share spans over
    half of its range, κ is not known.
    """
    found = np.zeros(curves.kappa.shape[:2], dtype=bool)
    width = curves.upper[:, :, -1] - curves.lower[:, :, -1]
    for place in range(curves.n_bins):
        inside = curves.clean[:, curves.bins == place]
        if inside.size:
            counts = [(inside == code).sum(axis=1) for code in range(len(curves.classes))]
            found[:, place] = np.max(counts, axis=0) < SINGLE_CLASS * inside.shape[1]
    return found & (width <= WIDEST_INTERVAL)
