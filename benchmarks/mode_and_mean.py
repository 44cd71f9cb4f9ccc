"""How far mode and expanded mean of abilities lie from their mean, by importance sampling.

The marginal posterior of abilities and population is known exactly at any point. Draws from its
normal approximation, weighted by the ratio of both, give its means without any sampler.

    python -m benchmarks.mode_and_mean
"""

from typing import Any

import numpy as np

import itemcurve
from itemcurve.estimation.marginal.em_newton import evaluate
from itemcurve.estimation.marginal.over_items.fit_over_items import (
    parameter_covariance,
    solve_over_items,
)
from itemcurve.estimation.marginal.over_items.posterior_mean import posterior_mean
from itemcurve.estimation.optimisation.iterate import UNWATCHED
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY

_WIDENED = 1.3
_PAIRS = 80


def measure_gap(model: str, respondents: int, items: int, seed: int) -> dict[str, Any]:
    """Distances of mode and expanded mean from the mean of each ability, in posterior sds."""
    truth = itemcurve.simulate(model, respondents=respondents, items=items, seed=seed)
    likelihood = Likelihood(itemcurve.get_model(model).population_form())
    settings = itemcurve.Marginal(over="items")
    problem, optimum = solve_over_items(settings, truth.responses, likelihood, NUMPY, UNWATCHED)
    x, state = optimum.point.x, optimum.point.state
    covariance = parameter_covariance(problem.marginal, optimum.point)
    expanded = posterior_mean(problem.marginal, optimum.point, covariance)
    root = np.linalg.cholesky(_WIDENED * covariance)
    mode = np.concatenate([x.ravel(), state])
    half = np.random.default_rng(0).normal(size=(_PAIRS, len(mode)))
    # Each direction both ways: what is symmetric then has no noise.
    normal = np.concatenate([half, -half])
    points = mode + normal @ root.T
    heights = [
        evaluate(problem.marginal, point[: x.size].reshape(-1, 1), point[x.size :]).objective
        for point in points
    ]
    logs = np.array(heights) + 0.5 * (normal**2).sum(axis=1)
    weights = np.exp(logs - logs.max())
    weights /= weights.sum()
    mean = weights @ points
    sd = np.sqrt(weights @ (points - mean) ** 2)
    gaps = ((mode - mean) / sd)[: x.size]
    left = (expanded.x.ravel() - mean[: x.size]) / sd[: x.size]
    return {
        "mode_gap": float(np.abs(gaps).mean()),
        "expanded_gap": float(np.abs(left).mean()),
        "effective_draws": float(1 / (weights**2).sum()),
    }


if __name__ == "__main__":
    print(measure_gap("beta3", 12, 60, seed=1))
