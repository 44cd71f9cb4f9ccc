"""The covariance of all items together agrees with the errors that each item is reported with."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.estimation.marginal.over_respondents.joint_covariance import joint_covariance


@pytest.mark.parametrize("model", ["rasch", "1pl", "2pl"])
def test_its_diagonal_is_what_single_items_are_reported_with(model):
    """Of a common slope the spread of abilities is in the slope, and not once more in them."""
    drawn = ic.simulate("2pl", respondents=300, items=8, seed=2).responses
    fit = ic.fit(drawn, model, prior=None)
    blocks = np.diagonal(fit.estimates.covariance, axis1=1, axis2=2).ravel()
    # Both hold differences over steps of 1e-5, which leave no more digits than these.
    np.testing.assert_allclose(np.diag(joint_covariance(fit)), blocks, rtol=2e-6)
