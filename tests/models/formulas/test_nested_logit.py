"""Right or wrong, and which of the wrong options."""

import numpy as np
import pytest
from scipy.special import expit

import itemcurve as ic
from itemcurve.errors import ModelError
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY

KEY = [0, 1, 2, 3] * 3
ABILITIES = np.linspace(-3, 3, 7)


@pytest.fixture(scope="module")
def truth():
    return ic.simulate("nested-logit", respondents=1500, items=12, seed=1, key=KEY)


def test_the_right_option_follows_a_2pl_and_the_others_share_the_rest(truth):
    eta = Likelihood(truth.model).natural(NUMPY, ABILITIES, truth.values)
    chances = truth.model.family.probabilities(eta)
    right = chances[KEY, np.arange(12)]
    slope, intercept = truth.values[:, :1], truth.values[:, 1:2]
    np.testing.assert_allclose(right, expit(slope * ABILITIES + intercept), atol=1e-12)
    np.testing.assert_allclose(chances.sum(axis=0), 1.0)


def test_derivatives_are_those_of_the_curves(truth):
    likelihood, model = Likelihood(truth.model), truth.model
    for index in range(10):
        step = 1e-6 * np.eye(truth.values.shape[1])[index]
        ends = [likelihood.natural(NUMPY, ABILITIES, truth.values + s * step) for s in (1, -1)]
        given = model.item_jacobian(NUMPY, ABILITIES[:, None], truth.values, index)
        for up, down, own in zip(*ends, given, strict=True):
            np.testing.assert_allclose(own, (up - down) / 2e-6, atol=1e-6)
    ends = [likelihood.natural(NUMPY, ABILITIES + h, truth.values) for h in (1e-6, -1e-6)]
    for up, down, own in zip(
        *ends, model.ability_jacobian(NUMPY, ABILITIES[:, None], truth.values), strict=True
    ):
        np.testing.assert_allclose(own, (up - down) / 2e-6, atol=1e-6)


def test_wrong_options_tell_of_ability_what_right_and_wrong_does_not(truth):
    fit = ic.fit(truth.responses, "nested-logit", key=KEY, prior=None)
    assert fit.status.is_converged
    # A 2PL, and of three wrong options the lines of two.
    assert fit.n_parameters == 12 * (2 + 4)
    assert np.corrcoef(fit.estimates.values[:, 0], truth.values[:, 0])[0, 1] > 0.95
    scored = ic.Responses.from_array((truth.responses.array() == KEY).astype(int))
    plain = ic.fit(scored, "2pl", prior=None)
    gain = [np.corrcoef(f.estimates.abilities, truth.abilities)[0, 1] for f in (fit, plain)]
    assert gain[0] > gain[1]


def test_the_right_options_must_be_known(truth):
    with pytest.raises(ModelError, match="needs the right option of every item"):
        ic.fit(truth.responses, "nested-logit")
    with pytest.raises(ModelError, match="the options are 0, 1, 2, 3"):
        ic.fit(truth.responses, "nested-logit", key=7)
