"""Difficulty on features of items: found without the shrinkage of short tests, with intervals."""

import numpy as np
import pandas
import pytest

import itemcurve as ic
from itemcurve.errors import ModelError, ResponsesError

SLOPES, LEFT, ORIGIN = np.array([0.6, -0.4]), 0.5, -0.3


def drawn(respondents: int, items: int, seed: int):
    """Answers to items whose difficulties follow two numbers, the numbers, what is true."""
    rng = np.random.default_rng([7, seed])
    numbers = rng.normal(size=(items, 2))
    difficulty = ORIGIN + numbers @ SLOPES + LEFT * rng.normal(size=items)
    slope, ability = np.exp(0.3 * rng.normal(size=items)), rng.normal(size=respondents)
    chance = 1 / (1 + np.exp(-slope * (ability[:, None] - difficulty)))
    responses = ic.Responses.from_array((rng.random(chance.shape) < chance).astype(float))
    table = pandas.DataFrame(numbers, columns=["length", "steps"], index=responses.items)
    truth = np.r_[ORIGIN - ability.mean(), SLOPES] / ability.std()
    return responses, table, truth


@pytest.mark.parametrize(("respondents", "items"), [(300, 40), (30, 100)])
def test_slopes_are_not_shrunk_and_intervals_cover(respondents, items):
    estimates, covered = [], []
    for seed in range(8):
        responses, table, truth = drawn(respondents, items, seed)
        fit = ic.fit(responses, "2pl", on_failure="ignore")
        found = fit.explain_items(table).coefficients
        estimates.append(found["estimate"] / truth)
        covered.append((found["lower"] <= truth) & (truth <= found["upper"]))
    assert np.mean(estimates, axis=0)[1:] == pytest.approx([1, 1], abs=0.12)
    assert np.mean(covered) > 0.8


def test_what_features_leave_over_is_told_from_errors_of_estimation():
    responses, table, _ = drawn(60, 200, 1)
    found = ic.fit(responses, "2pl", on_failure="ignore").explain_items(table)
    assert found.residual_sd == pytest.approx(LEFT, abs=0.12)
    # 0.6² + 0.4² of 0.6² + 0.4² + 0.5².
    assert found.explained == pytest.approx(0.67, abs=0.12)
    assert "length" in str(found)
    assert "steps" in str(found)


def test_features_of_no_use_explain_nothing():
    responses, _, _ = drawn(300, 40, 2)
    useless = pandas.DataFrame({"mood": np.random.default_rng(5).normal(size=40)})
    found = ic.fit(responses, "2pl").explain_items(useless)
    assert found.explained < 0.15
    assert "No feature" in str(found)


def test_terms_are_in_the_units_that_were_given():
    """A name has a term for each further level, and numbers count from zero."""
    responses, table, _ = drawn(400, 40, 3)
    table["topic"] = ["law" if k % 2 else "maths" for k in range(40)]
    fit = ic.fit(responses, "2pl")
    found = fit.explain_items(table)
    assert list(found.coefficients["term"]) == ["constant", "length", "steps", "topic[law]"]
    moved = fit.explain_items(table.assign(length=1000 * table["length"] + 5))
    before, after = (own.coefficients.set_index("term") for own in (found, moved))
    assert 1000 * after["estimate"]["length"] == pytest.approx(before["estimate"]["length"])
    shift = 5 * after["estimate"]["length"]
    constant = after["estimate"]["constant"] + shift
    assert constant == pytest.approx(before["estimate"]["constant"])
    np.testing.assert_allclose(after["p_value"][1:], before["p_value"][1:])


def test_unseen_items_are_predicted_with_intervals_that_cover():
    responses, table, _ = drawn(400, 120, 4)
    fit = ic.fit(responses, "2pl")
    half = list(responses.items[:60])
    half_fit = ic.fit(responses.select(items=half), "2pl")
    guessed = half_fit.explain_items(table.loc[half]).predict(table.iloc[60:])
    known = fit.items.set_index("item")["difficulty"][guessed["item"]].to_numpy()
    covered = (guessed["lower"] <= known) & (known <= guessed["upper"])
    assert covered.mean() == pytest.approx(0.9, abs=0.1)
    by_features = np.abs(guessed["difficulty"] - known).mean()
    assert by_features < 0.8 * np.abs(known - known.mean()).mean()


def test_an_item_that_is_unlike_its_features_comes_first():
    responses, table, _ = drawn(400, 40, 5)
    answers = responses.array()
    answers[:, 7] = np.random.default_rng(1).random(400) < 0.03
    altered = ic.Responses.from_array(answers, items=responses.items)
    fit = ic.fit(altered, "2pl", on_failure="ignore")
    table.loc[responses.items[7]] = [-2.0, 2.0]
    top = fit.explain_items(table).frame().iloc[0]
    assert top["item"] == responses.items[7]
    assert top["surprise"] > 2


@pytest.mark.parametrize("model", ["rasch", "1pl", "3pl", "grm", "logit-normal"])
def test_models_of_one_difficulty_are_served(model):
    truth = ic.simulate(model, respondents=300, items=40, seed=2)
    fit = ic.fit(truth.responses, model, on_failure="ignore")
    rng = np.random.default_rng(0)
    hard = fit.items["difficulty" if "difficulty" in fit.items else "location"].clip(-4, 4)
    near = pandas.DataFrame({"guess": hard + 0.3 * rng.normal(size=40)})
    found = fit.explain_items(near)
    row = found.coefficients.iloc[1]
    assert 0.7 < row["estimate"] < 1.2
    assert found.explained > 0.6


def test_what_cannot_be_explained_is_refused():
    responses, table, _ = drawn(60, 12, 6)
    fit = ic.fit(responses, "2pl", on_failure="ignore")
    with pytest.raises(ResponsesError, match="one row per item"):
        fit.explain_items(table.iloc[:5])
    with pytest.raises(ResponsesError, match="must be known for each item"):
        fit.explain_items(table.assign(length=np.nan))
    with pytest.raises(ResponsesError, match="3 items more than terms"):
        fit.explain_items({f"x{k}": np.random.default_rng(k).normal(size=12) for k in range(9)})
    with pytest.raises(ResponsesError, match="no column 'steps'"):
        fit.explain_items(table).predict(table[["length"]])
    scores = ic.simulate("beta3", respondents=30, items=12, seed=1).responses
    with pytest.raises(ModelError, match="one for each item"):
        ic.fit(scores, "beta3", on_failure="ignore").explain_items(table)


def test_new_items_are_described_as_those_of_the_fit():
    responses, table, _ = drawn(60, 12, 6)
    table["topic"] = ["law", "maths"] * 6
    found = ic.fit(responses, "2pl", on_failure="ignore").explain_items(table)
    again = found.predict(table).set_index("item")["difficulty"]
    assert again.to_numpy() == pytest.approx(
        found.frame().set_index("item").loc[list(again.index), "expected"].to_numpy()
    )
    with pytest.raises(ResponsesError, match="'topic' has 'art', not one of law, maths"):
        found.predict(table.assign(topic="art"))
    with pytest.raises(ResponsesError, match="'length' is missing for 12 of 12"):
        found.predict(table.assign(length=np.nan))
