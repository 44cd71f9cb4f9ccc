"""Changes of abilities and errors along a sweep of noise."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import EvaluationError
from itemcurve.evaluation.noise import ability_variation


@pytest.fixture(scope="module")
def sweep():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(160, 2))
    y = X[:, 0] + 0.3 * rng.normal(size=160)
    data = X[:100], y[:100], X[100:], y[100:]
    settings = {"response": "score", "model": "fractional-beta3", "method": "joint"}
    pool = ic.pools.standard_regressors()
    levels = (0, 0.25, 0.5)
    return ic.noise.noise_sweep(
        pool, *data, kind="targets", levels=levels, repeats=2, on_failure="ignore", **settings
    )


def test_changes_are_in_per_cent_of_the_values_without_noise(sweep):
    found = ic.noise.compare_variation(sweep)
    assert found.measure == "mae"
    assert found.ability.shape == (2, len(found.respondents))
    place = found.respondents.index("Decision tree")
    frame = sweep.frame()
    own = frame[frame["respondent"] == "Decision tree"].groupby("noise")["mae"].mean()
    expected = 100 * abs(own.loc[0.5] - own.loc[0.0]) / own.loc[0.0]
    assert found.error[1, place] == pytest.approx(expected)
    abilities = [
        step.evaluation.fit.respondents.set_index("respondent").loc["Decision tree", "ability_01"]
        for step in sweep.steps
    ]
    clean, noisy = np.mean(abilities[:2]), np.mean(abilities[4:])
    assert found.ability[1, place] == pytest.approx(100 * abs(noisy - clean) / clean)


def test_the_test_is_that_of_the_paper(sweep):
    from scipy.stats import ttest_rel

    found = ic.noise.compare_variation(sweep)
    expected = ttest_rel(found.ability.ravel(), found.error.ravel()).pvalue
    assert found.p_value == pytest.approx(expected)
    assert found.difference == pytest.approx((found.ability - found.error).mean())
    table = found.frame()
    assert len(table) == found.ability.size
    changes = {"ability_change", "mae_change", "difference"}
    assert {"noise", "respondent", "ability", "mae", *changes} == set(table)
    gap = 100 * np.abs(found.error_at[1:] - found.error_at[0]) / found.error_at[0]
    np.testing.assert_allclose(gap, found.error)


def test_without_a_clean_level_there_is_nothing_to_compare_with(sweep):
    from dataclasses import replace

    noisy = replace(sweep, steps=sweep.steps[2:])
    with pytest.raises(EvaluationError, match="without noise"):
        ic.noise.compare_variation(noisy)


def test_who_makes_no_error_without_noise_is_left_out_by_name(sweep, monkeypatch):
    whole, read = ic.noise.compare_variation(sweep), ability_variation._values

    def first_is_perfect(*given):
        ability, error = read(*given)
        return ability, np.where(np.arange(len(error)) == 0, 0.0, error)

    monkeypatch.setattr(ability_variation, "_values", first_is_perfect)
    found = ic.noise.compare_variation(sweep)
    assert found.left_out == whole.respondents[:1]
    assert found.respondents == whole.respondents[1:]
    np.testing.assert_array_equal(found.error, whole.error[:, 1:])
    monkeypatch.setattr(
        ability_variation,
        "_values",
        lambda *given: (np.ones(len(given[1])), np.zeros(len(given[1]))),
    )
    with pytest.raises(EvaluationError, match="of every respondent is 0"):
        ic.noise.compare_variation(sweep)
