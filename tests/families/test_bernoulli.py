"""The Bernoulli family as an exponential family."""

import numpy as np
import pytest

from itemcurve.errors import ResponsesError
from itemcurve.families.bernoulli import Bernoulli
from itemcurve.numerics.engine import NUMPY

ETA = np.array([-40.0, -3.0, -0.2, 0.0, 1.5, 30.0])


def test_derivatives_of_the_log_partition_are_mean_and_covariance():
    family, step = Bernoulli(), 1e-5

    def partition(h):
        return family.log_partition(NUMPY, [ETA + h])

    mean = (partition(step) - partition(-step)) / (2 * step)
    np.testing.assert_allclose(family.mean_statistics(NUMPY, [ETA])[0], mean, atol=1e-9)
    bend = (partition(step) - 2 * partition(0) + partition(-step)) / step**2
    np.testing.assert_allclose(family.covariance(NUMPY, [ETA])[0][0], bend, atol=1e-5)


def test_the_log_partition_keeps_its_digits_far_out():
    np.testing.assert_allclose(
        Bernoulli().log_partition(NUMPY, [ETA]), np.logaddexp(0, ETA), atol=1e-15, rtol=1e-14
    )


def test_samples_have_the_mean_the_family_says():
    eta = np.full(200_000, 0.7)
    drawn = Bernoulli().sample(np.random.default_rng(0), [eta])
    assert set(np.unique(drawn)) == {0, 1}
    assert drawn.mean() == pytest.approx(Bernoulli().mean(NUMPY, [eta])[0], abs=0.004)


@pytest.mark.parametrize("value", [0.5, 2, -1])
def test_anything_but_right_and_wrong_is_refused(value):
    with pytest.raises(ResponsesError, match=r"0 or 1.*Found 1 other.*Turn scores"):
        Bernoulli().check(np.array([0, 1, value]))
