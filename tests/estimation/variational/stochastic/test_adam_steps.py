import numpy as np
import pytest

from itemcurve.estimation.variational.stochastic.adam_steps import Moments, climb
from itemcurve.numerics.engine import NUMPY


def run(gradients, moves, rate=0.1):
    zeros = np.zeros(2)
    state = Moments(zeros, zeros, zeros)
    for count, gradient in enumerate(gradients, start=1):
        state = climb(NUMPY, state, np.asarray(gradient), moves, float(count), rate)
    return state


def test_the_first_step_has_the_length_of_the_rate_whatever_the_gradient():
    found = run([[3.0, -1e-2]], np.array([True, True]))
    assert found.place == pytest.approx([0.1, -0.1], rel=1e-3)


def test_it_takes_the_steps_that_kingma_and_ba_write_down():
    """Algorithm 1 of their paper, coordinate by coordinate, in the form with m̂ and v̂."""
    gradients = np.random.default_rng(1).normal(size=(7, 2))
    place, mean, square = np.zeros(2), np.zeros(2), np.zeros(2)
    for t, g in enumerate(gradients, start=1):
        mean = 0.9 * mean + 0.1 * g
        square = 0.999 * square + 0.001 * g**2
        place = place + 0.1 * (mean / (1 - 0.9**t)) / np.sqrt(square / (1 - 0.999**t))
    # TensorFlow adds ε to the uncorrected root; both vanish here.
    np.testing.assert_allclose(run(gradients, np.array([True, True])).place, place, rtol=1e-5)


def test_coordinates_that_wait_keep_place_and_memory():
    found = run([[1.0, 1.0], [1.0, 1.0]], np.array([True, False]))
    assert found.place[0] > 0
    assert [part[1] for part in found] == [0.0, 0.0, 0.0]
