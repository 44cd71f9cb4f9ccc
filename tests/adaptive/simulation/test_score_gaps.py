"""How far from its score a test has a respondent."""

import numpy as np

import itemcurve as ic
from itemcurve.adaptive.simulation.score_gaps import trace_score_gaps


def test_gaps_are_of_the_mean_over_all_items_that_were_answered():
    fit = ic.fit(ic.simulate("2pl", respondents=30, items=12, seed=2).responses)
    table = fit.responses.array()[:5].copy()
    table[0, 3] = np.nan
    own = ic.Responses.from_array(table, items=fit.responses.items)
    tests = ic.simulate_tests(fit.bank, responses=own, max_items=12)
    gaps = trace_score_gaps(tests, own)
    assert gaps.shape == tests.ability_path.shape
    expected = np.asarray(fit.bank.expected_response(tests.ability_path[0]))[4]
    answered = ~np.isnan(table[0])
    np.testing.assert_allclose(gaps[0, 4], (expected - table[0])[answered].mean())
