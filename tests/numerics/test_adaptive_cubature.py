import numpy as np
import pytest

from itemcurve.numerics.adaptive_cubature import FULL, LITTLE, find_ridge

SPAN = (-6.0, 6.0)


class Bent:
    """Rows exp(−½((x − c)/s)² − ½((y − b(x))/t)²) of known integral 2π s t."""

    limits = (-50.0, 50.0)

    def __init__(self, centre, spread, bend, width):
        self.parts = tuple(np.asarray(part, dtype=float) for part in (centre, spread, bend, width))

    def __call__(self, rows, outer, inner):
        centre, spread, bend, width = (part[rows] for part in self.parts)
        gap = inner - bend * outer**2
        value = -0.5 * ((outer - centre) / spread) ** 2 - 0.5 * (gap / width) ** 2
        return value, -gap / width**2, -1 / width**2

    @property
    def log_integrals(self):
        return np.log(2 * np.pi * self.parts[1] * self.parts[3])


def integrate(function, ridge):
    outer, inner, volume = ridge.nodes(FULL.inner)
    rows = np.repeat(np.arange(len(outer)), outer.shape[1])
    value = function(rows, outer.ravel(), inner.ravel())[0].reshape(outer.shape)
    return np.log(np.exp(value + volume).sum(axis=1))


def test_rows_of_any_width_and_bend_are_integrated():
    rng = np.random.default_rng(0)
    rows = 300
    function = Bent(
        rng.uniform(-3, 3, rows),
        10 ** rng.uniform(-6, 0, rows),
        rng.uniform(-1, 1, rows),
        10 ** rng.uniform(-6, 0, rows),
    )
    ridge = find_ridge(function, rows, SPAN, FULL.outer)
    np.testing.assert_allclose(integrate(function, ridge), function.log_integrals, atol=1e-6)


def test_a_ridge_is_followed_when_rows_move_by_many_widths():
    before = Bent([0.5, 1.0], [1e-3, 0.3], [1.0, -1.0], [1e-3, 0.1])
    after = Bent([0.52, 1.5], [2e-3, 0.2], [1.1, -1.0], [1e-3, 0.2])
    near = find_ridge(before, 2, SPAN, FULL.outer)
    ridge = find_ridge(after, 2, SPAN, FULL.outer, near)
    np.testing.assert_allclose(integrate(after, ridge), after.log_integrals, atol=1e-6)


def test_a_ridge_that_was_lost_is_looked_for_everywhere():
    before, after = (Bent([place], [1e-5], [1.0], [1e-5]) for place in (-3.0, 3.0))
    ridge = find_ridge(after, 1, SPAN, FULL.outer, find_ridge(before, 1, SPAN, FULL.outer))
    np.testing.assert_allclose(integrate(after, ridge), after.log_integrals, atol=1e-6)


class HillAndSpike(Bent):
    """A broad hill at −2 and, right of 0, a spike at 2.1: higher, but between coarse points."""

    def __init__(self):
        super().__init__([2.1], [1e-4], [0.0], [1.0])

    def __call__(self, rows, outer, inner):
        spike, slope, bend = super().__call__(rows, outer, inner)
        hill = -50 - 0.5 * ((outer + 2) / 0.5) ** 2 - 0.5 * inner**2
        return np.where(outer > 0, spike, hill), slope, bend


def test_a_spike_between_two_points_is_not_missed_for_a_hill():
    function = HillAndSpike()
    ridge = find_ridge(function, 1, SPAN, FULL.outer)
    np.testing.assert_allclose(integrate(function, ridge), function.log_integrals, atol=1e-6)


@pytest.mark.parametrize("points", [17, 25])
def test_mass_outside_of_the_span_is_found(points):
    function = Bent([8.0], [0.5], [0.0], [1.0])
    ridge = find_ridge(function, 1, SPAN, points)
    np.testing.assert_allclose(integrate(function, ridge), function.log_integrals, atol=1e-4)


def weights(function, ridge):
    outer, inner, volume = ridge.nodes(FULL.inner)
    rows = np.repeat(np.arange(len(outer)), outer.shape[1])
    mass = np.exp(function(rows, outer.ravel(), inner.ravel())[0].reshape(outer.shape) + volume)
    return mass / mass.sum(axis=1, keepdims=True)


def test_rows_that_move_a_little_need_no_search_and_those_that_move_far_are_lost():
    before = Bent([1.0] * 4, [0.1] * 4, [0.0] * 4, [0.1] * 4)
    # Not at all, by 0.7 widths across, by three, and off the lattice along.
    after = Bent([1.0, 1.0, 1.0, 1.6], [0.1] * 4, [0.0, 0.07, 0.3, 0.0], [0.1] * 4)
    ridge = find_ridge(before, 4, SPAN, FULL.outer)
    moved, has_moved, is_lost = ridge.following(weights(after, ridge), LITTLE)
    assert has_moved.tolist() == [False, True, False, False]
    assert is_lost.tolist() == [False, False, True, True]
    near = moved.of(has_moved)
    np.testing.assert_allclose(near.peak, 0.07 * near.outer**2, atol=1e-3)
    np.testing.assert_allclose(near.width, 0.1, rtol=0.02)
