"""Misfit of scores, by replaying the calibration."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ModelError


@pytest.fixture(scope="module")
def two_skills():
    """Responses of two unrelated skills, which one ability cannot describe."""
    halves = [ic.simulate("2pl", respondents=80, items=60, seed=seed).responses for seed in (1, 2)]
    return np.concatenate([half.array() for half in halves], axis=1)


def test_a_model_that_is_right_has_next_to_no_misfit():
    truth = ic.simulate("2pl", respondents=100, items=100, seed=3)
    found = ic.measure_misfit(ic.fit(truth.responses), max_items=30)
    assert found.score_sd < 0.03
    assert sorted(found.respondents) == sorted(truth.responses.respondents)
    assert list(found.frame().columns) == ["respondent", "error", "expected_sd"]


def test_a_model_that_is_wrong_has_misfit_and_intervals_that_hold(two_skills):
    fit = ic.fit(ic.Responses.from_array(two_skills[:60]), on_failure="ignore")
    misfit = ic.measure_misfit(fit, max_items=30).score_sd
    assert misfit > 0.02
    covered = {0.0: 0, misfit: 0}
    place = {item: index for index, item in enumerate(fit.bank.items)}
    for own in two_skills[60:]:
        for size in covered:
            test = ic.AdaptiveTest(fit.bank, stop=ic.stopping.max_items(30), score_misfit=size)
            while (item := test.next_item()) is not None:
                test.record(item, own[place[item]])
            covered[size] += test.score.lower <= own.mean() <= test.score.upper
    assert covered[0.0] < covered[misfit] >= 16


def test_misfit_is_kept_in_the_session_and_heeded_by_the_stop_rule(tmp_path):
    bank = ic.Bank.from_parameters("2pl", discrimination=1.5, difficulty=np.linspace(-2, 2, 40))
    stop = ic.stopping.score_half_width(0.15)
    lengths = []
    for misfit in (0.0, 0.08):
        test = ic.AdaptiveTest(bank, stop=stop, score_misfit=misfit)
        test.save(tmp_path / "s.json")
        test = ic.AdaptiveTest.load(tmp_path / "s.json")
        assert test.score_misfit == misfit
        while (item := test.next_item()) is not None:
            test.record(item, len(test.answers) % 2)
        lengths.append(len(test.answers))
    assert lengths[0] < lengths[1]


@pytest.mark.parametrize("misfit", [-0.1, float("nan"), "much"])
def test_what_is_no_misfit_is_refused(misfit):
    bank = ic.Bank.from_parameters("2pl", discrimination=1.0, difficulty=[0.0, 1.0])
    with pytest.raises(ModelError, match="score_misfit"):
        ic.AdaptiveTest(bank, score_misfit=misfit)


def test_misfit_needs_a_fit_with_respondents():
    bank = ic.Bank.from_parameters("2pl", discrimination=1.0, difficulty=[0.0, 1.0])
    with pytest.raises(ModelError, match="bare bank"):
        ic.measure_misfit(bank)
