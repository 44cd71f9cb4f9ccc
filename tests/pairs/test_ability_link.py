"""Strengths on the scale of abilities: the line is found, errors and all."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ResponsesError

SLOPE = 0.8


def both(seed, noise=0.0, shared=30):
    """An exam, and votes among the same whose strengths are (ability − 0.3) / 0.8."""
    truth = ic.simulate("2pl", respondents=200, items=100, seed=seed)
    fit = ic.fit(truth.responses)
    rng = np.random.default_rng(1000 + seed)
    abilities = np.asarray(truth.abilities)[:shared]
    strengths = (abilities - 0.3 + rng.normal(0, noise, shared)) / SLOPE
    first = rng.integers(shared, size=4000)
    second = (first + rng.integers(1, shared, size=4000)) % shared
    chance = 1 / (1 + np.exp(strengths[second] - strengths[first]))
    names = np.array(truth.responses.respondents)
    votes = {
        "model_a": names[first],
        "model_b": names[second],
        "winner": np.where(rng.random(4000) < chance, "a", "b"),
    }
    return ic.fit_pairs(votes), fit, abilities


@pytest.mark.slow
def test_the_line_is_found_over_seeds():
    found = [ic.pairs.place_on_abilities(*both(seed)[:2]) for seed in range(20)]
    assert np.mean([link.slope for link in found]) == pytest.approx(SLOPE, abs=0.03)
    covered = [link.slope_lower < SLOPE < link.slope_upper for link in found]
    assert np.mean(covered) >= 0.75


def test_abilities_are_foretold_by_strengths():
    pairs, fit, abilities = both(1)
    link = ic.pairs.place_on_abilities(pairs, fit)
    table = link.frame().set_index("respondent").loc[list(fit.responses.respondents[:30])]
    inside = (table["lower"] <= abilities) & (abilities <= table["upper"])
    assert inside.mean() > 0.8
    assert link.correlation > 0.95
    assert link.n_shared == 30
    assert "ability = " in str(link)


def test_what_votes_measure_besides_is_scatter():
    pairs, fit, _ = both(2, noise=0.6)
    link = ic.pairs.place_on_abilities(pairs, fit)
    assert 0.25 < link.scatter < 0.8
    assert link.correlation < 0.95


def test_too_few_in_common_are_refused():
    pairs, _, _ = both(3, shared=4)
    other = ic.fit(ic.simulate("2pl", respondents=200, items=20, seed=1).responses)
    with pytest.raises(ResponsesError, match="4 of 4 in the votes have both"):
        ic.pairs.place_on_abilities(pairs, other)
