"""Categories under any codes."""

import numpy as np
import pytest

from itemcurve.errors import ResponsesError
from itemcurve.families.categorical import Categorical
from itemcurve.numerics.engine import NUMPY

FAMILY = Categorical((10.0, 20.0, 40.0))
ETA = [np.array([[0.3, -1.0]]), np.array([[1.2, 0.5]])]


def test_moments_are_those_of_the_codes():
    chances = FAMILY.probabilities(ETA)
    np.testing.assert_allclose(chances.sum(axis=0), 1.0)
    codes = np.array(FAMILY.codes)[:, None, None]
    mean = (chances * codes).sum(axis=0)
    np.testing.assert_allclose(FAMILY.mean(NUMPY, ETA), mean)
    variance = (chances * (codes - mean) ** 2).sum(axis=0)
    np.testing.assert_allclose(FAMILY.variance(NUMPY, ETA), variance)


def test_a_category_of_no_probability_keeps_the_others_exact():
    high = [np.array([[601.0]]), np.array([[600.0]])]
    chances = FAMILY.probabilities(high)[:, 0, 0]
    np.testing.assert_allclose(chances, [0.0, np.e / (1 + np.e), 1 / (1 + np.e)], atol=1e-12)


def test_draws_are_codes_and_others_are_refused():
    drawn = FAMILY.sample(np.random.default_rng(0), [np.repeat(e, 500, axis=1) for e in ETA])
    assert set(np.unique(drawn)) <= {10, 20, 40}
    FAMILY.check(drawn)
    with pytest.raises(ResponsesError, match=r"10, 20, 40\. Found 1 others, the first is 30"):
        FAMILY.check(np.array([10, 30]))
