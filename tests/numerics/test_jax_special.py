"""Special functions for JAX against SciPy."""

import numpy as np
import pytest
import scipy.special

from itemcurve.numerics.engine import get_engine


@pytest.mark.parametrize("name", ["gammaln", "digamma"])
def test_it_agrees_with_scipy_over_the_whole_range(name):
    engine = get_engine("jax")
    x = np.concatenate([10.0 ** np.linspace(-17, 17, 2001), np.linspace(0.5, 3, 1001)])
    expected = getattr(scipy.special, name)(x)
    with engine.double_precision():
        found = np.asarray(getattr(engine.special, name)(engine.place(x)))
    assert np.max(np.abs(found - expected) / np.maximum(1.0, np.abs(expected))) < 5e-14
