"""Plausible values of all kinds of fits."""

import numpy as np
import pandas
import pytest

import itemcurve as ic
from itemcurve.errors import ModelError


@pytest.fixture(scope="module")
def known():
    """700 respondents of two groups with a covariate, on 15 items: the truth and the answers."""
    rng = np.random.default_rng(1)
    group, x = np.repeat([0, 1], (400, 300)), rng.normal(size=700)
    abilities = 0.7 * group + 0.6 * x + np.where(group, 0.8, 1.0) * rng.normal(size=700)
    chance = 1 / (1 + np.exp(-1.2 * (abilities[:, None] - rng.normal(size=15))))
    responses = ic.Responses.from_array((rng.random(chance.shape) < chance).astype(float))
    return responses, np.where(group, "new", "old"), x, abilities


def test_draws_have_the_posterior_mean_and_spread(known):
    responses, *_ = known
    fit = ic.fit(responses, "2pl", method=ic.Marginal(over="respondents"))
    drawn = fit.plausible_values(400, seed=3)
    values = drawn.values[:, :, 0]
    table = fit.respondents
    np.testing.assert_allclose(values.mean(axis=0), table["ability"], atol=0.15)
    np.testing.assert_allclose(values.std(axis=0), table["ability_se"], rtol=0.15)
    # Estimates vary less than abilities, draws as much.
    assert table["ability"].std() < 0.93
    assert drawn.combine(np.std).value == pytest.approx(1.0, abs=0.04)


def test_the_same_seed_gives_the_same_draws(known):
    responses, *_ = known
    fit = ic.fit(responses)
    one, same, other = (fit.plausible_values(2, seed=seed).values for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, same)
    assert not np.array_equal(one, other)


def test_draws_of_a_regression_give_the_regression_back(known):
    responses, labels, x, _ = known
    fit = ic.fit(responses, groups=labels, covariates=pandas.DataFrame({"x": x}), prior=None)
    slope = fit.coefficients["estimate"][0]

    def regressed(ability):
        design = np.column_stack([np.ones(700), labels == "new", x])
        return np.linalg.lstsq(design, ability, rcond=None)[0][2]

    found = fit.plausible_values(20).combine(regressed)
    assert found.value == pytest.approx(slope, abs=0.03)
    assert 0 < found.error < 0.05
    assert regressed(fit.respondents["ability"].to_numpy()) < found.value + 0.03


def test_draws_of_several_abilities_are_correlated_as_abilities_are():
    rng = np.random.default_rng(4)
    both = rng.multivariate_normal([0, 0], [[1, 0.6], [0.6, 1]], size=600)
    chance = 1 / (1 + np.exp(-1.4 * (np.repeat(both, 8, axis=1) - rng.normal(size=16))))
    names = [f"{side}_{k}" for side in "ab" for k in range(8)]
    responses = ic.Responses.from_array(
        (rng.random(chance.shape) < chance).astype(float), items=names
    )
    fit = ic.fit(responses, dimensions={"a": ["a_*"], "b": ["b_*"]})
    drawn = fit.plausible_values(50)
    found = drawn.combine(lambda own: np.corrcoef(own.T)[0, 1])
    assert found.value == pytest.approx(fit.correlations.loc["a", "b"], abs=0.06)
    table = drawn.frame()
    assert list(table.columns) == ["draw", "respondent", "a", "b"]
    assert len(table) == 50 * 600


def test_a_number_of_draws_is_one(known):
    with pytest.raises(ModelError, match="number of draws from 1"):
        ic.fit(known[0]).plausible_values(0)
