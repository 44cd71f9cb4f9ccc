import numpy as np
import pytest

import itemcurve as ic
from itemcurve.responses.matrix import Responses


@pytest.fixture(scope="module")
def fitted():
    return ic.fit(ic.simulate("3pl", respondents=400, items=30, seed=1).responses, "3pl")


def test_total_score_adds_chances_of_hits_and_takes_chances_of_misses_from_it(fitted):
    scores = ic.metrics.item_scores(fitted)
    right = fitted.responses.array().astype(bool)
    chances = fitted.bank.expected_response(scores.abilities.ability)
    total = np.where(right, chances, -(1 - chances))
    np.testing.assert_allclose(scores.total_score, total.mean(axis=1), atol=1e-12)
    np.testing.assert_allclose(scores.true_score, chances.mean(axis=1), atol=1e-12)


def test_total_score_is_true_score_minus_the_error_rate(fitted):
    table = ic.metrics.item_scores(fitted).frame()
    error_rate = 1 - fitted.responses.means(axis=1)
    np.testing.assert_allclose(table["true_score"] - table["total_score"], error_rate, atol=1e-12)
    np.testing.assert_allclose(table["total_score_sum"], 30 * table["total_score"], atol=1e-9)


def test_missing_answers_count_neither_as_hit_nor_as_miss(fitted):
    y = fitted.responses.array()[:3].copy()
    y[0, :10] = np.nan
    part = ic.metrics.item_scores(fitted, Responses.from_array(y, items=fitted.responses.items))
    alone = ic.metrics.item_scores(
        fitted, Responses.from_array(y[:1, 10:], items=fitted.bank.items[10:])
    )
    assert part.items.tolist() == [20, 30, 30]
    assert part.true_sum[0] == pytest.approx(alone.true_sum[0])
    assert part.sum_error[0] == pytest.approx(alone.sum_error[0])


def test_uncertain_items_add_to_the_standard_error(fitted):
    from dataclasses import replace

    part = fitted.bank.parts[0]
    known = replace(fitted.bank, parts=(replace(part, covariance=np.zeros_like(part.covariance)),))
    certain = ic.metrics.item_scores(known, fitted.responses).sum_error
    assert (ic.metrics.item_scores(fitted).sum_error > certain).all()


def test_a_guessing_level_next_to_zero_gives_no_silent_nan(fitted):
    from dataclasses import replace

    part = fitted.bank.parts[0]
    values = part.values.copy()
    values[:10, 2] = 2e-11
    bank = replace(fitted.bank, parts=(replace(part, values=values),))
    assert np.isfinite(ic.metrics.item_scores(bank, fitted.responses).sum_error).all()


@pytest.mark.slow
def test_intervals_cover_the_true_sum_of_chances():
    covered = []
    for seed in range(12):
        truth = ic.simulate("2pl", respondents=350, items=40, seed=seed)
        fitted = ic.fit(truth.responses.take(list(range(250))), "2pl")
        new = truth.responses.take(list(range(250, 350)))
        scores = ic.metrics.item_scores(fitted, new)
        exact = truth.items
        z = exact["discrimination"].to_numpy() * (
            truth.abilities[250:, None] - exact["difficulty"].to_numpy()
        )
        sums = (1 / (1 + np.exp(-z))).sum(axis=1)
        covered.append(np.abs(scores.true_sum - sums) < 1.645 * scores.sum_error)
    assert 0.86 <= np.mean(covered) <= 0.94
