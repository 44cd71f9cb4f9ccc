"""How much ability and error vary with noise, in per cent of their noise-free values (Fig. 9)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from itemcurve_studies.gamma.polynomial import Polynomial

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Variation:
    """Absolute change from the first level in per cent of it, means over data sets.

    Attributes
    ----------
    ability : of the ability in (0, 1) (steps × respondents).
    odds : of its odds θ/(1 − θ), which have no upper end, as errors have none.
    absolute : of the mean absolute error.
    normalised : of the mean normalised error, medians over data sets: near-zero distances from
        the mean make its own mean a matter of single items.
    """

    ability: Floats
    odds: Floats
    absolute: Floats
    normalised: Floats


def measure_variation(study: Polynomial, method: int) -> Variation:
    """Give the variation of all respondents at the steps after the first."""
    ability = study.abilities[:, :, method]
    odds = np.exp(np.log(ability / (1 - ability)).mean(axis=0))
    return Variation(
        _percent(ability.mean(axis=0)),
        _percent(odds),
        _percent(study.absolute.mean(axis=0)),
        _percent(np.median(study.errors, axis=0)),
    )


def compare_paired(first: Floats, second: Floats) -> tuple[float, float]:
    """Mean difference of two variations over all cells, and p of the paired t-test."""
    from scipy.stats import ttest_rel

    gap = (first - second).ravel()
    return float(gap.mean()), float(ttest_rel(first.ravel(), second.ravel()).pvalue)


def _percent(values: Floats) -> Floats:
    """Changes of levels × respondents from the first level."""
    return np.asarray(100 * np.abs(values[1:] - values[0]) / values[0])
