"""Who leads, and who is tied."""

from itemcurve.analysis.respondents.ranking import ranking


def test_the_best_leads_and_is_tied_with_itself(fitted):
    found = ranking(fitted("2pl"))
    frame = found.frame()
    assert frame["ability"].is_monotonic_decreasing
    assert frame["probability_behind"].iloc[0] == 0.5
    assert frame["probability_behind"].is_monotonic_increasing
    assert 0 < found.reliability < 1
    assert found.n_tied == (frame["probability_behind"].iloc[1:] < 0.95).sum()
