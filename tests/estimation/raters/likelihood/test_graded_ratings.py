"""Probabilities of graded ratings, against those of statsmodels and of their definition."""

import numpy as np
from scipy.special import expit

from itemcurve.estimation.raters.likelihood.graded_ratings import GradedRatings
from itemcurve.numerics.engine import NUMPY


def test_log_probability_is_that_of_an_ordered_logit():
    from statsmodels.miscmodels.ordinal_model import OrderedModel

    random = np.random.default_rng(1)
    x = random.normal(size=(40, 1))
    grade = random.integers(0, 4, size=40)
    model = OrderedModel(grade, x, distr="logit")
    thresholds = np.array([-1.0, 0.4, 1.7])
    parameters = np.concatenate([[0.8], thresholds[:1], np.log(np.diff(thresholds))])
    curves, own = GradedRatings(), np.tile(thresholds, (40, 1))
    found = curves.log_probability(NUMPY, 0.8 * x[:, 0], own, grade)
    found = found + curves.fixed(own, grade).value
    assert np.isclose(found.sum(), model.loglike(parameters))


def test_no_probability_is_lost_far_out():
    thresholds = np.array([-20.0, 0.0, 20.0])
    shares = GradedRatings().probabilities(
        np.array([-60.0, 0.0, 60.0]), np.tile(thresholds, (3, 1))
    )
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    assert (shares > 0).all()
    np.testing.assert_allclose(shares[1, 1], expit(20.0) - expit(0.0))
