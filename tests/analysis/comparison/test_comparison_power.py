"""Power against statsmodels, and against simulated comparisons."""

import numpy as np
import pytest
from statsmodels.stats.power import TTestPower

from itemcurve.analysis.comparison.comparison_power import (
    detectable_difference,
    items_needed,
    power,
)
from itemcurve.errors import ModelError


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize(("difference", "items"), [(0.02, 220), (0.05, 1000), (0.2, 12), (0.0, 50)])
def test_power_is_that_of_statsmodels(difference, items, sides):
    kind = "two-sided" if sides == 2 else "larger"
    expected = TTestPower().power(difference / 0.4, items, 0.05, alternative=kind)
    assert power(difference, items, spread=0.4, sides=sides) == pytest.approx(expected, abs=1e-8)


def test_needed_items_and_detectable_differences_undo_power():
    count = items_needed(0.03, spread=0.4, power=0.9)
    assert power(0.03, count, spread=0.4) >= 0.9 > power(0.03, count - 1, spread=0.4)
    least = detectable_difference(1000, spread=0.4)
    # By its power: the solver of statsmodels itself stops at 0.80002.
    assert TTestPower().power(least / 0.4, 1000, 0.05) == pytest.approx(0.8, abs=1e-8)


def test_power_foretells_how_often_a_difference_is_found():
    random = np.random.default_rng(0)
    gained, lost, items = 0.14, 0.08, 400
    shares = [gained, lost, 1 - gained - lost]
    draws = random.multinomial(items, shares, size=4000)
    from itemcurve.analysis.comparison.mcnemar_test import mcnemar

    found = np.mean([mcnemar(int(b), int(c)) < 0.05 for b, c, _ in draws])
    spread = np.sqrt(gained + lost - (gained - lost) ** 2)
    assert power(gained - lost, items, spread=spread) == pytest.approx(found, abs=0.02)


def test_what_cannot_be_is_refused():
    with pytest.raises(ModelError, match="other than 0"):
        items_needed(0.0, spread=0.4)
    with pytest.raises(ModelError, match="spread above 0"):
        power(0.1, 100, spread=0.0)
    with pytest.raises(ModelError, match="more than 1e\\+12"):
        items_needed(1e-9, spread=0.4)


@pytest.mark.parametrize("items", [3, 30, 100, 600, 5000, 100_000])
@pytest.mark.parametrize("spread", [0.05, 0.2, 0.35110801209626674, 1.0])
def test_detectable_differences_have_their_power_whatever_the_far_tail_is(items, spread):
    # SciPy gives NaN for some far tails of the non-central t, and the search starts far out.
    least = detectable_difference(items, spread=spread)
    assert TTestPower().power(least / spread, items, 0.05) == pytest.approx(0.8, abs=1e-8)
    assert power(50 * spread, items, spread=spread) == pytest.approx(1, abs=1e-6)
