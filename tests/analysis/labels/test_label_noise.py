"""True labels behind given ones."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.analysis.labels.label_noise import find_label_noise
from itemcurve.analysis.labels.label_pool import _price, fit_pool, weigh_evidence
from itemcurve.errors import EvaluationError


def draw(n_classes=3, n_items=1500, noise=0.15, kind="uniform", seed=0, respondents=4):
    """Stated probabilities that are calibrated, true labels, given labels."""
    rng = np.random.default_rng(seed)
    centre = rng.normal(scale=6.0, size=(n_items, n_classes))
    shares = np.exp(centre) / np.exp(centre).sum(axis=1, keepdims=True)
    truth = np.array([rng.choice(n_classes, p=row) for row in shares])
    stated = []
    for _ in range(respondents):
        logits = centre + 0.6 * rng.normal(size=centre.shape)
        stated.append(np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True))
    wrong = rng.random(n_items) < noise
    step = rng.integers(1, n_classes, n_items) if kind == "uniform" else np.ones(n_items, int)
    return np.stack(stated), truth, np.where(wrong, (truth + step) % n_classes, truth)


def test_the_pool_is_a_multinomial_regression():
    """Against scikit-learn's, of one respondent and two classes: both are the same problem."""
    from sklearn.linear_model import LogisticRegression

    stated, truth, _ = draw(n_classes=2, respondents=1)
    evidence = weigh_evidence(stated)
    pool = fit_pool(evidence, np.eye(2)[truth])
    odds = evidence[0, :, 1] - evidence[0, :, 0]
    expected = LogisticRegression(C=1e6).fit(odds[:, np.newaxis], truth)
    given = np.exp(pool.log_probabilities(evidence))[:, 1]
    # The ridges are worth a few items of many.
    np.testing.assert_allclose(given, expected.predict_proba(odds[:, np.newaxis])[:, 1], atol=0.02)


@pytest.mark.parametrize("kind", ["uniform", "pair"])
def test_the_channel_and_the_wrong_labels_are_found(kind):
    stated, truth, given = draw(kind=kind)
    found = find_label_noise(stated, given)
    wrong = given != truth
    assert found.is_told
    assert found.probability_wrong.mean() == pytest.approx(wrong.mean(), abs=0.03)
    if kind == "pair":
        assert np.diag(np.roll(found.matrix, -1, axis=1)).mean() == pytest.approx(0.15, abs=0.05)
    np.testing.assert_allclose(found.matrix.sum(axis=1), 1)
    np.testing.assert_allclose(found.posterior.sum(axis=1), 1)
    assert (found.likely[wrong] == truth[wrong]).mean() > 0.85


def test_probabilities_of_errors_are_calibrated():
    said, was = [], []
    for seed in range(6):
        stated, truth, given = draw(seed=seed)
        said.append(find_label_noise(stated, given).probability_wrong)
        was.append(given != truth)
    said, was = np.concatenate(said), np.concatenate(was)
    place = np.minimum((said * 5).astype(int), 4)
    gaps = [abs((said - was)[place == one].sum()) for one in range(5)]
    assert sum(gaps) / len(said) < 0.03


def test_clean_labels_of_overlapping_classes_are_left_alone():
    flags = 0
    for seed in range(4):
        stated, truth, _ = draw(noise=0.0, seed=seed)
        audit = ic.audit_labels(dict(enumerate(stated)), truth)
        flags += int(audit.is_suspect.sum())
        assert np.isnan(audit.noise_rate)
        assert "cannot be told" in audit.say()
    assert flags == 0


def test_soft_labels_are_nearer_to_the_truth_than_given_ones():
    stated, truth, given = draw()
    found = find_label_noise(stated, given)
    right = found.soft_labels[np.arange(1500), truth].mean()
    assert right > (given == truth).mean()


def test_one_model_is_enough():
    stated, truth, given = draw(respondents=1)
    audit = ic.audit_labels(stated[0], given)
    suspects = audit.suspects()
    assert len(suspects) >= 10
    assert audit.is_suspect.sum() > 20
    assert (given != truth)[audit.is_suspect].mean() > 0.85
    assert {"given_label", "likely_label", "label_error_probability"} <= set(suspects.columns)


def test_the_list_of_suspects_is_never_empty():
    stated, truth, _ = draw(noise=0.0, n_items=100)
    audit = ic.audit_labels(dict(enumerate(stated)), truth, rows=[f"row {i}" for i in range(100)])
    table = audit.suspects(at_least=7)
    assert len(table) == 7
    assert set(table["verdict"]) == {"next in line"}
    assert table["label_error_probability"].is_monotonic_decreasing
    assert table["row"].str.startswith("row ").all()


def audit_wine(flipped):
    """Seven classifiers by cross-validation on real labels, some of them wrong."""
    from sklearn.datasets import load_wine

    X, y = load_wine(return_X_y=True)
    rng = np.random.default_rng(0)
    wrong = rng.choice(len(y), flipped, replace=False)
    given = y.copy()
    given[wrong] = (given[wrong] + rng.integers(1, 3, flipped)) % 3
    left_out = ("AdaBoost", "Decision tree")
    pool = {name: one for name, one in ic.pools.standard_classifiers() if name not in left_out}
    return ic.evaluate_classifiers(pool, X, given, cv=5, progress=False).audit(), wrong


def test_few_wrong_labels_of_a_small_table_are_suspected():
    audit, wrong = audit_wine(flipped=12)
    suspects = audit.suspects(at_least=12)
    places = [int(name.split("_")[1]) - 1 for name in suspects["item"]]
    is_suspect = (suspects["verdict"] == "suspect label").to_numpy()
    assert set(places[:10]) <= set(wrong.tolist())
    assert is_suspect.sum() >= 5
    clean, _ = audit_wine(flipped=0)
    assert "none is suspect: there is no clear sign of wrong labels." in clean.say()


def test_without_the_noise_check_more_is_suspected():
    stated, _, given = draw(n_classes=2, n_items=200, noise=0.05, seed=3)
    bold = ic.audit_labels(dict(enumerate(stated)), given, noise_check=False)
    careful = ic.audit_labels(dict(enumerate(stated)), given)
    assert bold.is_suspect.sum() >= careful.is_suspect.sum()
    assert (bold.probability_wrong >= careful.probability_wrong).all()


def test_constants_and_missing_predictions_say_nothing():
    stated, _, given = draw(noise=0.1)
    constant = np.full((1, *stated.shape[1:]), 1 / 3)
    gaps = np.full((1, *stated.shape[1:]), np.nan)
    more = find_label_noise(np.concatenate([stated, constant, gaps]), given)
    np.testing.assert_allclose(more.posterior, find_label_noise(stated, given).posterior, atol=0.02)
    assert more.pool.weights[4:].tolist() == [0, 0]
    alone = find_label_noise(constant, given)
    assert not alone.is_told
    assert np.isfinite(alone.posterior).all()


def test_members_that_are_sure_and_agree_are_believed_against_labels():
    """Trained on clean labels, all are sure; a fifth of the given labels contradict all of them."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 200)
    logits = (2 * truth - 1) * 4 + rng.normal(scale=2.0, size=(5, 200))
    second = 1 / (1 + np.exp(-logits))
    given = np.where(rng.random(200) < 0.2, 1 - truth, truth)
    audit = ic.audit_labels(dict(enumerate(second)), given)
    wrong = given != truth
    assert audit.noise_rate == pytest.approx(wrong.mean(), abs=0.05)
    assert audit.is_suspect[wrong].mean() > 0.5
    assert (audit.is_suspect & ~wrong).sum() <= 2


def test_the_price_of_disbelief_has_its_derivative():
    rng = np.random.default_rng(1)
    odds = rng.normal(size=(6, 3))
    step = 1e-6

    def price(values):
        shares = np.exp(values) / np.exp(values).sum(axis=1, keepdims=True)
        return _price(shares, 0.95)

    value, slopes = price(odds)
    assert value > 0
    for place in np.ndindex(odds.shape):
        moved = odds.copy()
        moved[place] += step
        assert (price(moved)[0] - value) / step == pytest.approx(slopes[place], abs=1e-4)
    assert price(20 * odds)[0] == 0


def test_labels_without_predictions_or_a_rate_are_refused():
    with pytest.raises(EvaluationError, match="came without any"):
        ic.audit_labels([0.1, 0.9])
    with pytest.raises(EvaluationError, match="strictly between 0 and 1"):
        ic.audit_labels([0.1, 0.9, 0.2], [0, 1, 0], false_discovery_rate=1.0)
