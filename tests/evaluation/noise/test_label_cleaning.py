"""A noisy training set cleaned from a trusted part."""

import numpy as np
import pytest
from sklearn.datasets import make_moons

import itemcurve as ic
from itemcurve.errors import EvaluationError
from itemcurve.evaluation.noise import label_cleaning


@pytest.fixture
def noisy():
    X, y = make_moons(300, noise=0.15, random_state=0)
    flipped = ic.noise.flip_labels(y, 0.2, seed=1)
    trusted = np.flatnonzero(~flipped.changed)[:40]
    return X, flipped, trusted


@pytest.mark.slow
def test_most_wrong_labels_go_and_most_right_ones_stay(noisy):
    pytest.importorskip("itemcurve.analysis.items.item_audit")
    X, flipped, trusted = noisy
    found = ic.noise.clean_labels(
        ic.pools.standard_classifiers(), X, flipped.values, trusted, rounds=3
    )
    assert found.is_kept[trusted].all()
    assert found.is_kept[flipped.changed].mean() < 0.2
    assert found.is_kept[~flipped.changed].mean() > 0.9


def test_rounds_end_when_nothing_changes(noisy, few, monkeypatch):
    X, flipped, trusted = noisy
    doubtful = np.setdiff1d(np.arange(300), trusted)
    known = flipped.changed[doubtful].astype(float)
    monkeypatch.setattr(label_cleaning, "error_probabilities", lambda evaluation: known)
    found = ic.noise.clean_labels(few, X, flipped.values, trusted, response="correct")
    assert found.rounds == (40, 240)
    assert found.is_settled
    np.testing.assert_array_equal(found.is_kept, ~flipped.changed)
    assert list(found.frame().columns) == ["is_kept", "error_probability"]


@pytest.mark.parametrize(
    ("trusted", "settings", "said"),
    [
        ([0, 400], {}, "positions among them"),
        (["a"], {}, "positions among them"),
        (np.ones(300, dtype=bool), {}, "all rows are trusted"),
        (None, {}, "no row of class"),
        (list(range(50)), {"rounds": 0}, "at least one round"),
        (list(range(50)), {"threshold": 2}, "between 0 and 1"),
    ],
)
def test_a_trusted_part_that_cannot_serve_is_refused(noisy, few, trusted, settings, said):
    X, flipped, _ = noisy
    if trusted is None:
        trusted = np.flatnonzero(flipped.values == 0)[:10]
    with pytest.raises(EvaluationError, match=said):
        ic.noise.clean_labels(few, X, flipped.values, trusted, **settings)
