"""Axes of explored abilities."""

import numpy as np
import pytest

from itemcurve.errors import ModelError
from itemcurve.estimation.dimensions.rotation import rotate, standard_loadings


def simple_slopes(correlation, seed=0):
    """Slopes of simple structure, hidden by whitening correlated abilities and turning them."""
    rng = np.random.default_rng(seed)
    slopes = np.kron(np.eye(3), np.ones((6, 1))) * rng.uniform(0.8, 2.0, (18, 1))
    root = np.linalg.cholesky(correlation)
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    return slopes, slopes @ root @ turn


@pytest.mark.parametrize("rotation", ["varimax", "oblimin", "geomin"])
def test_simple_structure_is_found_again(rotation):
    slopes, hidden = simple_slopes(np.eye(3))
    turned = rotate(hidden, rotation)
    found = hidden @ np.linalg.inv(turned.matrix)
    order = np.argmax(np.abs(found.T @ slopes), axis=1)
    assert sorted(order) == [0, 1, 2]
    assert np.allclose(found, slopes[:, order], atol=1e-3)


@pytest.mark.parametrize("rotation", ["oblimin", "geomin"])
def test_oblique_axes_find_correlated_abilities(rotation):
    correlation = np.array([[1.0, 0.5, 0.3], [0.5, 1.0, 0.4], [0.3, 0.4, 1.0]])
    slopes, hidden = simple_slopes(correlation)
    turned = rotate(hidden, rotation)
    found = hidden @ np.linalg.inv(turned.matrix)
    order = np.argmax(np.abs(found.T @ slopes), axis=1)
    assert np.allclose(turned.correlation, correlation[np.ix_(order, order)], atol=0.02)
    assert np.abs(found[slopes[:, order] == 0]).max() < 0.05


def test_responses_do_not_change_when_axes_turn():
    _, hidden = simple_slopes(np.eye(3))
    turned = rotate(hidden, "oblimin")
    abilities = np.random.default_rng(1).normal(size=(5, 3))
    moved = hidden @ np.linalg.inv(turned.matrix)
    assert np.allclose(abilities @ hidden.T, (abilities @ turned.matrix.T) @ moved.T)


def test_signs_and_order_are_fixed():
    _, hidden = simple_slopes(np.eye(3))
    for other in (hidden, -hidden, hidden[:, ::-1]):
        found = standard_loadings(other @ np.linalg.inv(rotate(other, "varimax").matrix))
        squares = (found**2).sum(axis=0)
        assert (np.diff(squares) <= 1e-9).all()
        assert (found[np.abs(found).argmax(axis=0), range(3)] > 0).all()


def test_an_unknown_rotation_is_refused():
    with pytest.raises(ModelError, match="one of oblimin"):
        rotate(np.eye(3), "promax")
