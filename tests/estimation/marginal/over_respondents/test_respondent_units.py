"""Respondents in bands of like numbers of answers: estimates are those of one band."""

import numpy as np
import pytest
from scipy.sparse import coo_array

import itemcurve as ic
from itemcurve.estimation.identification.starting_values import start_values
from itemcurve.estimation.marginal.over_respondents import respondent_units
from itemcurve.estimation.marginal.over_respondents.respondent_problem import RespondentProblem
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY
from itemcurve.numerics.integration import AroundPeak, AtNodes


@pytest.fixture
def responses():
    """Some answer five items, others hundreds."""
    rng = np.random.default_rng(1)
    table = ic.simulate("2pl", respondents=300, items=3000, seed=2).responses.array()
    share = np.exp(rng.uniform(np.log(0.002), np.log(0.4), 300))
    is_there = rng.random(table.shape) < share[:, None]
    is_there[np.arange(3000) % 300, np.arange(3000)] = True
    rows, columns = np.nonzero(is_there)
    return ic.Responses.from_array(
        coo_array((table[rows, columns], (rows, columns)), shape=table.shape)
    )


def test_bands_change_no_estimate(responses, monkeypatch):
    # As stated: a search for the population of items would end at a tolerance of its own.
    method = ic.Marginal(over="respondents", tolerance=1e-10, item_priors="fixed")
    expected = ic.fit(responses, method=method)
    monkeypatch.setattr(respondent_units, "_MANY_RESPONDENTS", 100)
    found = ic.fit(responses, method=method)
    objectives = [fit.estimates.objective_value for fit in (found, expected)]
    assert objectives[0] == pytest.approx(objectives[1], abs=1e-3)
    for table, column, digits in (
        ("items", "discrimination", 1e-3),
        ("items", "discrimination_se", 1e-3),
        ("respondents", "ability", 1e-3),
        ("respondents", "ability_se", 1e-3),
    ):
        own, other = (getattr(fit, table)[column] for fit in (found, expected))
        np.testing.assert_allclose(own, other, atol=digits)


def test_each_band_has_the_rule_that_its_posteriors_need(responses, monkeypatch):
    monkeypatch.setattr(respondent_units, "_MANY_RESPONDENTS", 100)
    model = ic.get_model("2pl")
    problem = RespondentProblem.build(
        Likelihood(model), responses, start_values(model, responses), NUMPY
    )
    rules = problem.marginal.grid.rule.rules
    assert isinstance(rules[0], AtNodes)
    assert isinstance(rules[-1], AroundPeak)
    weights = [limit for band in problem.bands for limit in band]
    assert weights == sorted(weights)
    units = problem.marginal.units
    assert set(units.bands) == set(range(len(problem.bands)))
    rows = np.concatenate([np.asarray(block[1].sum(axis=1)) for block in units.blocks])
    np.testing.assert_array_equal(rows, responses.cells.totals(1)[1][units.order])
