"""κ against values computed by hand and by scikit-learn."""

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

import itemcurve as ic
from itemcurve.analysis.metrics.kappa import cross_table, kappa_interval
from itemcurve.errors import EvaluationError


def test_kappa_equals_the_value_by_hand():
    # p0 = 7/10, pe = (6·5 + 4·5)/100 = .5, so κ = 1 − .3/.5 = .4.
    first = list("aaaaaabbbb")
    second = list("aaaabbabbb")
    assert ic.metrics.cohen_kappa(first, second) == pytest.approx(0.4, abs=1e-15)


@pytest.mark.parametrize("seed", range(20))
def test_kappa_equals_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    classes = rng.integers(2, 27)
    first = rng.integers(classes, size=rng.integers(2, 500))
    second = np.where(rng.random(len(first)) < 0.6, first, rng.integers(classes, size=len(first)))
    expected = cohen_kappa_score(first, second)
    assert ic.metrics.cohen_kappa(first, second) == pytest.approx(expected, abs=1e-12)


def test_kappa_of_one_class_follows_the_written_rule():
    assert ic.metrics.cohen_kappa(["a"] * 5, ["a"] * 5) == 1
    assert ic.metrics.cohen_kappa(["a"] * 5, ["a"] * 4 + ["b"]) == 0
    assert ic.metrics.cohen_kappa(["a"] * 5, ["b"] * 5) == 0
    assert np.isnan(ic.metrics.cohen_kappa([], []))
    with pytest.raises(EvaluationError):
        ic.metrics.cohen_kappa(["a"], ["a", "b"])


def test_kappa_intervals_cover_the_kappa_of_the_population():
    rng = np.random.default_rng(0)
    shares = np.array([[0.4, 0.1], [0.1, 0.4]])
    hits = 0
    for _ in range(200):
        table = rng.multinomial(300, shares.ravel()).reshape(2, 2).astype(float)
        lower, upper = kappa_interval(table, rng, level=0.9, resamples=300)
        hits += lower <= 0.6 <= upper
    assert 0.83 <= hits / 200 <= 0.96
    assert kappa_interval(cross_table(list("abab"), list("abab")), rng) == (1, 1)
