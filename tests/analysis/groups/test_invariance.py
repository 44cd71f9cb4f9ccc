"""The ladder of invariance."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.groups import invariance


def two_groups(change_slopes: bool, change_intercepts: bool, mean: float = 0.4):
    random = np.random.default_rng(3)
    slopes, intercepts = np.exp(0.2 * random.normal(size=10)), random.normal(size=10)
    parts = []
    for group in range(2):
        ability = mean * group + random.normal(size=500)
        own = slopes * np.where(np.arange(10) < 5, 1 + 1.2 * group * change_slopes, 1)
        shift = intercepts + np.where(np.arange(10) % 2, 0.7, -0.7) * group * change_intercepts
        chance = 1 / (1 + np.exp(-(own * ability[:, None] + shift)))
        parts.append((random.random(chance.shape) < chance).astype(float))
    return ic.Responses.from_array(np.concatenate(parts)), ["old"] * 500 + ["new"] * 500


@pytest.mark.parametrize(
    ("change", "holds"),
    [((True, True), "configural"), ((False, True), "metric"), ((False, False), "scalar")],
)
def test_the_highest_step_that_holds_is_named(change, holds):
    found = invariance(*two_groups(*change))
    assert found.holds == holds
    assert str(found).lower().startswith(holds)
    assert (np.diff(found.log_likelihood) <= 1e-6).all()


def test_groups_alike_are_one_population():
    found = invariance(*two_groups(False, False, mean=0.0))
    assert found.holds == "same population"
    assert found.frame()["degrees_of_freedom"].tolist() == [0, 9, 9, 2]


def test_a_step_that_takes_nothing_away_is_not_tested():
    found = invariance(*two_groups(False, False), model="1pl")
    assert np.isnan(found.p_value[1])
    assert found.holds == "scalar"
