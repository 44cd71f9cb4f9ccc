"""Arrays go to an engine one by one or together, and come out the same."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from itemcurve.numerics.engine import get_engine

pytest.importorskip("jax")


class Pair(NamedTuple):
    first: Any
    rest: Any


@pytest.mark.parametrize("name", ["numpy", "jax"])
def test_arrays_placed_together_keep_their_tuples(name):
    engine = get_engine(name)
    own = Pair(np.arange(3.0), (np.array(2.0), None, Pair(np.eye(2), None)))
    with engine.double_precision():
        found = engine.place_all(own)
        like = type(engine.place(np.ones(1)))
    assert isinstance(found, Pair)
    assert isinstance(found.rest[2], Pair)
    assert found.rest[1] is None
    for given, placed in ((own.first, found.first), (own.rest[2].first, found.rest[2].first)):
        assert isinstance(placed, like)
        np.testing.assert_array_equal(given, placed)


def test_what_numpy_takes_together_are_arrays_of_numpy():
    jax, numpy = get_engine("jax"), get_engine("numpy")
    with jax.double_precision():
        placed = jax.place(np.ones(2))
    found = numpy.place_all((placed, None))
    assert isinstance(found[0], np.ndarray)
    assert found[1] is None
