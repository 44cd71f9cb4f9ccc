"""A general ability above the others: how abilities go together is explained by one.

θ_d = λ_d g + √(1 − λ_d²) u_d, so that correlations are λ_d λ_e (Schmid and Leiman 1957). The
general ability acts on responses through the others alone; that of a bifactor acts on them itself.
"""

from typing import Annotated, Any

import numpy as np

from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes

# The least share of an ability that is its own.
_LEAST_OWN = 1e-3

Loadings = Annotated[Array, axes("dimensions")]
Square = Annotated[Array, axes("dimensions dimensions")]


def general_loadings(correlation: Square) -> Loadings:
    """Loadings of the abilities on one above them, by maximum likelihood.

    Of two abilities they are the same. The sum is positive.

    Examples
    --------
    >>> wanted = np.array([0.9, 0.6, 0.5])
    >>> general_loadings(composed(wanted)).round(6).tolist()
    [0.9, 0.6, 0.5]
    """
    if len(correlation) == 2:
        shared = float(correlation[0, 1])
        own = np.sqrt(min(abs(shared), 1 - _LEAST_OWN))
        return np.array([own, np.sign(shared) * own])
    from scipy.optimize import minimize

    def misfit(loadings: Loadings) -> tuple[float, Loadings]:
        """What is minimised, log |R| + tr(S R⁻¹), and its slopes."""
        made = composed(loadings)
        inverse = np.linalg.inv(made)
        height = np.linalg.slogdet(made)[1] + float((correlation * inverse).sum())
        slope = inverse - inverse @ correlation @ inverse
        np.fill_diagonal(slope, 0.0)
        return float(height), 2.0 * slope @ loadings

    values, vectors = np.linalg.eigh(correlation)
    start = np.clip(vectors[:, -1] * np.sqrt(max(0.8 * (values[-1] - 1.0), 0.1)), -0.9, 0.9)
    most = np.sqrt(1 - _LEAST_OWN)
    height: Any = misfit
    found = minimize(
        height,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=[(-most, most)] * len(start),
        options={"ftol": 1e-15, "gtol": 1e-9},
    )
    loading = np.asarray(found.x)
    return loading if loading.sum() >= 0 else -loading


def composed(loadings: Loadings) -> Square:
    """The correlations of abilities with these loadings on the general one."""
    found = np.outer(loadings, loadings)
    np.fill_diagonal(found, 1.0)
    return found


def general_moments(
    loadings: Loadings,
    mean: Annotated[Array, axes("respondents dimensions")],
    covariance: Annotated[Array, axes("respondents dimensions dimensions")],
) -> tuple[Annotated[Array, axes("respondents")], Annotated[Array, axes("respondents")]]:
    """Mean and standard deviation of the general ability of each respondent."""
    weight = np.linalg.solve(composed(loadings), loadings)
    left = max(1.0 - float(loadings @ weight), 0.0)
    variance = left + np.einsum("k,nkl,l->n", weight, covariance, weight)
    return mean @ weight, np.sqrt(variance)


def loading_slopes(loadings: Loadings) -> Annotated[Array, axes("pairs dimensions")]:
    """Derivatives of the correlations below the diagonal in the loadings."""
    rows, columns = np.tril_indices(len(loadings), -1)
    found = np.zeros((len(rows), len(loadings)))
    place = np.arange(len(rows))
    found[place, rows] = loadings[columns]
    found[place, columns] = loadings[rows]
    return found


def loading_errors(
    loadings: Loadings, covariance: Annotated[Array, axes("pairs pairs")]
) -> Loadings:
    """Standard errors of loadings, from the covariance of the correlations that they make."""
    slopes = loading_slopes(loadings)
    information = slopes.T @ np.linalg.pinv(covariance, hermitian=True) @ slopes
    return np.sqrt(np.maximum(np.diag(np.linalg.pinv(information, hermitian=True)), 0.0))
