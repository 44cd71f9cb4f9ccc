"""From the mode of a posterior to its mean.

With few respondents the posterior of their abilities is skewed: over 60 items of β³ the mode lies
half a standard deviation from the mean, on average over respondents, and always towards the middle
of the scale. To second order the mean is

    mode + ½ Σ · Σ_k λ_k ∂³L/∂u∂v_k²

with the covariance Σ = Σ_k λ_k v_k v_kᵀ (Tierney and Kadane 1986; Lindley 1980). The third
derivatives are second differences of the exact gradient one standard deviation either way along
each axis of Σ, so that what is far from quadratic counts as it is felt there.
"""

from collections.abc import Callable

import numpy as np

from itemcurve.estimation.marginal.em_newton import Point, evaluate, marginal_gradient
from itemcurve.estimation.marginal.m_step import clipped
from itemcurve.estimation.marginal.observed_information import full_information
from itemcurve.estimation.marginal.problem import MarginalProblem
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import Estimated, EstimatedMatrix
from itemcurve.numerics.symmetric_matrices import decompose

# Two passes over the data for every parameter: beyond this many they take longer than the fit.
MOST_PARAMETERS = 20
# An expansion that asks for more than this, in standard deviations, is beyond its reach.
_LARGEST_SHIFT = 1.0
# Axes whose variance is such a share of the largest may matter, up to so many of them; along them
# the slope of log det hardly changes, and the mean may lie further from the mode.
_LEADING_SHARE, _MOST_LEADING = 0.5, 2
_LARGEST_LEADING_SHIFT = 3.0


def posterior_mean(problem: MarginalProblem, mode: Point, covariance: EstimatedMatrix) -> Point:
    """Give the point at the posterior mean of entities and population.

    Parameters
    ----------
    covariance : of all parameters at the mode, entity by entity, then the population's state.
    """
    centre = np.concatenate([mode.x.ravel(), mode.state])
    mean = mean_by_expansion(lambda at: _gradient(problem, mode, at), centre, covariance)
    return _at(problem, mode, mean)


def mean_by_expansion(
    gradient: Callable[[Array], Array], mode: Estimated, covariance: EstimatedMatrix
) -> Estimated:
    """Give the posterior mean of parameters, from the gradient of their log density."""
    values, axes = decompose(covariance)
    at_mode = gradient(mode)
    bend = np.zeros_like(mode)
    for axis in (axes * np.sqrt(np.maximum(values, 0.0))).T:
        bend += gradient(mode + axis) + gradient(mode - axis) - 2 * at_mode
    sds = np.sqrt(np.diag(covariance))
    shift = np.clip(0.5 * covariance @ bend, -_LARGEST_SHIFT * sds, _LARGEST_SHIFT * sds)
    return np.asarray(mode + shift)


def mean_along_leading(
    information: Callable[[Array], Array], mode: Estimated, covariance: EstimatedMatrix
) -> Estimated:
    """Give the posterior mean as far as it lies along the axes that are known worst.

    Summed over k, the third derivatives λ_k ∂³L/∂u∂v_k² are minus the slope of log det of the
    information along u. So the shift along one axis takes two informations, whatever the number of
    parameters; and where it is large in units that matter, that axis is one of the longest: of an
    absolute scale its unit and origin, with which the widths of all other directions grow.
    """
    values, axes = decompose(covariance)
    mean = np.array(mode)
    leading = [k for k in np.argsort(values)[::-1] if values[k] >= _LEADING_SHARE * values.max()]
    for place in leading[:_MOST_LEADING]:
        axis = axes[:, place] * np.sqrt(max(values[place], 0.0))
        (sign, above), (turn, below) = (
            np.linalg.slogdet(information(mode + side * axis)) for side in (1.0, -1.0)
        )
        # One standard deviation away the posterior may have ended.
        if sign > 0 and turn > 0:
            limit = _LARGEST_LEADING_SHIFT
            mean += axis * float(np.clip((below - above) / 4, -limit, limit))
    return mean


def mean_of_scale(problem: MarginalProblem, mode: Point, covariance: EstimatedMatrix) -> Point:
    """Give the point at the posterior mean along the axes that are known worst."""
    centre = np.concatenate([mode.x.ravel(), mode.state])

    def information(parameters: Estimated) -> EstimatedMatrix:
        point = _at(problem, mode, parameters)
        return full_information(problem, point.x, point.state, point.expectation)

    return _at(problem, mode, mean_along_leading(information, centre, covariance))


def _gradient(problem: MarginalProblem, like: Point, parameters: Estimated) -> Estimated:
    return marginal_gradient(problem, _at(problem, like, parameters))


def _at(problem: MarginalProblem, like: Point, parameters: Estimated) -> Point:
    size = like.x.size
    x = clipped(problem, parameters[:size].reshape(like.x.shape))
    return evaluate(problem, x, np.clip(parameters[size:], *problem.population.bounds()))
