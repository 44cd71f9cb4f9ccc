"""Responses on a device: what is asked of them is what is asked of the same ones on the host."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.responses.layouts.placed_cells import PlacedCells

jnp = pytest.importorskip("jax.numpy")
VALUES = np.random.default_rng(0).integers(0, 2, (40, 30)).astype(np.int8)


@pytest.fixture
def pair():
    return ic.Responses.from_array(jnp.asarray(VALUES)), ic.Responses.from_array(VALUES)


def test_arrays_of_jax_stay_where_they_lie(pair):
    placed, plain = pair
    assert isinstance(placed.cells, PlacedCells)
    assert repr(placed) == repr(plain)
    for axis in (0, 1):
        np.testing.assert_array_equal(placed.means(axis), plain.means(axis))
        np.testing.assert_array_equal(placed.counts(axis), plain.counts(axis))
    np.testing.assert_array_equal(placed.array(), plain.array())
    assert placed.integer_range() == plain.integer_range() == (0, 1)


def test_sums_over_respondents_are_those_of_the_host(pair):
    placed, plain = pair
    right = np.random.default_rng(1).normal(size=(40, 3))
    found = placed.cells.item_sums(right)
    np.testing.assert_allclose(found, plain.cells.item_sums(right), atol=1e-12)
    assert found.dtype == np.float64


def test_parts_of_them_are_parts_of_the_same(pair):
    placed, plain = pair
    rows, columns = [3, 1, 7], [2, 0]
    np.testing.assert_array_equal(
        placed.take(rows, columns).array(), plain.take(rows, columns).array()
    )
    np.testing.assert_array_equal(placed.take(rows).array(), plain.take(rows).array())
    kept = [[part.array() for part in own.split(0.2, seed=1)] for own in pair]
    np.testing.assert_array_equal(kept[0], kept[1])


def test_they_are_saved_as_those_of_the_host(pair, tmp_path):
    placed, plain = pair
    placed.save(tmp_path / "placed.npz")
    again = ic.Responses.read(tmp_path / "placed.npz")
    np.testing.assert_array_equal(again.array(), plain.array())
    for layout in ("long", "wide"):
        assert placed.frame(layout).equals(plain.frame(layout))


def test_what_is_no_small_integer_comes_to_the_host():
    assert not isinstance(ic.Responses.from_array(jnp.ones((3, 2))).cells, PlacedCells)
    wrong = jnp.asarray(np.array([[0, -1], [1, 1]], dtype=np.int8))
    assert ic.Responses.from_array(wrong).array()[0, 1] == -1


@pytest.mark.slow
def test_a_fit_of_placed_responses_is_that_of_the_host(pair):
    placed, plain = pair
    found, expected = ic.fit(placed, "2pl", engine="jax"), ic.fit(plain, "2pl")
    np.testing.assert_allclose(found.estimates.values, expected.estimates.values, atol=1e-6)
