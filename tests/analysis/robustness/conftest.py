"""Curves with given κ."""

import numpy as np
import pytest

from itemcurve.analysis.robustness.system_curves import SystemCurves


def make_curves(kappa, name="one", respondents=None, complexity=0.01, half=0.0):
    """Curves with given κ and no more than that."""
    kappa = np.asarray(kappa, dtype=float)
    count, bins, shares = kappa.shape
    return SystemCurves(
        name,
        tuple(respondents or (f"m{n}" for n in range(count))),
        np.arange(bins, dtype=float),
        tuple(np.arange(shares) / 10),
        kappa,
        kappa - half,
        kappa + half,
        0.9,
        ("a", "b"),
        np.zeros(4, int),
        np.zeros((count, 4), int),
        np.zeros((count, 4), int),
        np.zeros(4, int),
        np.arange(4),
        complexity,
    )


@pytest.fixture
def two_by_two():
    # Two models, two bins, shares 0 and .1 and .2.
    return make_curves([[[1, 0.9, 0.8], [1, 0.7, 0.5]], [[1, 0.8, 0.4], [1, 0.9, 0.9]]], half=0.01)
