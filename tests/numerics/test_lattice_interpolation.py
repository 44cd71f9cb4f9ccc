import numpy as np
import pytest

from itemcurve.numerics.engine import NUMPY, get_engine
from itemcurve.numerics.integration import WithinBox
from itemcurve.numerics.lattice_interpolation import (
    HERMITE_NODES,
    MARGIN,
    hermite_weights,
    interpolation_matrix,
)

SIZE = 60


def test_interpolation_is_exact_for_polynomials_up_to_degree_nine():
    rng = np.random.default_rng(0)
    coefficients = rng.normal(size=10)
    positions = rng.uniform(MARGIN, SIZE - 1 - MARGIN, size=(3, 7))
    nodes = np.arange(SIZE) / SIZE
    found = interpolation_matrix(NUMPY, positions, SIZE) @ np.polyval(coefficients, nodes)
    np.testing.assert_allclose(found, np.polyval(coefficients, positions / SIZE), rtol=1e-10)


def test_at_a_node_interpolation_gives_the_node():
    positions = np.array([[MARGIN, 17.0, SIZE - 1.0 - MARGIN]])
    found = interpolation_matrix(NUMPY, positions, SIZE)[0]
    np.testing.assert_allclose(found, np.eye(SIZE)[[MARGIN, 17, SIZE - 1 - MARGIN]], atol=1e-12)


@pytest.mark.parametrize("engine", ["numpy", "jax"])
@pytest.mark.parametrize(
    ("sds", "correlation"),
    [((0.2, 0.3), 0.0), ((0.2, 4.0), 0.0), ((2.0, 2.0), 0.9), ((1.0, 1.0), -0.97)],
)
def test_narrow_wide_and_slanted_normals_are_integrated(engine, sds, correlation):
    machine = get_engine(engine)
    mean = np.array([30.3, 25.7])
    mixed = correlation * sds[0] * sds[1]
    covariance = np.array([[sds[0] ** 2, mixed], [mixed, sds[1] ** 2]])
    x, y = np.meshgrid(np.arange(SIZE), np.arange(SIZE), indexing="ij")
    gap = np.stack([x - mean[0], y - mean[1]], axis=-1)
    log_values = -0.5 * np.einsum("xyi,ij,xyj->xy", gap, np.linalg.inv(covariance), gap)
    with machine.double_precision():
        density = WithinBox((SIZE, SIZE)).integrate(
            machine, machine.place(log_values.reshape(1, -1)), None, np.zeros(SIZE**2), None
        )
        weights = np.asarray(density.weights).reshape(SIZE, SIZE)
    expected = np.log(2 * np.pi * np.sqrt(np.linalg.det(covariance)))
    assert float(density.log_integral[0]) == pytest.approx(expected, abs=1e-7)
    moments = np.einsum("xy,xyi,xyj->ij", weights, gap, gap)
    np.testing.assert_allclose(moments, covariance, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("order", [0, 1, 2])
def test_values_and_slopes_at_four_nodes_give_polynomials_up_to_degree_seven(order):
    rng = np.random.default_rng(1)
    polynomial = np.polynomial.Polynomial(rng.normal(size=8))
    share = rng.random(9)
    data = np.concatenate([polynomial(HERMITE_NODES), polynomial.deriv()(HERMITE_NODES)])
    expected = (polynomial.deriv(order) if order else polynomial)(share)
    np.testing.assert_allclose(hermite_weights(share, order) @ data, expected, rtol=1e-10)
