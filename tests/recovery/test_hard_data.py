"""Data on which fits have gone wrong: each was a bug once."""

import numpy as np
import pandas
import pytest
from scipy.special import expit, logsumexp

import itemcurve as ic


def exact_posteriors(fit, right, wrong):
    """Abilities by brute force: a very fine grid, given the fitted items (counts of answers)."""
    nodes = np.linspace(-7, 7, 20_001)
    chance = np.clip(fit.expected_response(nodes), 1e-300, 1 - 1e-16)
    log_values = right @ np.log(chance).T + wrong @ np.log1p(-chance).T - nodes**2 / 2
    weights = np.exp(log_values - logsumexp(log_values, axis=1, keepdims=True))
    mean = weights @ nodes
    return mean, np.sqrt(weights @ nodes**2 - mean**2)


@pytest.mark.parametrize("seed", range(3))
def test_equal_slopes_with_few_respondents_converge(seed):
    """The spread of discriminations tends to zero, below what the item grid can see."""
    rng = np.random.default_rng(seed)
    chance = expit(rng.normal(size=20)[:, None] + 1 - rng.normal(size=300))
    fit = ic.fit(ic.Responses.from_array((rng.random(chance.shape) < chance).astype(int)), "2pl")
    assert fit.estimates.over == "items"
    assert fit.status.is_converged
    assert fit.log_likelihood < 0
    slopes = fit.items["discrimination"]
    assert slopes.std() < 0.5 * slopes.mean()


def test_respondents_who_are_all_alike_converge():
    rng = np.random.default_rng(0)
    fit = ic.fit(ic.Responses.from_array((rng.random((20, 300)) < 0.9).astype(int)), "2pl")
    assert fit.status.is_converged
    assert np.isfinite(fit.respondents["ability_se"]).all()


def test_many_repeats_per_cell_give_exact_posteriors():
    """Fifty answers per cell make posteriors seven times narrower than the items alone suggest."""
    rng = np.random.default_rng(1)
    chance = expit(rng.normal(size=(200, 1)) - rng.normal(size=20))
    right = rng.binomial(50, chance)
    rows, columns = np.indices(right.shape).reshape(2, -1)
    frame = pandas.DataFrame(
        {
            "respondent": np.char.add("r", np.tile(rows, 2).astype(str)),
            "item": np.char.add("i", np.tile(columns, 2).astype(str)),
            "response": np.repeat([1, 0], right.size),
            "weight": np.concatenate([right.ravel(), 50 - right.ravel()]).astype(float),
        }
    )
    frame = frame[frame["weight"] > 0]
    responses = ic.Responses.from_frame(frame)
    fit = ic.fit(responses, "2pl", prior=None)
    assert fit.status.is_converged
    order = [int(name[1:]) for name in responses.respondents]
    items = [int(name[1:]) for name in responses.items]
    counts = right[np.ix_(order, items)]
    mean, sd = exact_posteriors(fit, counts, 50 - counts)
    np.testing.assert_allclose(fit.estimates.abilities, mean, atol=1e-3)
    np.testing.assert_allclose(fit.estimates.ability_errors, sd, rtol=0.01)


def test_very_unequal_numbers_of_answers_give_exact_posteriors():
    truth = ic.simulate("2pl", respondents=200, items=600, seed=3).responses.array()
    rng = np.random.default_rng(1)
    for row in range(5, 200):
        truth[row, rng.permutation(600)[20:]] = np.nan
    responses = ic.Responses.from_array(truth).drop_empty()
    method = ic.Marginal(over="respondents")
    fit = ic.fit(responses, "2pl", method=method)
    assert fit.status.is_converged
    data = responses.array()
    right, seen = np.nan_to_num(data), ~np.isnan(data)
    mean, sd = exact_posteriors(fit, right, seen - right)
    np.testing.assert_allclose(fit.estimates.abilities, mean, atol=5e-3)
    np.testing.assert_allclose(fit.estimates.ability_errors, sd, rtol=0.02)


def test_weak_data_do_not_collapse_the_spread_of_abilities():
    rng = np.random.default_rng(9)
    chance = expit(0.5 * rng.normal(size=(100, 1)) - rng.normal(size=5))
    fit = ic.fit(ic.Responses.from_array((rng.random(chance.shape) < chance).astype(int)), "2pl")
    assert fit.estimates.population["ability_sd"] > 0.2
    assert (fit.items["discrimination_se"] > 0.1).all()


def test_two_respondents_keep_an_uncertainty():
    fit = ic.fit(ic.simulate("2pl", respondents=2, items=200, seed=0).responses, "2pl")
    assert (fit.respondents["ability_se"] > 0.05).all()


@pytest.mark.parametrize("model", ["1pl", "2pl", "3pl"])
@pytest.mark.parametrize(
    "matrix",
    [
        np.eye(2),
        np.ones((3, 3)),
        np.tile([1, 0, 1, 0, 1], (6, 1)),
        np.tril(np.ones((11, 10)), -1),
        np.vstack([np.random.default_rng(0).random((20, 300)) < 0.5, np.ones((1, 300))]),
    ],
    ids=["two by two", "constant", "identical", "guttman", "one genius"],
)
def test_degenerate_matrices_end_with_a_named_status_and_finite_abilities(matrix, model):
    fit = ic.fit(ic.Responses.from_array(matrix), model, on_failure="ignore")
    assert isinstance(fit.status, ic.FitStatus)
    assert np.isfinite(fit.respondents[["ability", "ability_se"]]).all().all()
    assert np.isfinite(fit.items[["discrimination", "intercept"]]).all().all()
    assert fit.log_likelihood <= 0


def test_scoring_somebody_who_answered_nothing_says_so():
    fit = ic.fit(ic.simulate("2pl", respondents=200, items=20, seed=1).responses, "2pl")
    silent = ic.Responses.from_array([[np.nan] * 20, [1.0] + [np.nan] * 19])
    silent = ic.Responses(silent.respondents, fit.bank.items, silent.cells)
    table = ic.score(fit.bank, silent, method="wle").frame()
    assert table["flags"].tolist() == ["no responses", ""]
    assert np.isnan(table["ability"][0])
    prior = ic.score(fit.bank, silent, method="eap")
    assert prior.ability[0] == pytest.approx(0.0, abs=1e-9)
    assert prior.ability_se[0] == pytest.approx(1.0, abs=1e-6)
