"""Gauss-Hermite quadrature for the standard normal density."""

from functools import lru_cache

import numpy as np

from itemcurve.numerics.shapes import PerPoint


@lru_cache(maxsize=16)
def gauss_hermite(size: int) -> tuple[PerPoint, PerPoint]:
    """Give nodes and log weights such that Σ w f(x) ≈ ∫ f(x) dx, exact for polynomial × N(0, 1).

    The normal density is divided out of the weights, so `f` is the plain integrand.
    """
    nodes, weights = np.polynomial.hermite_e.hermegauss(size)
    return nodes, np.log(weights) + nodes**2 / 2
