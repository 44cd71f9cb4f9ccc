"""Priors as densities."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import expit, logit

from itemcurve.errors import ModelError
from itemcurve.models.priors import (
    Beta,
    LogitNormal,
    LogNormal,
    Normal,
    join_prior,
    split_prior,
)
from itemcurve.numerics.engine import NUMPY

PRIORS = [Normal(0.3, 1.4), LogNormal(0.0, 0.5), LogitNormal(-1.5, 0.5), Beta(5, 17), Beta(17, 5)]
POINTS = np.array([-4.0, -1.3, 0.0, 0.8, 3.0])


@pytest.mark.parametrize("prior", PRIORS, ids=str)
def test_slope_and_curvature_are_derivatives(prior):
    step = 1e-4
    above, here, below = (prior.log_density(NUMPY, POINTS + h) for h in (step, 0.0, -step))
    np.testing.assert_allclose(prior.slope(NUMPY, POINTS), (above - below) / (2 * step), atol=1e-6)
    np.testing.assert_allclose(
        prior.curvature(NUMPY, POINTS), (above - 2 * here + below) / step**2, atol=1e-5
    )


@pytest.mark.parametrize("prior", PRIORS, ids=str)
def test_the_measure_integrates_to_one_over_the_unbounded_coordinate(prior):
    total = quad(
        lambda x: np.exp(prior.log_measure(NUMPY, np.array(x))), -40, 40, points=[-2, 0, 2]
    )
    assert total[0] == pytest.approx(1.0, abs=1e-8)


def test_beta_is_stated_in_probabilities():
    prior = Beta(5, 17)
    values = np.linspace(0.001, 0.999, 4001)
    density = np.exp(prior.log_density(NUMPY, logit(values)))
    assert np.trapezoid(density, values) == pytest.approx(1.0, abs=1e-5)
    mean = np.trapezoid(values * density, values)
    assert mean == pytest.approx(5 / 22, abs=1e-5)
    assert expit(logit(mean)) == pytest.approx(mean)


@pytest.mark.parametrize(
    "make",
    [lambda: Normal(0, 0), lambda: LogNormal(np.nan, 1), lambda: Normal(0, -1), lambda: Beta(0, 1)],
)
def test_what_is_no_distribution_is_refused(make):
    with pytest.raises(ModelError, match=r"Got.*Use None"):
        make()


@pytest.mark.parametrize("prior", [Normal(0.3, 2.0), LogNormal(0.1, 0.5), Beta(5.0, 17.0)])
def test_numbers_of_a_prior_may_be_arrays(prior):
    kind, numbers = split_prior(prior)
    x = np.linspace(-2.0, 2.0, 7)
    again = join_prior(kind, [np.full(7, number) for number in numbers])
    for name in ("log_density", "slope", "curvature", "log_measure"):
        own, other = (getattr(each, name)(NUMPY, x) for each in (prior, again))
        np.testing.assert_allclose(own, other, rtol=1e-12)
    assert join_prior(kind, numbers) == prior


def test_no_prior_and_priors_of_other_kinds_are_given_whole():
    other = object()
    assert join_prior(*split_prior(None)) is None
    assert join_prior(*split_prior(other)) is other
