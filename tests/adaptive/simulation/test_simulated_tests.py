"""Many simulated tests at once, on both engines."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import MissingExtraError, ModelError, ResponsesError


def test_simulated_tests_measure_their_respondents(bank):
    found = ic.simulate_tests(bank, respondents=500, max_items=25, seed=1)
    assert found.rmse < 0.4
    assert found.rmse == pytest.approx(np.sqrt(np.mean(found.ability_se**2)), rel=0.15)
    assert (found.n_items == 25).all()
    assert all(len(set(row)) == 25 for row in found.asked)
    path = found.path()
    assert path["rmse"].iloc[-1] < path["rmse"].iloc[4] < path["rmse"].iloc[0]


def test_information_beats_chance(bank):
    settings = {"respondents": 800, "max_items": 15, "seed": 2}
    errors = {s: ic.simulate_tests(bank, select=s, **settings).rmse for s in ("fisher", "kl")}
    chance = ic.simulate_tests(bank, select="random", **settings)
    assert max(errors.values()) < 0.9 * chance.rmse
    assert chance.exposure()["exposure"].max() < 0.35


def test_a_simulated_test_is_what_a_session_does(bank):
    whole = ic.simulate("2pl", respondents=5, items=60, seed=9).responses.array()
    replayed = ic.Responses.from_array(whole, items=bank.items)
    found = ic.simulate_tests(bank, responses=replayed, max_items=12)
    for row in range(5):
        test = ic.AdaptiveTest(bank, stop=ic.stopping.max_items(12))
        while (item := test.next_item()) is not None:
            test.record(item, whole[row, bank.positions([item])[0]])
        asked = [bank.items[place] for place in found.asked[row]]
        # Abilities are rounded to 1/20 sd for choosing: nearly equal items may change places.
        assert len(set(asked) & {answer.item for answer in test.answers}) >= 10
        assert found.ability[row] == pytest.approx(test.ability, abs=0.1)


def test_tests_end_at_the_standard_error(bank):
    found = ic.simulate_tests(bank, respondents=300, max_items=40, ability_se=0.4, seed=3)
    ended = found.n_items < 40
    assert ended.mean() > 0.8
    assert (found.ability_se[ended] <= 0.4).all()
    first = found.asked[ended][0]
    assert (first[found.n_items[ended][0] :] == -1).all()


def test_randomesque_spreads_the_items(bank):
    settings = {"respondents": 400, "max_items": 10, "seed": 4}
    fixed = ic.simulate_tests(bank, **settings).exposure()["exposure"].max()
    spread = ic.simulate_tests(bank, exposure=6, **settings).exposure()["exposure"].max()
    assert spread < 0.75 * fixed


def test_missing_responses_are_never_asked(bank):
    whole = np.ones((3, 60))
    whole[:, ::2] = np.nan
    replayed = ic.Responses.from_array(whole, items=bank.items)
    found = ic.simulate_tests(bank, responses=replayed, max_items=60)
    assert (found.n_items == 30).all()
    assert (found.asked[:, :30] % 2 == 1).all()
    assert np.isnan(found.true_ability).all()


@pytest.mark.parametrize("select", ["fisher", "kl", "random"])
def test_mixed_banks_are_simulated(mixed_bank, select):
    found = ic.simulate_tests(mixed_bank, respondents=200, select=select, max_items=20, seed=5)
    assert found.rmse < 0.6


@pytest.mark.parametrize("model", ["beta3", "gamma", "logit-normal", "3pl"])
def test_every_family_is_simulated(model):
    truth = ic.simulate(model, respondents=60, items=25, seed=1)
    bank = ic.fit(truth.responses, model, on_failure="ignore").bank
    found = ic.simulate_tests(bank, respondents=200, max_items=15, seed=1)
    assert found.rmse < 0.8 * bank.ability_sd


def test_both_engines_run_the_same_tests(bank):
    pytest.importorskip("jax")
    settings = {"respondents": 70, "max_items": 12, "exposure": 3, "seed": 6}
    one, other = (ic.simulate_tests(bank, engine=name, **settings) for name in ("numpy", "jax"))
    assert np.mean(one.asked == other.asked) > 0.99
    assert one.ability == pytest.approx(other.ability, abs=1e-6)


@pytest.mark.parametrize(
    "change",
    [
        {"respondents": 0},
        {"max_items": 0},
        {"abilities": [np.nan]},
        {"abilities": []},
        {"exposure": ic.selection.Exposure(explore=0.5)},
        {"select": "best"},
        {"engine": "torch"},
    ],
)
def test_wrong_settings_are_refused(bank, change):
    with pytest.raises((ModelError, MissingExtraError)):
        ic.simulate_tests(bank, **change)


def test_responses_that_do_not_suit_the_bank_are_refused(bank):
    for given in (np.ones((1, 60)), ic.Responses.from_array([[0.5]], items=["q0"])):
        with pytest.raises(ResponsesError):
            ic.simulate_tests(bank, responses=given)


def test_the_combined_rule_is_that_of_sessions(bank):
    settings = {"respondents": 300, "max_items": 9, "seed": 5}
    found = ic.simulate_tests(bank, select="combined", **settings)
    fisher = ic.simulate_tests(bank, select="fisher", **settings)
    assert (found.asked[:, 0] == fisher.asked[:, 0]).all()
    # Every third item is anybody's: of 60, all occur among 300 respondents.
    assert len(set(found.asked[:, 2])) > 50
    assert len(set(fisher.asked[:, 2])) < 20
    assert all(len(set(row)) == 9 for row in found.asked)
    again = ic.simulate_tests(bank, select="combined", **settings)
    np.testing.assert_array_equal(found.asked, again.asked)
    other = ic.simulate_tests(bank, select="combined", **{**settings, "seed": 6})
    assert (found.asked[:, 2] != other.asked[:, 2]).mean() > 0.9


def test_rules_in_turn_skip_what_is_missing(bank):
    whole = np.ones((4, 60))
    whole[:, ::2] = np.nan
    replayed = ic.Responses.from_array(whole, items=bank.items)
    found = ic.simulate_tests(bank, responses=replayed, select="combined", max_items=60)
    assert (found.n_items == 30).all()
    assert (np.sort(found.asked[:, :30], axis=1) == np.arange(1, 60, 2)).all()
