"""Checked against sums over a fine grid of slopes and difficulties."""

import numpy as np

from itemcurve.estimation.marginal.over_respondents.difficulty_posteriors import (
    LinearItems,
    linear_moments,
)
from itemcurve.estimation.marginal.over_respondents.item_likelihoods import (
    ItemLikelihoods,
)
from itemcurve.estimation.marginal.over_respondents.item_population import (
    ItemPopulation,
)
from itemcurve.models.catalogue import get_model


def items_of_all_kinds() -> ItemLikelihoods:
    """A steep item, a flat one, one that is known well, one of which nothing is known."""
    centres = np.array([[2.0, -1.0], [0.05, 0.8], [1.0, 0.5], [1.0, 0.0]])
    sds = np.array([[0.5, 0.4], [0.3, 0.3], [0.05, 0.04], [3.0, 3.0]])
    information = np.stack([np.linalg.inv(np.outer(s, s) * [[1, 0.3], [0.3, 1]]) for s in sds])
    return ItemLikelihoods(information, np.matvec(information, centres), np.ones((4, 2), bool))


def test_moments_are_those_of_the_density() -> None:
    found, population = items_of_all_kinds(), ItemPopulation.start(get_model("2pl"))
    assert population is not None
    mean, sd, spread = 1.0, 0.6, 1.3
    linear = LinearItems.of(found, population, (0, 1))
    moments = linear.moments(mean, sd, spread)
    a, b = np.meshgrid(np.linspace(-3, 5, 1601), np.linspace(-8, 8, 1601), indexing="ij")
    at = np.stack([a, -a * b], axis=-1)
    for item in range(4):
        own, push = found.information[item], found.push[item]
        height = at @ push - 0.5 * np.einsum("abi,ij,abj->ab", at, own, at)
        height += -0.5 * ((a - mean) / sd) ** 2 - 0.5 * (b / spread) ** 2
        weight = np.exp(height - height.max())
        weight /= weight.sum()
        slope, difficulty = (weight * a).sum(), (weight * b).sum()
        np.testing.assert_allclose(moments.slope[item], slope, atol=2e-3)
        np.testing.assert_allclose(moments.difficulty[item], difficulty, atol=4e-3)
        np.testing.assert_allclose(moments.intercept[item], -(weight * a * b).sum(), atol=4e-3)
        sd_b = np.sqrt((weight * (b - difficulty) ** 2).sum())
        np.testing.assert_allclose(moments.difficulty_sd[item], sd_b, rtol=0.01)
        np.testing.assert_allclose(moments.negative[item], weight[a < 0].sum(), atol=5e-3)


def test_a_flat_item_has_a_difficulty_within_the_population() -> None:
    found, population = items_of_all_kinds(), ItemPopulation.start(get_model("2pl"))
    assert population is not None
    moments = linear_moments(LinearItems.of(found, population, (0, 1)), population, (0, 1))
    ratio = -0.8 / 0.05
    assert abs(moments.difficulty[1]) < 3 < abs(ratio)
    assert moments.difficulty_sd[1] < 3


def test_what_is_known_well_is_left_alone() -> None:
    found, population = items_of_all_kinds(), ItemPopulation.start(get_model("2pl"))
    assert population is not None
    moments = linear_moments(LinearItems.of(found, population, (0, 1)), population, (0, 1))
    np.testing.assert_allclose(moments.slope[2], 1.0, atol=0.01)
    np.testing.assert_allclose(moments.difficulty[2], -0.5, atol=0.01)
    np.testing.assert_allclose(moments.slope_sd[2], 0.05, rtol=0.05)
