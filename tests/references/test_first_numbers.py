"""A small version of the benchmark of first numbers: real tables, against the plainest rivals.

Tables that come with scikit-learn; benchmarks/first_numbers.py has 24 more.
"""

import warnings

import numpy as np
import pytest
from benchmarks.first_numbers_data import _five_classifiers, plant_noise
from scipy.stats import spearmanr
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.model_selection import StratifiedKFold, cross_val_predict

import itemcurve as ic
from itemcurve.analysis.predictions import Predictions
from itemcurve.analysis.respondents.standings import find_standings

LOADERS = {"cancer": load_breast_cancer, "digits": load_digits, "wine": load_wine}


def predict(name, noise):
    """Five classifiers by cross-validation on noisy labels, true and given labels."""
    X, truth = LOADERS[name](return_X_y=True)
    X, truth = X[:350], truth[:350]
    given = plant_noise(truth, "uniform", noise, np.random.default_rng(5))
    folds = StratifiedKFold(4, shuffle=True, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        stated = [
            cross_val_predict(member, X, given, method="predict_proba", cv=folds)
            for member in _five_classifiers()
        ]
    return np.stack(stated), truth, given


@pytest.fixture(scope="module")
def noisy():
    return {name: predict(name, 0.12) for name in LOADERS}


def rank_quality(scores, wrong):
    """Area under the ROC curve."""
    pairs = scores[wrong][:, np.newaxis] - scores[~wrong]
    return float((pairs > 0).mean() + (pairs == 0).mean() / 2)


def test_wrong_labels_are_found_and_right_ones_left_alone(noisy):
    flags = hits = planted = 0
    for stated, truth, given in noisy.values():
        audit = ic.audit_labels(dict(enumerate(stated)), given)
        wrong = given != truth
        flags += int(audit.is_suspect.sum())
        hits += int((audit.is_suspect & wrong).sum())
        planted += int(wrong.sum())
        assert rank_quality(audit.noise.probability_wrong, wrong) > 0.94
    assert 1 - hits / flags <= 0.13
    # Nearly all of the digits, some of the wines, none of two classes that overlap.
    assert hits / planted >= 0.3


def test_clean_labels_are_not_suspected():
    flags = 0
    for name in ("cancer", "wine"):
        stated, truth, _ = predict(name, 0.0)
        flags += int(ic.audit_labels(dict(enumerate(stated)), truth).is_suspect.sum())
    assert flags <= 1


def test_skill_foretells_accuracy_on_true_labels_as_well_as_accuracy_does(noisy):
    ours, plain = [], []
    for stated, truth, given in noisy.values():
        right = (stated.argmax(axis=2) == truth).mean(axis=1)
        names = [tuple(map(str, range(count))) for count in stated.shape]
        standings = find_standings(Predictions(*names, stated, given))
        skill = standings.pairs.means[~standings.is_reference]
        ours.append(spearmanr(skill, right).statistic)
        usual = (stated.argmax(axis=2) == given).mean(axis=1)
        plain.append(spearmanr(usual, right).statistic)
        # And it is nearer to the accuracy on true labels, which nobody sees.
        assert np.abs(skill - right).mean() < np.abs(usual - right).mean()
    assert np.mean(ours) >= np.mean(plain)


def test_temperature_hardly_moves_a_rank(noisy):
    stated, _, given = noisy["digits"]
    names = [tuple(map(str, range(count))) for count in stated.shape]
    before = find_standings(Predictions(*names, stated, given)).pairs.means[:5]
    for row in range(5):
        for power in (0.25, 4.0):
            changed = stated.copy()
            changed[row] = np.clip(changed[row], 1e-12, 1) ** power
            changed[row] /= changed[row].sum(axis=1, keepdims=True)
            after = find_standings(Predictions(*names, changed, given)).pairs.means[:5]
            moved = np.abs((-after).argsort().argsort() - (-before).argsort().argsort())
            assert moved[row] <= 2
