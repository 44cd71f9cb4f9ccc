"""Functions that know NumPy alone give 64-bit numbers inside compiled code."""

import numpy as np
import pytest

from itemcurve.numerics.engine import NUMPY, get_engine

pytest.importorskip("jax")


def plain(values, factor):
    return np.array(values, dtype=float) * np.exp(factor)


def known_to_both(values, factor):
    return values * values.__array_namespace__().exp(factor)


def run(engine, function, values, factor):
    return engine.call(function, values, values, factor)


@pytest.mark.parametrize("function", [plain, known_to_both])
def test_all_digits_come_back(function):
    engine, values = get_engine("jax"), np.random.default_rng(0).normal(size=(30, 2))
    with engine.double_precision():
        compiled = engine.compile(run, static=("engine", "function"))
        found = np.asarray(compiled(engine, function, values, engine.place(np.array(0.3))))
    expected = run(NUMPY, function, values, np.float64(0.3))
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, expected, rtol=1e-15)
