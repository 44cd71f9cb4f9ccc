import numpy as np
import pytest

import itemcurve as ic
from itemcurve.models.cell_derivatives import cell_derivatives
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY

STEP = 1e-4


def moved(model, values, index, size):
    """Values with the coordinate of one parameter moved."""
    found = values.copy()
    transform = model.parameters[index].transform
    found[:, index] = transform.value(NUMPY, transform.coordinate(NUMPY, values[:, index]) + size)
    return found


@pytest.mark.parametrize("name", ["gamma", "beta3"])
def test_they_are_derivatives_of_the_log_likelihood_of_censored_cells_too(name):
    truth = ic.simulate(name, respondents=9, items=30, seed=3)
    likelihood = Likelihood(truth.model)
    channels = [np.asarray(c.T, dtype=float) for c in likelihood.channels(truth.responses)]
    assert channels[-1].any()
    t, values = truth.abilities, truth.values

    def at(shift, size):
        own = moved(truth.model, values, 1, size)
        return cell_derivatives(likelihood, NUMPY, t + shift, own, channels, (None, 1)).total

    found = cell_derivatives(
        likelihood, NUMPY, t, values, channels, (None, 1), ((0, 0), (0, 1), (1, 1))
    )
    np.testing.assert_allclose(found.total, at(0, 0))
    h = STEP
    slopes = (at(h, 0) - at(-h, 0)) / (2 * h), (at(0, h) - at(0, -h)) / (2 * h)
    mixed = (at(h, h) - at(h, -h) - at(-h, h) + at(-h, -h)) / (4 * h**2)
    along, across = (
        (up - 2 * at(0, 0) + down) / h**2
        for up, down in ((at(h, 0), at(-h, 0)), (at(0, h), at(0, -h)))
    )
    pairs = zip([*found.slopes, *found.bends], [*slopes, along, mixed, across], strict=True)
    for ours, expected in pairs:
        np.testing.assert_allclose(ours, expected, rtol=1e-4, atol=1e-4 * np.abs(expected).max())
