"""Rules compared by when tests of known respondents converge."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ModelError


@pytest.fixture(scope="module")
def fit():
    return ic.fit(ic.simulate("2pl", respondents=60, items=40, seed=3).responses)


@pytest.fixture(scope="module")
def found(fit):
    return ic.selection.compare_rules(fit, seed=1)


def test_errors_fall_to_the_same_end_whatever_the_rule(found):
    assert found.errors.shape == (4, 60, 40)
    ends = found.errors[:, :, -1]
    np.testing.assert_allclose(ends, np.broadcast_to(ends[0], ends.shape))
    table = found.frame().set_index("rule")
    assert (table["error_after_all"] < table["error_after_first"]).all()
    assert (table["converged_lower"] <= table["converged"]).all()


def test_information_converges_before_chance(found):
    table = found.frame().set_index("rule")["converged"]
    assert table["fisher"] < table["random"]
    assert found.best != "random"
    assert "random" not in found.not_told_from_best()


def test_a_seed_repeats_it(fit, found):
    again = ic.selection.compare_rules(fit, seed=1)
    np.testing.assert_array_equal(found.converged, again.converged)


def test_respondents_are_left_out_of_the_calibration(fit, monkeypatch):
    from itemcurve.adaptive.simulation import rule_comparison

    seen = []

    def watched(calibration, responses):
        seen.append(responses.shape[0])
        return calibration

    monkeypatch.setattr(rule_comparison, "fit_again", watched)
    ic.selection.compare_rules(fit, ("fisher",))
    assert seen == [45, 45, 45, 45]


def test_too_little_is_refused(fit):
    with pytest.raises(ModelError, match="on a fit, whose items are calibrated"):
        ic.selection.compare_rules(fit.responses)
    with pytest.raises(ModelError, match="2 folds or more"):
        ic.selection.compare_rules(fit, folds=1)


def test_what_tells_nothing_converges_on_nothing(fit, found):
    assert found.tells
    assert found.unasked.mean() > found.errors[:, :, -1].mean()
    chance = np.random.default_rng(5).random((9, 47)) < 0.8
    noise = ic.fit(ic.Responses.from_array(chance.astype(float)), "1pl", on_failure="ignore")
    assert not ic.selection.compare_rules(noise).tells
    assert ic.selection.compare_rules(noise).first_to_place is None


def test_a_test_places_long_after_its_errors_stop_changing(found):
    first = found.first_to_place
    after = found.places_after(first)
    own = found.remaining[found.rules.index(first)]
    assert (own[after - 1 :] <= 0.5).all()
    assert own[after - 2] > 0.5
    # Errors of single responses are mostly noise.
    table = found.frame().set_index("rule")
    assert table["converged"][first] < after
    assert table["remains_then"][first] > 0.5
    assert found.ability_se[0, 0] > found.ability_se[0, -1]
    assert first != "random"
