"""Tails of Beta and Gamma distributions against SciPy's, where those do not underflow."""

import numpy as np
import pytest
from scipy.special import betainc, betaln, gammainc, zeta

from itemcurve.numerics.engine import NUMPY
from itemcurve.numerics.gamma_functions import log_beta, trigamma
from itemcurve.numerics.lower_tails import log_beta_tail, log_gamma_tail

RNG = np.random.default_rng(0)
FIRST = np.exp(RNG.uniform(-12, 12, 2000))
# In the models that use these tails one parameter is above one where the other is below.
SECOND = np.where(FIRST > 1, 1.0, np.exp(12)) * RNG.uniform(1e-4, 1, 2000)


@pytest.mark.parametrize("bound", [1e-6, 1e-3, 0.05])
def test_values_match_scipy(bound):
    for ours, theirs in (
        (log_beta_tail(NUMPY, FIRST, SECOND, bound, 0), betainc(FIRST, SECOND, bound)),
        (log_gamma_tail(NUMPY, FIRST, SECOND * bound, 0), gammainc(FIRST, SECOND * bound)),
    ):
        assert np.isfinite(ours.value).all()
        seen = theirs > 1e-290
        np.testing.assert_allclose(ours.value[seen], np.log(theirs[seen]), atol=1e-9, rtol=1e-11)


def test_derivatives_match_differences():
    mild = np.exp(RNG.uniform(-3, 3, 300)), np.exp(RNG.uniform(-3, 3, 300))
    for function in (
        lambda a, b, order: log_beta_tail(NUMPY, a, b, 1e-3, order),
        lambda a, b, order: log_gamma_tail(NUMPY, a, b, order),
    ):
        given = function(*mild, 2)
        for index, (first, second) in enumerate(((1e-5, 0.0), (0.0, 1e-5))):
            above = function(mild[0] * (1 + first), mild[1] * (1 + second), 1)
            below = function(mild[0] * (1 - first), mild[1] * (1 - second), 1)
            width = 2e-5 * mild[index]
            slope = (above.value - below.value) / width
            np.testing.assert_allclose(given.slope[index], slope, rtol=1e-6, atol=1e-6)
            for other in (0, 1):
                bend = (above.slope[other] - below.slope[other]) / width
                np.testing.assert_allclose(
                    given.curvature[index + other], bend, rtol=1e-6, atol=1e-6
                )


def test_beta_functions_keep_their_digits():
    x = np.exp(np.linspace(-40, 40, 2001))
    np.testing.assert_allclose(trigamma(NUMPY, x), zeta(2, x), rtol=1e-14)
    np.testing.assert_allclose(
        log_beta(NUMPY, FIRST, SECOND), betaln(FIRST, SECOND), rtol=1e-9, atol=1e-9
    )
    # B(1e8, 1) = 1e-8 exactly.
    assert log_beta(NUMPY, np.array([1e8]), np.array([1.0]))[0] == pytest.approx(
        -8 * np.log(10), rel=1e-15
    )
