"""Which way a scale of ability points."""

import numpy as np
import pytest

import itemcurve as ic


@pytest.mark.parametrize("over", ["items", "respondents"])
def test_abilities_rise_with_the_mean_response_where_all_weak_ones_fail_the_same_items(over):
    # Five perfect respondents and four that fail the same 50 of 400 items: left to itself the
    # population of discriminations can settle on the wrong side of 0.
    responses = np.ones((9, 400))
    responses[5:, :50] = 0
    responses[5, 50] = 0
    fit = ic.fit(
        ic.Responses.from_array(responses), method=ic.Marginal(over=over), on_failure="ignore"
    )
    assert np.corrcoef(fit.estimates.abilities, responses.mean(axis=1))[0, 1] > 0.9
    assert np.median(fit.items["discrimination"]) > 0
