"""Paired comparisons, skill and references."""

import numpy as np
import pytest
from scipy.stats import false_discovery_control, ttest_rel

from itemcurve.analysis.predictions import Forecasts, Predictions
from itemcurve.analysis.respondents.calibration_slopes import calibration_slopes, say_calibration
from itemcurve.analysis.respondents.paired_differences import (
    adjust_p_values,
    pair_choices,
    pair_scores,
)
from itemcurve.analysis.respondents.skill import expect_correct, share_choices
from itemcurve.analysis.respondents.standings import find_standings


def test_plain_scores_are_compared_by_the_paired_t_test():
    scores = np.random.default_rng(0).normal(size=(4, 60)) + np.arange(4)[:, np.newaxis] / 5
    found = pair_scores(scores)
    for first, second in ((0, 1), (0, 3), (2, 3)):
        expected = ttest_rel(scores[first], scores[second])
        assert found.p_values[first, second] == pytest.approx(expected.pvalue)
        reach = expected.confidence_interval(0.9)
        middle, half = found.differences[first, second], found.reach(0.9)
        assert middle - half * found.errors[first, second] == pytest.approx(reach.low)
    assert found.p_values.diagonal() == pytest.approx(1)


def test_holms_p_values_are_those_of_all_pairs():
    heights = np.array([[0.0], [0.4], [1.0]])
    found = pair_scores(np.random.default_rng(1).normal(size=(3, 40)) + heights)
    own = np.sort(found.p_values[np.triu_indices(3, 1)])
    expected = np.maximum.accumulate(np.minimum(own * [3, 2, 1], 1))
    given = np.sort(found.adjusted_p_values()[np.triu_indices(3, 1)])
    np.testing.assert_allclose(given, expected)
    assert (given >= false_discovery_control(own)).all()


def test_choices_against_certain_labels_are_shares_of_right_answers():
    rng = np.random.default_rng(2)
    labels = rng.integers(0, 3, 80)
    choices = np.eye(3)[rng.integers(0, 3, (2, 80))]
    choices[0, :60] = np.eye(3)[labels[:60]]
    found = pair_choices(choices, np.eye(3)[labels])
    right = (choices * np.eye(3)[labels]).sum(axis=2)
    np.testing.assert_allclose(found.means, right.mean(axis=1))
    difference = right[0] - right[1]
    variance = (difference**2).mean() - difference.mean() ** 2
    assert found.errors[0, 1] ** 2 == pytest.approx(variance / 79 + 1 / 80**2)


def test_doubt_about_labels_widens_the_errors():
    choices = np.eye(2)[np.array([[0] * 50, [0] * 40 + [1] * 10])]
    sure, unsure = np.tile([1.0, 0.0], (50, 1)), np.tile([0.7, 0.3], (50, 1))
    certain, doubtful = (pair_choices(choices, soft) for soft in (sure, unsure))
    assert doubtful.differences[0, 1] < certain.differences[0, 1]
    assert doubtful.p_values[0, 1] > certain.p_values[0, 1]


def test_equals_share_a_choice():
    chosen = share_choices(np.array([[[0.5, 0.5], [0.2, 0.8]]]))
    np.testing.assert_array_equal(chosen, [[[0.5, 0.5], [0.0, 1.0]]])
    assert expect_correct(np.array([[[0.5, 0.5]]]), np.array([[1.0, 0.0]])).item() == 0.5


def test_the_calibration_slope_undoes_a_temperature():
    rng = np.random.default_rng(3)
    logits = rng.normal(scale=1.5, size=(4000, 3))
    honest = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    labels = np.eye(3)[[rng.choice(3, p=row) for row in honest]]
    tempered = [honest**t / (honest**t).sum(axis=1, keepdims=True) for t in (0.4, 1.0, 2.0)]
    constant = np.full_like(honest, 1 / 3)
    slopes = calibration_slopes(np.stack([*tempered, constant]), labels)
    np.testing.assert_allclose(slopes[:3], [2.5, 1.0, 0.5], rtol=0.06)
    assert np.isnan(slopes[3])
    words = [say_calibration(slope) for slope in slopes]
    assert words[1] == "calibrated"
    assert words[0].startswith("under-confident")
    assert words[2].startswith("over-confident")
    assert words[3] == "says nothing"


def _predictions(seed=0, n_items=200):
    rng = np.random.default_rng(seed)
    labels = (rng.random(n_items) < 0.7).astype(int)
    rows = [np.clip(labels + noise * rng.normal(size=n_items), 0.01, 0.99) for noise in (0.4, 0.9)]
    rows.append(np.ones(n_items))
    second = np.stack(rows)
    items = tuple(f"i{n}" for n in range(n_items))
    stated = np.stack([1 - second, second], axis=2)
    return Predictions(("good", "poor", "always"), items, ("a", "b"), stated, labels)


def test_constants_are_references_and_the_best_constant_is_always_among_them():
    own = _predictions()
    found = find_standings(own)
    assert found.names == ("good", "poor", "always")
    assert found.is_reference.tolist() == [False, False, True]
    without = Predictions(
        own.respondents[:2], own.items, own.classes, own.probabilities[:2], own.labels
    )
    added = find_standings(without)
    assert added.names[-1] == "Most frequent class"
    assert added.against_floor()[0] == "ahead"


def test_forecasts_are_measured_in_units_of_predicting_the_mean():
    rng = np.random.default_rng(4)
    targets = rng.normal(size=100)
    values = np.stack([targets + 0.3 * rng.normal(size=100), np.full(100, targets.mean())])
    items = tuple(f"i{n}" for n in range(100))
    found = find_standings(Forecasts(("model", "Average"), items, values, targets))
    assert found.names == ("model", "Average", "Median of the targets")
    assert found.is_floor.tolist() == [False, True, True]
    assert found.pairs.means[1] == pytest.approx(0, abs=1e-12)
    # No constant has a smaller mean error than the median.
    assert found.best_floor == 2
    assert found.against_floor().tolist() == ["ahead", "level", "level"]


def test_equal_clusters_have_the_errors_of_statsmodels():
    from statsmodels.api import OLS

    rng = np.random.default_rng(5)
    codes = np.repeat(np.arange(15), 6)
    scores = rng.normal(size=(3, 90)) + rng.normal(size=(3, 15))[:, codes]
    found = pair_scores(scores, codes)
    gap = scores[0] - scores[2]
    fitted = OLS(gap, np.ones(90)).fit(cov_type="cluster", cov_kwds={"groups": codes})
    assert found.errors[0, 2] == pytest.approx(float(fitted.bse[0]), rel=1e-8)
    assert found.freedom == pytest.approx(14)
    with_means = OLS(scores[1], np.ones(90)).fit(cov_type="cluster", cov_kwds={"groups": codes})
    assert found.own_errors[1] == pytest.approx(float(with_means.bse[0]), rel=1e-8)


def test_unequal_clusters_have_the_errors_and_freedom_of_bell_and_mccaffrey():
    rng = np.random.default_rng(6)
    sizes = np.array([1, 2, 3, 5, 8, 20])
    codes = np.repeat(np.arange(6), sizes)
    n = len(codes)
    gap = rng.normal(size=n)
    # By definition: residuals e = M y, scaled by (I − H_gg)^(−1/2); the degrees of freedom are
    # those of the quadratic form, were all errors independent.
    hat = np.full((n, n), 1 / n)
    columns = []
    for code in range(6):
        here = codes == code
        values, vectors = np.linalg.eigh(np.eye(here.sum()) - hat[np.ix_(here, here)])
        scaling = vectors @ np.diag(values**-0.5) @ vectors.T
        columns.append((np.eye(n) - hat)[:, here] @ scaling @ np.full(here.sum(), 1 / n))
    form = np.array(columns)
    variance = ((form @ gap) ** 2).sum()
    eigen = np.linalg.eigvalsh(form @ form.T)
    found = pair_scores(np.stack([gap, np.zeros(n)]), codes)
    assert found.errors[0, 1] ** 2 == pytest.approx(variance)
    assert found.freedom == pytest.approx(eigen.sum() ** 2 / (eigen**2).sum())


def test_single_items_are_clusters_of_one():
    scores = np.random.default_rng(7).normal(size=(2, 40))
    found, plain = pair_scores(scores, np.arange(40)), pair_scores(scores)
    assert found.errors[0, 1] == pytest.approx(plain.errors[0, 1])
    assert found.freedom == pytest.approx(plain.freedom)


def test_adjusted_p_values_are_those_of_scipy():
    own = np.random.default_rng(8).random(20) ** 3
    given = adjust_p_values(own, "false-discovery")
    np.testing.assert_allclose(given, false_discovery_control(own), atol=1e-12)
    assert adjust_p_values(np.array([]), "holm").size == 0


def test_choices_in_groups_have_the_errors_of_their_right_answers():
    rng = np.random.default_rng(9)
    codes, labels = np.repeat(np.arange(12), 7), rng.integers(0, 3, 84)
    choices = np.eye(3)[rng.integers(0, 3, (2, 84))]
    found = pair_choices(choices, np.eye(3)[labels], codes)
    right = (choices * np.eye(3)[labels]).sum(axis=2)
    plain = pair_scores(right, codes)
    np.testing.assert_allclose(found.errors[0, 1] ** 2, plain.errors[0, 1] ** 2 + 1 / 84**2)
    assert found.freedom == plain.freedom == pytest.approx(11)


def test_choices_in_groups_of_one_are_choices_without_groups():
    rng = np.random.default_rng(10)
    soft = rng.dirichlet(np.ones(3), 200)
    choices = np.eye(3)[rng.integers(0, 3, (2, 200))]
    found, plain = pair_choices(choices, soft, np.arange(200)), pair_choices(choices, soft)
    # What is not known of labels is divided by n here and by n − 1 there.
    np.testing.assert_allclose(found.errors[0, 1], plain.errors[0, 1], rtol=0.003)


def test_intervals_cover_the_skill_on_groups_drawn_anew():
    """Twelve groups, each harder or easier as a whole: rows alone would cover half of the time."""
    rng = np.random.default_rng(11)
    codes, covered, covered_by_rows = np.repeat(np.arange(12), 20), 0, 0
    for _ in range(400):
        chances = 1 / (1 + np.exp(-1.5 * rng.normal(size=12)))[codes]
        right = (rng.random((2, 240)) < chances).astype(int)
        choices, labels = np.eye(2)[right], np.tile([0.0, 1.0], (240, 1))
        for count, clusters in ((0, codes), (1, None)):
            found = pair_choices(choices, labels, clusters)
            reach = found.reach(0.9) * found.own_errors[0]
            is_inside = abs(found.means[0] - 0.5) <= reach
            covered += int(is_inside and not count)
            covered_by_rows += int(is_inside and count)
    assert 0.87 <= covered / 400 <= 0.93
    assert covered_by_rows / 400 < 0.6
