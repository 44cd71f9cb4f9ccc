"""The audit ranks wrong labels at least as well as cleanlab's ensembles on the same predictions.

The full comparison, with trained classifiers on seven data sets, is benchmarks/label_errors.py.
"""

import warnings

import numpy as np
import pytest

from itemcurve.analysis.labels.label_noise import find_label_noise


def simulate_pool(n_good: int, n_poor: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two classes; the poor come in threes that share their errors and are sure of themselves."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, 400)
    side = 2.0 * truth - 1
    logits = [2.0 * side + 1.2 * rng.normal(size=400) for _ in range(n_good)]
    for _ in range(n_poor // 3):
        shared = 0.3 * side + rng.normal(size=400)
        logits += [4 * (shared + 0.3 * rng.normal(size=400)) for _ in range(3)]
    second = 1 / (1 + np.exp(-np.stack(logits)))
    given = truth.copy()
    flipped = rng.choice(400, 80, replace=False)
    given[flipped] = 1 - given[flipped]
    return np.stack([1 - second, second], axis=2), truth, given


def rank_quality(scores: np.ndarray, wrong: np.ndarray) -> float:
    pairs = scores[wrong][:, np.newaxis] - scores[~wrong]
    return float((pairs > 0).mean() + (pairs == 0).mean() / 2)


@pytest.mark.parametrize(("n_good", "n_poor", "slack"), [(9, 3, 0.005), (3, 12, 0.0)])
def test_wrong_labels_are_ranked_as_well_as_by_cleanlab(n_good, n_poor, slack):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rank = pytest.importorskip("cleanlab.rank")
    ours, theirs = [], []
    for seed in range(5):
        stated, truth, given = simulate_pool(n_good, n_poor, seed)
        wrong = given != truth
        ours.append(rank_quality(find_label_noise(stated, given).probability_wrong, wrong))
        scores = [
            rank.get_label_quality_ensemble_scores(
                given, list(stated), weight_ensemble_members_by=scheme, verbose=False
            )
            for scheme in ("uniform", "accuracy")
        ]
        theirs.append([rank_quality(-score, wrong) for score in scores])
    assert np.mean(ours) >= np.mean(theirs, axis=0).max() - slack
