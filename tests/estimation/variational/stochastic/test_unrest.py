import numpy as np
import pytest

from itemcurve.estimation.status import FitStatus
from itemcurve.estimation.variational.stochastic.adam_steps import Moments
from itemcurve.estimation.variational.stochastic.rounds import RoundPoint, Rounds
from itemcurve.estimation.variational.stochastic.unrest import measure_unrest

ITEMS, RESPONDENTS, FREE = 3, 2, 2
SIZE = 2 * RESPONDENTS + 2 * ITEMS * FREE


def measured(path):
    """What is made of a search that went along this path (rounds × coordinates)."""
    total = len(path)
    quarter = 4 * np.arange(total) // total
    sums = np.stack([path[quarter == q].sum(axis=0) for q in (2, 3)])
    squares = np.stack([(path[quarter == q] ** 2).sum(axis=0) for q in (2, 3)])
    search = Rounds(None, None, None, (ITEMS, RESPONDENTS, FREE), 0, total)
    zeros = np.zeros(SIZE)
    return measure_unrest(RoundPoint(Moments(path[-1], zeros, zeros), total, sums, squares), search)


@pytest.mark.parametrize("total", [40, 41, 42, 43])
def test_its_mean_is_that_of_the_second_half(total):
    path = np.random.default_rng(1).normal(size=(total, SIZE))
    found = measured(path)
    np.testing.assert_allclose(found.mean_place, path[-(-total // 2) :].mean(axis=0))


def test_noise_about_a_place_is_wandering_and_a_slope_is_being_on_the_way():
    rng = np.random.default_rng(2)
    noise = rng.normal(size=(200, SIZE))
    still, moving = measured(noise), measured(np.linspace(0, 20, 200)[:, None] + noise)
    assert still.drift < 0.1
    assert still.status(is_mean=True) is FitStatus.CONVERGED
    assert still.status(is_mean=False) is FitStatus.WANDERING
    assert moving.status(is_mean=True) is FitStatus.MAX_ITERATIONS
    # A width of 0 before softplus is a standard deviation of log 2.
    assert still.wandering == pytest.approx(1 / np.log(2), rel=0.1)
