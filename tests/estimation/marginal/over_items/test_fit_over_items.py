"""Items integrated out where they are steep: few nodes, the right maximum, and it is found."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit, log_expit, logsumexp

import itemcurve as ic
from itemcurve.estimation.identification.reported_errors import inverse_information
from itemcurve.estimation.marginal.over_items import fit_over_items
from itemcurve.estimation.marginal.over_items.fit_over_items import (
    parameter_information,
    solve_over_items,
)
from itemcurve.estimation.marginal.settings import Marginal
from itemcurve.estimation.optimisation.iterate import UNWATCHED
from itemcurve.estimation.status import FitStatus
from itemcurve.models.catalogue import get_model
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY
from itemcurve.numerics.integration import AtNodes


def steep_responses(seed):
    """Like language models on a hard benchmark: abilities close together, items that split them."""
    rng = np.random.default_rng(seed)
    abilities = np.sort(np.concatenate([rng.normal(-0.6, 0.15, 12), rng.normal(0.4, 0.25, 28)]))
    slopes, difficulties = rng.normal(3.4, 2.2, 200), rng.normal(0.0, 1.0, 200)
    chances = expit(slopes * (abilities[:, None] - difficulties))
    return (rng.random(chances.shape) < chances).astype(float)


def dense_objective(responses, x, state, reach=5.0):
    """The objective of the 2PL over items by a fine trapezoidal rule, written down anew."""
    centre, sd = state[0], np.exp(state[1])
    a = np.linspace(centre - reach * sd, centre + reach * sd, 121)
    b = np.linspace(-reach, reach, 401)
    slope, difficulty = (part.ravel() for part in np.meshgrid(a, b, indexing="ij"))
    prior = -0.5 * ((slope - centre) / sd) ** 2 - np.log(sd) - 0.5 * difficulty**2
    prior += np.log((a[1] - a[0]) * (b[1] - b[0]) / (2 * np.pi))
    logits = slope * (x[:, None] - difficulty)
    likelihood = responses.T @ logits + log_expit(-logits).sum(axis=0)
    total = logsumexp(prior + likelihood, axis=1).sum()
    log_prior = (-0.5 * (x / 3) ** 2 - np.log(3 * np.sqrt(2 * np.pi))).sum()
    return total + log_prior - 0.5 * ((state[0] - 1) ** 2 + state[1] ** 2)


@pytest.mark.parametrize("seed", [0, 1])
def test_steep_items_are_integrated_at_few_nodes_and_the_maximum_is_that_of_a_dense_grid(seed):
    responses = steep_responses(seed)
    problem, optimum = solve_over_items(
        Marginal(over="items"),
        ic.Responses.from_array(responses),
        Likelihood(get_model("2pl").population_form()),
        NUMPY,
        UNWATCHED,
    )
    assert optimum.status is FitStatus.CONVERGED
    assert problem.marginal.grid.rule == AtNodes()
    assert problem.marginal.grid.points.shape[0] < 5000
    x, state = optimum.point.x[:, 0], optimum.point.state
    dense = dense_objective(responses, x, state)
    assert optimum.point.objective == pytest.approx(dense, abs=0.05)
    # The slope along directions one standard error long is the distance to the maximum, in
    # standard errors.
    covariance = inverse_information(parameter_information(problem.marginal, optimum.point))
    errors = np.sqrt(np.diag(covariance))
    rng = np.random.default_rng(7)
    single = np.diag(errors)[[0, len(x) // 2, len(x), len(x) + 1]]
    mixed = [
        np.linalg.cholesky(covariance) @ v / np.linalg.norm(v) for v in rng.normal(size=(2, 42))
    ]
    for direction in (*single, *mixed):
        ends = [
            dense_objective(responses, x + sign * direction[:-2], state + sign * direction[-2:])
            for sign in (0.05, -0.05)
        ]
        assert abs(ends[0] - ends[1]) / 0.1 < 0.03


def test_quantiles_of_steep_items_are_those_of_a_dense_grid():
    responses = steep_responses(2)
    fit = ic.fit(ic.Responses.from_array(responses), "2pl", method=Marginal(over="items"))
    unit, location = (fit.estimates.population[f"ability_{key}"] for key in ("unit", "location"))
    x = fit.estimates.abilities * unit + location
    centre, sd = (fit.estimates.population[f"discrimination_{key}"] for key in ("mean", "sd"))
    b = np.linspace(-5, 5, 2001)
    slope, difficulty = np.meshgrid(np.linspace(centre - 5 * sd, centre + 5 * sd, 161), b)
    prior = -0.5 * ((slope - centre) / sd) ** 2 - 0.5 * difficulty**2
    base = prior + sum(log_expit(-slope * (t - difficulty)) for t in x)
    for item in (0, 50, 100, 150):
        height = base + slope * (responses[:, item] @ x - responses[:, item].sum() * difficulty)
        mass = np.exp(height - height.max()).sum(axis=1)
        share = np.cumsum(mass / mass.sum()) - mass / mass.sum() / 2
        for end, q in (("lower", 0.05), ("upper", 0.95)):
            found = fit.estimates.item_extras[f"difficulty_{end}"][item] * unit + location
            assert np.interp(found, b, share) == pytest.approx(q, abs=0.003)


def test_a_flat_maximum_over_items_names_what_it_leaves_open(monkeypatch):
    responses = ic.Responses.from_array(steep_responses(3)[:, :60])

    def flat(*arguments, **settings):
        problem, optimum = solve_over_items(*arguments, **settings)
        return problem, replace(optimum, status=FitStatus.FLAT)

    monkeypatch.setattr(fit_over_items, "solve_over_items", flat)
    fit = ic.fit(responses, "2pl", method=Marginal(over="items"))
    assert fit.status is FitStatus.FLAT
    named = [key for key in fit.estimates.diagnostics if key.startswith("undetermined: ")]
    assert named
    assert all(" of " in key for key in named)
