"""The pool of `itemcurve robustness`: every family learns, alone and with odd tables."""

import numpy as np
import pandas
import pytest
from sklearn.datasets import load_iris

import itemcurve as ic
from itemcurve.evaluation.pools.named_pools import choose_pool


def test_families_differ_and_repeat_with_their_seed():
    pool, again = ic.pools.classifier_families(), choose_pool("families", "classification", 0)
    assert [repr(member) for _, member in pool] == [repr(member) for _, member in again]
    assert len({repr(member) for _, member in pool}) == len(pool) == 15
    assert dict(ic.pools.classifier_families(3))["Random forest"].random_state == 3


@pytest.mark.slow
def test_every_family_learns_iris():
    X, y = load_iris(return_X_y=True)
    evaluation = ic.evaluate_classifiers(
        ic.pools.classifier_families(), X, y, cv=3, response="correct"
    )
    assert not evaluation.failures
    assert (evaluation.responses.array().mean(axis=1) > 0.85).all()


@pytest.mark.slow
def test_every_family_takes_more_features_than_rows_words_and_gaps():
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b", "c"], 12)
    table = pandas.DataFrame(rng.normal(size=(36, 40)), columns=[f"x{n}" for n in range(40)])
    table["x0"] += np.repeat([0, 4, 8], 12)
    table = table.assign(word=np.where(y == "a", "yes", "no"), constant=1.0)
    table.loc[::5, "x1"] = np.nan
    evaluation = ic.evaluate_classifiers(
        ic.pools.classifier_families(), table, y, cv=2, response="correct", prepare="always"
    )
    assert not evaluation.failures
