"""Integrals at nodes and around peaks against SciPy's adaptive quadrature."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import expit

from itemcurve.numerics.chebyshev import chebyshev_grid, interpolation_weights
from itemcurve.numerics.engine import NUMPY
from itemcurve.numerics.integration import AroundPeak, AtNodes
from itemcurve.numerics.orthonormal import orthonormal_polynomials, whitening

GRID = chebyshev_grid(-6.0, 6.0, 96)


def log_posterior(ability, n_items, share):
    """A 1PL posterior: n items of difficulty 0.4, a share of them right."""
    p = expit(1.3 * (ability - 0.4))
    return n_items * (share * np.log(p) + (1 - share) * np.log1p(-p)) - ability**2 / 2


def integrate(rule, *cases):
    log_values = np.stack([log_posterior(GRID.nodes, *case) for case in cases])
    return rule.integrate(NUMPY, log_values, GRID.nodes, np.log(GRID.quadrature), GRID)


@pytest.mark.parametrize(
    ("rule", "n_items", "tolerance"),
    [
        (AtNodes(), 5, 1e-9),
        (AtNodes(), 30, 1e-9),
        (AroundPeak(15), 60, 1e-6),
        (AroundPeak(7), 800, 1e-7),
    ],
)
def test_log_integral_mean_and_spread_match_adaptive_quadrature(rule, n_items, tolerance):
    case = (n_items, 0.8)
    density = integrate(rule, case)
    peak = log_posterior(GRID.nodes, *case).max()

    def moment(power):
        def integrand(t):
            return t**power * np.exp(log_posterior(t, *case) - peak)

        return quad(integrand, -6, 6, points=[1.0, 2.0], limit=400, epsabs=1e-13)[0]

    total = moment(0)
    assert density.log_integral[0] == pytest.approx(np.log(total) + peak, abs=10 * tolerance)
    spread = density.onto_nodes(NUMPY)
    assert (spread @ GRID.nodes)[0] == pytest.approx(moment(1) / total, abs=tolerance)
    assert (spread @ GRID.nodes**2)[0] == pytest.approx(moment(2) / total, abs=tolerance)


def test_weights_around_a_peak_integrate_smooth_functions_given_at_nodes():
    density = integrate(AroundPeak(7), (500, 0.6), (500, 0.3))
    direct = (density.weights * np.sin(density.points)).sum(axis=1)
    np.testing.assert_allclose(density.onto_nodes(NUMPY) @ np.sin(GRID.nodes), direct, atol=1e-10)


def test_interpolation_reproduces_analytic_functions_and_hits_nodes_exactly():
    points = np.array([[-3.3, GRID.nodes[10]], [0.0, 5.9]])
    weights = interpolation_weights(NUMPY, points, GRID)
    np.testing.assert_allclose(weights @ np.exp(GRID.nodes / 3), np.exp(points / 3), rtol=1e-12)
    assert weights[0, 1, 10] == 1.0


def test_differentiation_matrices_differentiate():
    np.testing.assert_allclose(GRID.first @ np.sin(GRID.nodes), np.cos(GRID.nodes), atol=1e-10)
    np.testing.assert_allclose(GRID.second @ np.sin(GRID.nodes), -np.sin(GRID.nodes), atol=1e-7)


def test_clenshaw_curtis_weights_integrate_polynomials_exactly():
    for size in (5, 6, 17):
        grid = chebyshev_grid(-1.0, 2.0, size)
        assert grid.quadrature @ grid.nodes**4 == pytest.approx((2**5 + 1) / 5, rel=1e-12)


def test_polynomials_are_orthonormal_and_carry_the_covariance():
    rng = np.random.default_rng(0)
    weights = rng.dirichlet(np.ones(12), size=3)
    points = rng.normal(size=(3, 12))
    basis = orthonormal_polynomials(NUMPY, weights, points, 11)
    for a, left in enumerate(basis):
        for b, right in enumerate(basis[:6]):
            product = (weights * left * right).sum(axis=1)
            np.testing.assert_allclose(product, float(a == b), atol=1e-6)
    f, g = rng.normal(size=(2, 3, 12))
    mean_f, mean_g = ((weights * v).sum(axis=1) for v in (f, g))
    covariance = (weights * f * g).sum(axis=1) - mean_f * mean_g
    carried = sum((weights * f * h).sum(axis=1) * (weights * g * h).sum(axis=1) for h in basis)
    np.testing.assert_allclose(carried, covariance, atol=1e-6)


def test_whitening_makes_features_orthonormal():
    rng = np.random.default_rng(1)
    weights = rng.dirichlet(np.ones(40), size=2)
    features = rng.normal(size=(3, 40))
    means, root = whitening(NUMPY, weights, features)
    for row in range(2):
        white = np.linalg.solve(root[row], features - means[row][:, None])
        np.testing.assert_allclose((weights[row] * white) @ white.T, np.eye(3), atol=1e-8)
