"""Batches that hardly cost items, against tests that go one by one."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.adaptive.batch_pace import expect_by_width, expect_items, pace

SIZE = 400
RNG = np.random.default_rng(0)
DIFFICULTY = RNG.normal(0, 1, SIZE)
DISCRIMINATION = np.exp(RNG.normal(0, 0.3, SIZE))
BANK = ic.Bank.from_parameters("2pl", discrimination=DISCRIMINATION, difficulty=DIFFICULTY)


def answers(ability, seed):
    chances = 1 / (1 + np.exp(-DISCRIMINATION * (ability - DIFFICULTY)))
    is_right = np.random.default_rng(seed).random(SIZE) < chances
    return dict(zip(BANK.items, is_right.astype(float), strict=True))


def run(stop, most, ability, seed):
    test, known, rounds = ic.AdaptiveTest(BANK, stop=stop, seed=seed), answers(ability, seed), 0
    while items := test.next_paced(most):
        test.record_many({item: known[item] for item in items})
        rounds += 1
    return len(test.answers), rounds


@pytest.mark.parametrize("se", [0.3, 0.2])
def test_batches_of_32_take_at_most_a_tenth_more_items(se):
    stop = ic.stopping.ability_se(se)
    grid = list(enumerate(np.linspace(-1.2, 1.2, 9)))
    single = np.mean([run(stop, 1, ability, seed) for seed, ability in grid], axis=0)
    paced = np.mean([run(stop, 32, ability, seed) for seed, ability in grid], axis=0)
    assert paced[0] <= 1.1 * single[0]
    assert paced[1] < single[1] / 2


def test_a_number_of_items_is_never_exceeded():
    stop = ic.stopping.any_of(ic.stopping.max_items(30), ic.stopping.ability_se(0.01))
    assert run(stop, 32, 0.0, 0)[0] == 30


def test_what_is_expected_is_what_the_standard_error_lacks():
    # Information of 1pl items at their own difficulty is 1/4 each, that of the population 1.
    bank = ic.Bank.from_parameters("1pl", items=list("abcdefghijklmnop"), difficulty=np.zeros(16))
    state = ic.AdaptiveTest(bank).state
    expected = expect_items(ic.stopping.ability_se((1 / 3) ** 0.5), state)
    assert expected == 8 == (3 - 1) / 0.25
    assert expect_items(None, state) == np.inf
    both = (ic.stopping.max_items(3), ic.stopping.ability_se((1 / 3) ** 0.5))
    assert expect_items(ic.stopping.any_of(*both), state) == 3
    assert expect_items(ic.stopping.all_of(*both), state) == 8


def test_intervals_narrow_as_the_root_of_the_answers():
    assert expect_by_width(100, 0.2, 0.1) == 300
    assert expect_by_width(100, 0.05, 0.1) == 1


def test_batches_grow_with_what_is_known():
    assert [pace(n, np.inf) for n in (0, 8, 30)] == [4, 4, 15]


def test_a_test_for_the_score_ends_its_first_stage_with_a_batch():
    truth = ic.simulate("2pl", respondents=40, items=200, seed=2).responses
    new = dict(zip(truth.items, truth.array()[39], strict=True))
    test = ic.ScoreTest(truth.take(rows=list(range(39))), n_items=40)
    sizes = []
    while items := test.next_paced(32):
        test.record_many({item: new[item] for item in items})
        sizes.append(len(items))
    assert sizes == [24, 16]
    assert test.is_chosen is not None


def test_a_score_that_is_precise_enough_ends_soon():
    truth = ic.simulate("2pl", respondents=60, items=300, seed=2).responses
    new = dict(zip(truth.items, truth.array()[59], strict=True))
    counts = {}
    for most in (1, 32):
        stop = ic.stopping.score_precision(0.05)
        test = ic.ScoreTest(truth.take(rows=list(range(59))), n_items=200, stop=stop)
        while items := test.next_paced(most):
            test.record_many({item: new[item] for item in items})
        counts[most] = len(test.answers)
    assert counts[32] <= 1.1 * counts[1]
