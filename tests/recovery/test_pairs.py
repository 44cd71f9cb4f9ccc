"""Simulate votes, fit, compare: intervals cover what they say."""

import numpy as np
import pytest

import itemcurve as ic

pytestmark = pytest.mark.slow
DESIGNS = {
    "20 models, 3,000 votes": {"respondents": 20, "votes": 3000, "ties": 0.2, "order": 0.3},
    "50 models, 20,000 votes": {"respondents": 50, "votes": 20_000, "ties": 0.1, "order": 0.5},
    "no ties": {"respondents": 20, "votes": 3000, "ties": 0.0, "order": 0.3},
    "votes that share items": {"respondents": 20, "votes": 6000, "order": 0.3, "items": 300},
}


@pytest.mark.parametrize("design", DESIGNS)
def test_intervals_cover_strengths_and_ranks(design):
    covered, ranked, effects = [], [], []
    # Of twenty seeds the share covered has a standard deviation of nearly two points by itself.
    for seed in range(60):
        drawn = ic.pairs.simulate_votes(seed=seed, **DESIGNS[design])
        fit = ic.fit_pairs(drawn.frame())
        table = fit.frame().set_index("respondent").loc[list(drawn.respondents)]
        truth = drawn.strengths
        covered.append((table["lower"] <= truth) & (truth <= table["upper"]))
        ranks = np.argsort(np.argsort(-truth)) + 1
        ranked.append(((table["best_rank"] <= ranks) & (ranks <= table["worst_rank"])).all())
        order = fit.effects().set_index("effect").loc["order"]
        effects.append(order["lower"] <= DESIGNS[design]["order"] <= order["upper"])
    assert 0.87 <= np.mean(covered) <= 0.93
    assert np.mean(ranked) >= 0.95
    assert 0.8 <= np.mean(effects) <= 0.98


def test_judges_at_random_are_found_and_others_are_not():
    found, false = 0, 0
    for seed in range(20):
        drawn = ic.pairs.simulate_votes(
            respondents=10, votes=3000, judges=6, random_judges=1, order=0.2, seed=seed
        )
        fit = ic.fit_pairs(drawn.frame(), judges="own")
        named = [f.concerned for f in fit.findings() if f.code == "IRT033"]
        names = named[0] if named else ()
        found += "judge_6" in names
        false += len(set(names) - {"judge_6"})
    assert found >= 18
    assert false == 0


def leaning(seed, items, votes):
    """Votes among models each of whom is better on some items than on others."""
    rng = np.random.default_rng(seed)
    item = np.repeat(np.arange(items), votes)
    own = np.linspace(-1, 1, 8) + rng.normal(0, 1, (items, 8))
    first = rng.integers(8, size=len(item))
    second = (first + rng.integers(1, 8, size=len(item))) % 8
    chance = 1 / (1 + np.exp(own[item, second] - own[item, first] - 0.2))
    names = np.array([f"m{code}" for code in range(8)])
    wins = rng.random(len(item)) < chance
    winner = np.where(wins, "a", "b")
    return {"model_a": names[first], "model_b": names[second], "winner": winner, "item": item}


def test_errors_by_item_cover_where_independent_ones_do_not():
    truth = ic.fit_pairs(leaning(999, 20_000, 30)).estimates.strengths
    covered = {"independent": [], "item": []}
    for seed in range(60):
        votes = leaning(seed, 100, 30)
        for errors, found in covered.items():
            fit = ic.fit_pairs(votes, errors=errors)
            room = fit.reach(0.9) * fit.strength_errors
            found.append(np.abs(fit.estimates.strengths - truth) < room)
    assert np.mean(covered["independent"]) < 0.82
    assert 0.87 <= np.mean(covered["item"]) <= 0.93


def test_discriminations_of_judges_are_covered():
    covered = []
    for seed in range(40):
        drawn = ic.pairs.simulate_votes(
            respondents=8, votes=3000, judges=5, random_judges=1, order=0.3, seed=seed
        )
        fit = ic.fit_pairs(drawn.frame(), judges="own")
        table = fit.judges().set_index("judge").loc[list(drawn.judges)]
        # The unit is the mean by votes.
        truth = drawn.discriminations / np.average(drawn.discriminations, weights=table["votes"])
        ends = table["discrimination_lower"], table["discrimination_upper"]
        covered.append((ends[0] <= truth) & (truth <= ends[1]))
    assert 0.86 <= np.mean(covered) <= 0.95
