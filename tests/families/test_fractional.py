"""Scores in [0, 1] under log-loss."""

import numpy as np
import pytest

from itemcurve.errors import ResponsesError
from itemcurve.families.bernoulli import Bernoulli
from itemcurve.families.fractional import Fractional
from itemcurve.numerics.engine import NUMPY


def test_the_log_likelihood_is_minus_the_log_loss():
    y, eta = np.array([0.0, 0.3, 1.0]), np.array([-0.7, 0.4, 2.0])
    p = 1 / (1 + np.exp(-eta))
    family = Fractional()
    given = family.statistics[0](y) * eta - family.log_partition(NUMPY, [eta])
    np.testing.assert_allclose(given, y * np.log(p) + (1 - y) * np.log(1 - p), rtol=1e-12)


def test_the_ends_are_ordinary_scores_and_what_lies_beyond_is_refused():
    family = Fractional()
    family.check(np.array([0.0, 0.5, 1.0]))
    for wrong in (-0.1, 1.1, np.nan):
        with pytest.raises(ResponsesError, match="between 0 and 1"):
            family.check(np.array([0.5, wrong]))


def test_only_it_calls_itself_a_quasi_likelihood():
    assert Fractional().is_quasi
    assert not Bernoulli().is_quasi


def test_simulated_scores_have_the_right_mean():
    eta = np.full(4000, 0.8)
    drawn = Fractional().sample(np.random.default_rng(1), [eta])
    assert drawn.mean() == pytest.approx(1 / (1 + np.exp(-0.8)), abs=0.01)
    assert ((drawn > 0) & (drawn < 1)).any()
