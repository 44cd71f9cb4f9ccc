"""Noise in images: each kind against what it is defined as."""

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression

import itemcurve as ic
from itemcurve.errors import EvaluationError
from itemcurve.evaluation.noise.image_noise import ImageNoise


@pytest.fixture(scope="module")
def digits():
    return load_digits(return_X_y=True)


def perturb(X, level, kind, shape=(8, 8)):
    return ImageNoise(shape, level, kind)(X, X, np.random.default_rng(0))


@pytest.mark.parametrize("kind", ["grain", "blur", "shift", "contrast", "cover"])
def test_no_noise_changes_nothing_and_noise_stays_in_range(digits, kind):
    X = digits[0][:50]
    np.testing.assert_allclose(perturb(X, 0.0, kind), X, atol=1e-12)
    noisy = perturb(X, 0.5, kind)
    assert noisy.shape == X.shape
    assert noisy.min() >= X.min()
    assert noisy.max() <= X.max()
    assert not np.allclose(noisy, X)


def test_grain_has_the_spread_asked_for():
    X = np.full((200, 64), 8.0)
    X[0, :2] = 0, 16
    gap = perturb(X, 0.05, "grain")[1:] - 8.0
    assert gap.std() == pytest.approx(0.05 * 16, rel=0.03)


def test_a_shift_moves_whole_images_and_fills_with_the_lowest(digits):
    X = digits[0][:30]
    noisy = perturb(X, 0.25, "shift").reshape(-1, 8, 8)
    for before, after in zip(X.reshape(-1, 8, 8), noisy, strict=True):
        found = [
            np.array_equal(np.pad(before, 2)[2 - d : 10 - d, 2 - r : 10 - r], after)
            for d in range(-2, 3)
            for r in range(-2, 3)
        ]
        assert any(found)


def test_contrast_and_cover_are_what_they_say():
    X = np.tile(np.linspace(0, 1, 16), (3, 1))
    half = perturb(X, 0.5, "contrast", (4, 4))
    np.testing.assert_allclose(half.std(axis=1), X.std(axis=1) / 2)
    covered = perturb(X, 0.5, "cover", (4, 4))
    assert ((covered == 0.5).sum(axis=1) == 4).all()


def test_curves_of_a_classifier_of_images_take_it(digits):
    X, y = digits[0][:200], digits[1][:200]
    settings = {"difficulty": np.arange(200.0), "bins": 2, "cv": 2}
    model = {"logistic": LogisticRegression(max_iter=300)}
    found = [
        ic.robustness.system_curves(model, X, y, noise=ImageNoise((8, 8), level), **settings)
        for level in (0.05, 0.8)
    ]
    low, high = (float((one.clean != one.noisy).mean()) for one in found)
    assert low < 0.1 < high


def test_wrong_shapes_and_words_are_refused():
    with pytest.raises(EvaluationError, match="rows of 64 pixels"):
        perturb(np.ones((3, 60)), 0.1, "grain")
    with pytest.raises(EvaluationError, match="is one of grain"):
        ImageNoise((8, 8), 0.1, "rain")
