"""Mean, variance, distribution function and quantiles of every family agree with its draws."""

import numpy as np
import pytest
from tests.catalogue import MODELS

from itemcurve.models.catalogue import get_model
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY

DRAWS = 40_000


# Of a quasi-likelihood only the mean is described: there is no distribution to compare with.
DISTRIBUTIONS = [name for name in MODELS if not get_model(name).family.is_quasi]


@pytest.fixture(params=DISTRIBUTIONS)
def drawn(request):
    """A family, the natural parameters of three items at one ability, and draws from them."""
    model = get_model(request.param)
    rng = np.random.default_rng(5)
    eta = [
        part + 0 * part
        for part in Likelihood(model).natural(NUMPY, np.array([0.3]), model.draw(rng, items=3))
    ]
    draws = model.family.sample(rng, [np.repeat(part, DRAWS, axis=1) for part in eta])
    return model.family, eta, draws.astype(float)


def test_variance_is_that_of_draws(drawn):
    family, eta, draws = drawn
    mean = family.mean(NUMPY, eta)[:, 0]
    error = draws.std(axis=1) / np.sqrt(DRAWS)
    assert np.all(np.abs(draws.mean(axis=1) - mean) < 5 * error)
    spread = ((draws - mean[:, None]) ** 2).std(axis=1) / np.sqrt(DRAWS)
    assert np.all(np.abs(draws.var(axis=1) - family.variance(NUMPY, eta)[:, 0]) < 5 * spread)


def test_distribution_function_counts_draws(drawn):
    family, eta, draws = drawn
    for value in (0.0, 0.2, 0.7, 1.0):
        share = family.cumulative(eta, np.full_like(eta[0], value))[:, 0]
        assert np.abs((draws <= value).mean(axis=1) - share).max() < 0.015


def test_quantiles_divide_draws(drawn):
    family, eta, draws = drawn
    for share in (0.25, 0.5, 0.75):
        value = family.quantile(eta, share)
        assert np.all((draws <= value).mean(axis=1) >= share - 0.015)
        assert np.all((draws < value).mean(axis=1) <= share + 0.015)
