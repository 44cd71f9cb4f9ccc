"""Scoring against a bank: what is refused, and items that were not asked."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ModelError, ResponsesError

GOOD = ic.simulate("2pl", respondents=30, items=8, seed=0).responses
NAN = np.nan


def test_scoring_refuses_a_foreign_bank_and_unknown_methods():
    bank = ic.fit(GOOD, "2pl").bank
    other = ic.Responses.from_array([[1, 0]], items=["x", "y"])
    with pytest.raises(ResponsesError, match=r"2 of 2 are not.*'x'.*the bank"):
        ic.score(bank, other)
    with pytest.raises(ModelError, match=r"eap, map, ml, wle.*Got 'bayes'"):
        ic.score(bank, GOOD, method="bayes")
    with pytest.raises(ModelError, match="prior_sd must lie"):
        ic.score(bank, GOOD, prior_sd=0.0)
    with pytest.raises(ResponsesError, match="0 or 1"):
        ic.score(bank, ic.Responses.from_array(GOOD.array() * 0.5))


def test_scoring_a_subset_of_the_items_ignores_the_others():
    bank = ic.fit(GOOD, "2pl").bank
    part = GOOD.select(items=GOOD.items[:4])
    missing = GOOD.array()
    missing[:, 4:] = NAN
    for method in ("eap", "map", "wle"):
        a = ic.score(bank, part, method=method)
        b = ic.score(bank, ic.Responses.from_array(missing), method=method)
        np.testing.assert_allclose(a.ability, b.ability, atol=1e-9)
    table = ic.score(bank, part, method="ml").frame()
    perfect = part.means(axis=1) == 1
    assert (table["flags"] == "unbounded")[perfect].all()
    assert np.isposinf(table["ability"][perfect]).all()


@pytest.mark.parametrize("method", ["eap", "map", "ml", "wle"])
@pytest.mark.parametrize("count", [3, 40, 400])
def test_one_respondent_is_measured_as_in_a_table(method, count):
    import itemcurve as ic
    from itemcurve.bank.ability_estimation import score_one

    drawn = ic.simulate("2pl", respondents=1, items=count, seed=7)
    rng = np.random.default_rng(3)
    slopes = np.exp(rng.normal(0, 0.5, count))
    bank = ic.Bank.from_parameters("2pl", discrimination=slopes, difficulty=rng.normal(size=count))
    values = drawn.responses.array()[0]
    given = ic.Responses.from_array(values[None, :], items=bank.items)
    table = ic.score(bank, given, method=method)
    found = score_one(bank, values, method=method)
    assert found == pytest.approx((table.ability[0], table.ability_se[0]), abs=1e-12)


def test_an_error_that_says_nothing_is_not_shown():
    """Weights of a millionth: the responses tell next to nothing of an ability."""
    bank = ic.Bank.from_parameters("2pl", discrimination=[0.01, 0.01], difficulty=[0.0, 0.0])
    given = ic.Responses.from_array([[1, 0]], items=bank.items, weights=[[1e-8, 1e-8]])
    row = ic.score(bank, given, method="ml").frame().iloc[0]
    assert np.isnan(row["ability_se"])
    assert row["flags"] == "not determined"
