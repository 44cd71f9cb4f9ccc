"""Next items and abilities against catR 3.17; rules that only catR has are ten-line functions."""

import numpy as np
import pytest

from itemcurve.adaptive.ability.ability_state import AbilityEstimate, for_rules
from itemcurve.adaptive.ability.ability_test import AdaptiveTest
from itemcurve.adaptive.selection.likelihood_kl import WeightedKullbackLeibler
from itemcurve.adaptive.selection.posterior_variance import PosteriorVariance
from itemcurve.bank.ability_estimation import score
from itemcurve.responses.matrix import Responses

GRID = np.linspace(-4, 4, 33)


@pytest.fixture
def after_63(catr_bank, reference):
    """The state after item 63 was answered wrongly, with the ability that catR had (BM)."""
    ability = reference["catR_tcals"]["thetaEst_item63_x0_BM"]
    estimate = AbilityEstimate(ability, 0.9, ability, 0.9)
    place = catr_bank.positions(["63"])
    return for_rules(
        catr_bank, estimate, place, np.array([0.0]), np.array([]), np.random.default_rng(0)
    )


def best(bank, state, rule):
    values = np.where(state.is_available, rule(bank, state), -np.inf)
    return int(bank.items[values.argmax()]), float(values.max())


# Rules of one's own: functions of bank and state.
def closest_difficulty(bank, state):  # bOpt
    return -np.abs(bank.parts[0].values[:, 1] - state.ability)


def closest_peak(bank, state):  # thOpt: where the information of an item is highest
    a, b, c, _ = bank.parts[0].values.T
    peak = b + np.log((1 + np.sqrt(1 + 8 * c)) / 2) / a
    return -np.abs(peak - state.ability)


def likelihood_weighted_information(bank, state):  # MLWI
    return np.exp(state.log_likelihood(GRID)) @ bank.information(GRID) * 0.25


def posterior_weighted_information(bank, state):  # MPWI
    weights = np.exp(state.log_likelihood(GRID) - GRID**2 / 2) / np.sqrt(2 * np.pi)
    return weights @ bank.information(GRID) * 0.25


def global_discrimination(bank, state):  # GDI: spread of the curve under the likelihood
    return _spread(bank, np.exp(state.log_likelihood(GRID)))


def posterior_discrimination(bank, state):  # GDIP
    return _spread(bank, np.exp(state.log_likelihood(GRID) - GRID**2 / 2))


def _spread(bank, weights):
    curves = bank.expected_response(GRID)
    mean = weights @ curves / weights.sum()
    return weights @ (curves - mean) ** 2


def expected_observed_information(bank, state):  # MEI
    values = np.full(len(bank), -np.inf)
    for place in np.flatnonzero(state.is_available):
        asked = [*state.answered, place]
        chance = bank.expected_response(state.ability)[0, place]
        values[place] = sum(
            share * _observed_information(bank, place, asked, [*state.responses, x], x)
            for x, share in ((1, chance), (0, 1 - chance))
        )
    return values


def _observed_information(bank, place, asked, answers, x):
    names = [bank.items[index] for index in asked]
    ability = score(bank, Responses.from_array([answers], items=names), method="map").ability[0]
    step, item = 1e-3, bank.take([place])
    p = item.expected_response(ability + step * np.arange(-1, 2))[:, 0]
    return -np.diff(np.log(p if x else 1 - p), 2)[0] / step**2


def test_maximum_information_asks_63_then_10_then_62(catr_bank, reference):
    number, value = reference["catR_tcals"]["MFI_theta0"]
    test = AdaptiveTest(catr_bank)
    assert [int(test.next_item())] == [number]
    assert catr_bank.information(0.0)[0, number - 1] == pytest.approx(value, abs=1e-7)
    order = np.argsort(-catr_bank.information(0.0)[0])[:3] + 1
    assert order.tolist() == [63, 10, 62]


@pytest.mark.parametrize(
    ("name", "rule", "tolerance"),
    [
        ("KL", WeightedKullbackLeibler(), None),
        ("KLP", WeightedKullbackLeibler("posterior"), None),
        ("MEPV", PosteriorVariance(), None),
        ("MLWI", likelihood_weighted_information, 2e-3),
        ("MPWI", posterior_weighted_information, 2e-3),
        ("MEI_observed", expected_observed_information, 1e-3),
        ("GDI", global_discrimination, None),
        ("GDIP", posterior_discrimination, None),
    ],
)
def test_next_item_after_63_was_answered_wrongly_is_that_of_catr(
    catr_bank, after_63, reference, name, rule, tolerance
):
    number, value = reference["catR_tcals"]["after_item63_x0"][name]
    found, height = best(catr_bank, after_63, rule)
    assert found == number
    if tolerance is not None:
        assert height == pytest.approx(value, rel=tolerance)


@pytest.mark.parametrize(
    ("name", "rule"), [("bOpt_theta0", closest_difficulty), ("thOpt_theta0", closest_peak)]
)
def test_first_item_by_difficulty_is_that_of_catr(catr_bank, reference, name, rule):
    number, value = reference["catR_tcals"][name]
    state = AdaptiveTest(catr_bank).state
    found, height = best(catr_bank, state, rule)
    assert (found, -height) == (number, pytest.approx(value, abs=1e-6))


@pytest.mark.parametrize(
    ("method", "name", "tolerance"),
    [
        ("ml", "ML", 1e-4),
        ("map", "BM_N01", 1e-4),
        # catR integrates on 33 points; the exact mean is 2e-5 away.
        ("eap", "EAP_N01", 1e-4),
        ("wle", "WL", 1e-4),
    ],
)
def test_abilities_after_ten_items_are_those_of_catr(catr_bank, reference, method, name, tolerance):
    values = reference["catR_tcals"]
    test = AdaptiveTest(catr_bank, ability_method=method)
    test.record_many(zip(map(str, values["items"]), values["x"], strict=True))
    ability, error = values[name]
    assert test.ability == pytest.approx(ability, abs=tolerance)
    if method != "eap":
        assert test.ability_se == pytest.approx(error, abs=5e-4)
