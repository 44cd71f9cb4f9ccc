"""Gamma functions in plain arithmetic against SciPy's."""

import numpy as np
import pytest
from scipy import special

from itemcurve.numerics.engine import get_engine
from itemcurve.numerics.gamma_functions import digamma, log_gamma, trigamma

X = np.concatenate([np.exp(np.linspace(-40, 40, 4001)), np.linspace(0.5, 3, 1001)])


@pytest.mark.parametrize("name", ["numpy", "jax"])
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (log_gamma, special.gammaln),
        (digamma, special.digamma),
        (trigamma, lambda x: special.zeta(2, x)),
    ],
)
def test_they_agree_with_scipy_over_the_whole_range(name, ours, theirs):
    engine, expected = get_engine(name), theirs(X)
    with engine.double_precision():
        found = np.asarray(ours(engine, engine.place(X)))
    assert np.max(np.abs(found - expected) / np.maximum(1.0, np.abs(expected))) < 5e-14
