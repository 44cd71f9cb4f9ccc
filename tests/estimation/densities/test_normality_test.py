"""The test that asks whether abilities are normal."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ModelError


def answers(abilities, seed, items=20):
    rng = np.random.default_rng(seed)
    slopes, difficulties = np.exp(0.3 * rng.normal(size=items)), rng.normal(size=items)
    chance = 1 / (1 + np.exp(-slopes * (abilities[:, None] - difficulties)))
    observed = (rng.random(chance.shape) < chance).astype(float)
    observed[rng.random(observed.shape) < 0.1] = np.nan
    return ic.Responses.from_array(observed)


def over_respondents(responses, model="2pl"):
    return ic.fit(responses, model, method=ic.Marginal(over="respondents"))


@pytest.mark.parametrize("model", ["rasch", "2pl"])
def test_normal_abilities_are_seldom_called_others(model):
    rng = np.random.default_rng(1)
    found = [
        over_respondents(answers(rng.normal(size=250), seed), model).check_normality().p_value
        for seed in range(30)
    ]
    assert np.mean(np.array(found) < 0.05) <= 0.17
    assert np.mean(found) == pytest.approx(0.5, abs=0.2)


def test_skewed_abilities_are_found_and_named():
    rng = np.random.default_rng(2)
    fit = over_respondents(answers(rng.gamma(1.5, size=500) / 1.2 - 1.2, 3))
    tested = fit.check_normality()
    assert tested.p_value < 1e-4
    assert tested.skewness > 0.5
    assert "a tail upwards" in str(tested)
    codes = [finding.code for finding in ic.findings(fit)]
    assert "IRT023" in codes


def test_normal_abilities_give_no_finding():
    fit = over_respondents(answers(np.random.default_rng(4).normal(size=500), 5))
    assert "IRT023" not in [finding.code for finding in ic.findings(fit)]


def test_two_kinds_of_respondents_have_light_tails():
    rng = np.random.default_rng(6)
    abilities = np.where(rng.random(600) < 0.5, -1.3, 1.3) + 0.3 * rng.normal(size=600)
    tested = over_respondents(answers(abilities, 7, 40)).check_normality()
    assert tested.p_value < 1e-4
    assert tested.kurtosis < -0.5


def test_few_respondents_are_refused():
    fit = over_respondents(answers(np.random.default_rng(8).normal(size=40), 9))
    with pytest.raises(ModelError, match="40 respondents, fewer than 100"):
        fit.check_normality()
