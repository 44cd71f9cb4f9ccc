"""Anderson mixing."""

import numpy as np

from itemcurve.numerics.acceleration import AndersonMixer, Trail
from itemcurve.numerics.engine import NUMPY


def test_mixing_reaches_a_linear_fixed_point_much_sooner_than_plain_iteration():
    rng = np.random.default_rng(0)
    rotation, _ = np.linalg.qr(rng.normal(size=(6, 6)))
    matrix = rotation @ np.diag([0.97, 0.9, 0.8, 0.5, 0.3, 0.1]) @ rotation.T
    target = rng.normal(size=6)

    def step(x):
        return target + matrix @ (x - target)

    mixer, mixed, plain = AndersonMixer(depth=6), np.zeros(6), np.zeros(6)
    for _ in range(15):
        mixed, plain = mixer.propose(mixed, step(mixed)), step(plain)
    assert np.abs(mixed - target).max() < 1e-6
    assert np.abs(plain - target).max() > 0.1


def test_forgetting_starts_again_from_plain_steps():
    mixer = AndersonMixer()
    for value in (1.0, 0.5, 0.25, 0.2):
        mixer.propose(np.array([value]), np.array([value / 2]))
    mixer.forget()
    assert mixer.propose(np.array([4.0]), np.array([2.0]))[0] == 2.0


def test_a_trail_proposes_what_the_mixer_does():
    rng = np.random.default_rng(1)
    mixer, trail = AndersonMixer(), Trail.empty(NUMPY, 4)
    point = rng.normal(size=4)
    for _ in range(9):
        image = 0.7 * np.sin(point) + 0.1
        found, trail = trail.mixed(NUMPY, point, image)
        np.testing.assert_allclose(found, mixer.propose(point, image), rtol=1e-9)
        point = found
    assert trail.used == 6
