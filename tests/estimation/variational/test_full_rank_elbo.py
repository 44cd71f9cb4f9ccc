"""The bound of one normal posterior of everything, against the same written out in full."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.estimation.identification.starting_values import start_values
from itemcurve.estimation.posterior_mode.log_posterior import JointProblem
from itemcurve.estimation.variational.full_rank_elbo import FullRankELBO, FullRankPosterior
from itemcurve.estimation.variational.mean_field_elbo import MeanFieldELBO, MeanFieldPosterior
from itemcurve.models.likelihood import Likelihood
from itemcurve.models.priors import Normal
from itemcurve.numerics.engine import NUMPY, get_engine

RESPONDENTS, ITEMS = 4, 3


def field_of(name, responses, engine=NUMPY, **settings):
    model = ic.get_model(name, **settings)
    likelihood = Likelihood(model)
    problem = JointProblem.build(
        likelihood, responses, start_values(model, responses), engine, has_priors=False
    )
    priors = tuple(model.parameters[i].prior for i in likelihood.free)
    return MeanFieldELBO(problem, priors, Normal(0.0, 1.0), (1.0, 1.0))


def posterior_of(field, abilities, links=0.3):
    """Some precision of the right shape, positive definite."""
    rng = np.random.default_rng(3)
    start = field.problem.with_priors().evaluate
    x = field.problem.held[:, list(field.problem.likelihood.free)] * 0.0 + 0.3
    slopes = start(x, abilities)
    width = x.shape[1]
    part = rng.normal(size=(len(x), width, width))
    matrix = 20.0 * np.eye(width) + part @ part.transpose(0, 2, 1)
    cross = links * rng.normal(size=(len(x), width, len(abilities)))
    precision = replace(
        slopes, item_matrix=matrix, ability_matrix=np.full(len(abilities), 15.0), cross=cross
    )
    return FullRankPosterior(x, abilities, precision)


def written_out(q):
    """Mean and covariance of (x, t), items first."""
    items, width = q.x.shape
    size = q.x.size
    full = np.zeros((size + len(q.t),) * 2)
    for index in range(items):
        rows = slice(index * width, (index + 1) * width)
        full[rows, rows] = q.precision.item_matrix[index]
        full[rows, size:] = q.precision.cross[index]
    full[size:, :size] = full[:size, size:].T
    full[size:, size:] = np.diag(q.precision.ability_matrix)
    return np.concatenate([q.x.ravel(), q.t]), np.linalg.inv(full)


@pytest.mark.parametrize(("respondents", "items"), [(4, 3), (9, 2)])
def test_covariances_are_those_of_the_matrix_written_out(respondents, items):
    """The corner of the arrow is the smaller side: once abilities, once items."""
    truth = ic.simulate("2pl", respondents=respondents, items=items, seed=1)
    q = posterior_of(field_of("2pl", truth.responses), truth.abilities)
    _, covariance = written_out(q)
    size = q.x.size
    for index in range(items):
        rows = slice(2 * index, 2 * index + 2)
        np.testing.assert_allclose(q.x_covariance[index], covariance[rows, rows], rtol=1e-6)
        np.testing.assert_allclose(q.x_with_t[index], covariance[rows, size:], rtol=1e-5, atol=1e-9)
    np.testing.assert_allclose(q.t_sd**2, np.diag(covariance)[size:], rtol=1e-6)
    entropy = 0.5 * np.linalg.slogdet(2 * np.pi * np.e * covariance)[1]
    assert q.entropy == pytest.approx(entropy, abs=1e-6)


def test_expectations_are_exact_where_the_likelihood_is_a_polynomial():
    """Normal noise of known size: log f is quartic in ability, slope and intercept together."""
    truth = ic.simulate("logit-normal", respondents=RESPONDENTS, items=ITEMS, seed=1)
    field = field_of("logit-normal", truth.responses, noise=0.7)
    q = posterior_of(field, truth.abilities)
    found = FullRankELBO(field).bound(q)
    value, gradient, curvature = _by_brute_force(field, q)
    assert found.value == pytest.approx(value, rel=1e-8)
    size = q.x.size
    np.testing.assert_allclose(found.item_slope.ravel(), gradient[:size], rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(found.ability_slope, gradient[size:], rtol=1e-6, atol=1e-7)
    for index in range(ITEMS):
        rows = slice(2 * index, 2 * index + 2)
        np.testing.assert_allclose(found.item_matrix[index], curvature[rows, rows], atol=1e-4)
        np.testing.assert_allclose(found.cross[index], curvature[rows, size:], atol=1e-4)
    np.testing.assert_allclose(found.ability_matrix, np.diag(curvature)[size:], atol=1e-4)


def _by_brute_force(field, q):
    """The bound with its gradient and curvature by a full grid over each cell's three variables."""
    mean, covariance = written_out(q)
    size, problem = q.x.size, field.problem
    nodes, weights = np.polynomial.hermite_e.hermegauss(7)
    weights = weights / weights.sum()
    value, gradient = q.entropy, np.zeros(len(mean))
    curvature = np.zeros((len(mean), len(mean)))
    channels = [np.concatenate(parts) for parts in zip(*problem.blocks, strict=True)]
    for item, respondent in product(range(len(q.x)), range(len(q.t))):
        index = [2 * item, 2 * item + 1, size + respondent]
        root = np.linalg.cholesky(covariance[np.ix_(index, index)])
        cell = [channel[item : item + 1, respondent : respondent + 1] for channel in channels]

        def height(u, item=item, cell=cell):
            values = problem.held[item : item + 1].copy()
            values[0, :2] = u[:2]
            curves = problem.likelihood.curves(NUMPY, u[2:], values)
            return sum(float((c * g)[0, 0]) for c, g in zip(cell, curves, strict=True))

        for grid in product(range(7), repeat=3):
            u = mean[index] + root @ nodes[list(grid)]
            weight = np.prod(weights[list(grid)])
            value += weight * height(u)
            gradient[index] += weight * _slope(height, u)
            curvature[np.ix_(index, index)] -= weight * _bend(height, u)
    priors = [*[field.priors[k] for _ in range(len(q.x)) for k in range(2)]]
    priors += [field.ability_prior] * len(q.t)
    for place, prior in enumerate(priors):
        gap, variance = mean[place] - prior.mean, covariance[place, place]
        value -= 0.5 * (gap**2 + variance) / prior.sd**2 + 0.5 * np.log(2 * np.pi * prior.sd**2)
        gradient[place] -= gap / prior.sd**2
        curvature[place, place] += 1 / prior.sd**2
    return value, gradient, curvature


def _slope(height, u, step=1e-4):
    units = step * np.eye(3)
    return np.array([(height(u + e) - height(u - e)) / (2 * step) for e in units])


def _bend(height, u, step=1e-3):
    units = step * np.eye(3)
    found = np.empty((3, 3))
    for i, j in product(range(3), repeat=2):
        corners = [
            a * b * height(u + a * units[i] + b * units[j]) for a in (1, -1) for b in (1, -1)
        ]
        found[i, j] = sum(corners) / (4 * step**2)
    return found


@pytest.mark.parametrize("name", ["2pl", "beta3", "gamma", "logit-normal", "2pl-nd"])
def test_slopes_are_derivatives_of_the_bound(name):
    truth = ic.simulate(name, respondents=6, items=5, seed=1)
    field = field_of(name, truth.responses)
    linked = FullRankELBO(field)
    q = posterior_of(field, np.clip(truth.abilities, -2, 2))
    bound, step = linked.bound(q), 1e-6
    rng = np.random.default_rng(2)
    for part, slope in (("x", bound.item_slope), ("t", bound.ability_slope)):
        change = rng.normal(size=slope.shape)
        above, below = (
            linked.bound(replace(q, **{part: getattr(q, part) + sign * step * change})).value
            for sign in (1, -1)
        )
        assert (above - below) / (2 * step) == pytest.approx((slope * change).sum(), rel=1e-5)


def test_without_links_it_is_the_bound_of_independent_posteriors():
    truth = ic.simulate("beta3", respondents=6, items=5, seed=1)
    field = field_of("beta3", truth.responses)
    q = posterior_of(field, truth.abilities, links=0.0)
    diagonal = np.diagonal(q.precision.item_matrix, axis1=1, axis2=2)
    apart = replace(q.precision, item_matrix=diagonal[:, :, None] * np.eye(2))
    q = replace(q, precision=apart)
    independent = field.bound(MeanFieldPosterior(q.x, q.x_sd, q.t, q.t_sd))
    found = FullRankELBO(field).bound(q)
    assert found.value == pytest.approx(independent.value, rel=1e-9)
    np.testing.assert_allclose(found.item_slope, independent.x_slope, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(found.ability_matrix, independent.t_precision, rtol=1e-6)


def test_both_engines_give_the_same_bound():
    pytest.importorskip("jax")
    truth = ic.simulate("beta3", respondents=6, items=5, seed=1)
    found = []
    for engine in (NUMPY, get_engine("jax")):
        with engine.double_precision():
            field = field_of("beta3", truth.responses, engine)
            found.append(FullRankELBO(field).bound(posterior_of(field, truth.abilities)))
    assert found[0].value == pytest.approx(found[1].value, rel=1e-9)
    np.testing.assert_allclose(found[0].cross, found[1].cross, rtol=1e-6, atol=1e-9)


def test_a_precision_that_is_none_is_refused():
    truth = ic.simulate("2pl", respondents=6, items=5, seed=1)
    field = field_of("2pl", truth.responses)
    q = posterior_of(field, truth.abilities, links=50.0)
    with pytest.raises(np.linalg.LinAlgError):
        FullRankELBO(field).bound(q)
