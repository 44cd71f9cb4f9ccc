"""From values to items: chances that are what they say."""

import numpy as np
import pytest

from itemcurve.adaptive.ability.exposure import Exposure

VALUES = np.array([3.0, 1.0, 2.0, 2.0, -np.inf, np.nan, 5.0])
FREE = np.array([True, True, True, True, True, True, False])


@pytest.mark.parametrize(
    ("exposure", "expected"),
    [
        (Exposure(1), [1, 0, 0, 0, 0, 0, 0]),
        # The second place is shared by two items of equal value.
        (Exposure(2), [1 / 2, 0, 1 / 4, 1 / 4, 0, 0, 0]),
        (Exposure(3), [1 / 3, 0, 1 / 3, 1 / 3, 0, 0, 0]),
        # More than there are: all that may be asked.
        (Exposure(9), [1 / 4, 1 / 4, 1 / 4, 1 / 4, 0, 0, 0]),
        (Exposure(1, 0.6), [0.5, 0.1, 0.1, 0.1, 0.1, 0.1, 0]),
    ],
)
def test_chances_are_shared_among_the_best(exposure, expected):
    assert exposure.probabilities(VALUES, FREE) == pytest.approx(expected)


def test_draws_happen_as_often_as_their_chance_says():
    exposure = Exposure(2, 0.3)
    chances = exposure.probabilities(VALUES, FREE)
    rng = np.random.default_rng(0)
    draws = [exposure.draw(VALUES, FREE, rng) for _ in range(4000)]
    counts = np.bincount([draw.place for draw in draws], minlength=7) / 4000
    assert counts == pytest.approx(chances, abs=0.03)
    assert all(draw.probability == pytest.approx(chances[draw.place]) for draw in draws)
    assert draws[0].least == pytest.approx(0.05)


def test_nothing_is_drawn_when_nothing_may_be():
    nobody = np.zeros(7, dtype=bool)
    assert Exposure(3).draw(VALUES, nobody, np.random.default_rng(0)) is None
    forbidden = np.full(7, -np.inf)
    assert Exposure(3).draw(forbidden, FREE, np.random.default_rng(0)) is None


def test_the_best_item_is_drawn_as_by_its_chances():
    rng = np.random.default_rng(0)
    for number in range(200):
        values = rng.integers(0, 4, 12).astype(float)
        values[rng.random(12) < 0.2] = np.nan
        available = rng.random(12) < 0.7
        drawn = Exposure().draw(values, available, np.random.default_rng(number))
        chances = Exposure().probabilities(values, available)
        if not chances.any():
            assert drawn is None
            continue
        places = np.flatnonzero(chances)
        share = np.cumsum(chances[places] / chances[places].sum())
        index = int(np.searchsorted(share, np.random.default_rng(number).random()))
        index = min(index, len(places) - 1)
        assert drawn == (places[index], chances[places[index]], chances[available].min())
