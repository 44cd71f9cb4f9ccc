"""What calibration leaves behind: populations and doubt."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.bank.calibration_uncertainty import (
    expected_response_variance,
    score_equation_variance,
)
from itemcurve.bank.item_bank import Bank, BankPart
from itemcurve.errors import ModelError
from itemcurve.estimation.marginal.settings import Marginal


@pytest.fixture(scope="module")
def fitted():
    truth = ic.simulate("2pl", respondents=80, items=30, seed=3)
    return ic.fit(truth.responses, "2pl")


def redrawn(bank: Bank, rng: np.random.Generator) -> Bank:
    """The bank with parameters drawn from their uncertainty."""
    part = bank.parts[0]
    values = np.array(part.values)
    free = part.likelihood.free
    for row, covariance in enumerate(part.covariance):
        values[row, free] = rng.multivariate_normal(values[row, free], covariance)
    return Bank(bank.items, (BankPart(part.model, part.positions, values, part.covariance),))


def test_doubt_about_items_is_what_redrawn_items_do_to_ability(fitted):
    given = fitted.responses.take(rows=[5])
    estimate = ic.score(fitted.bank, given, method="wle")
    ability, error = estimate.ability[0], estimate.ability_se[0]
    rng = np.random.default_rng(1)
    abilities = [
        ic.score(redrawn(fitted.bank, rng), given, method="wle").ability[0] for _ in range(200)
    ]
    predicted = error**2 * np.sqrt(score_equation_variance(fitted.bank, ability).sum())
    # The observed answers stand in for expected ones; 200 draws leave 5 % to chance.
    assert np.std(abilities) == pytest.approx(predicted, rel=0.3)


def test_doubt_about_expectations_is_what_redrawn_items_do_to_them(fitted):
    rng = np.random.default_rng(2)
    curves = [redrawn(fitted.bank, rng).expected_response(0.5)[0] for _ in range(400)]
    predicted = np.sqrt(expected_response_variance(fitted.bank, 0.5)[0])
    assert np.median(np.std(curves, axis=0) / predicted) == pytest.approx(1, abs=0.12)


def test_known_items_leave_no_doubt():
    bank = Bank.from_parameters("3pl", discrimination=1, difficulty=[0, 1], guessing=0.2)
    assert not score_equation_variance(bank, [0.0, 1.0]).any()
    assert expected_response_variance(bank, 0.0).shape == (1, 2)


@pytest.mark.parametrize("over", ["respondents", "items"])
@pytest.mark.parametrize("model", ["rasch", "2pl", "beta3"])
def test_a_bank_knows_the_population_of_its_fit(model, over):
    truth = ic.simulate(model, respondents=60, items=25, seed=1)
    fit = ic.fit(truth.responses, model, method=Marginal(over=over), on_failure="ignore")
    mean, sd = fit.bank.ability_mean, fit.bank.ability_sd
    if model == "2pl":
        assert (mean, sd) == (0.0, 1.0)
    assert mean == pytest.approx(fit.estimates.abilities.mean(), abs=0.1)
    assert sd == pytest.approx(fit.estimates.abilities.std(), rel=0.35)


def test_known_parameters_are_checked():
    for parameters in ({"discrimination": 1}, {"discrimination": 1, "difficulty": np.nan}):
        with pytest.raises(ModelError):
            Bank.from_parameters("2pl", **parameters)
    with pytest.raises(ValueError, match="one id"):
        Bank.from_parameters("2pl", items=["a", "a"], discrimination=1, difficulty=[0, 1])
    bank = Bank.from_parameters("2pl", discrimination=1, difficulty=[0, 1])
    with pytest.raises(ValueError, match="no item in common"):
        assert bank + bank
