"""The eighteen families: all train, and say what differs from the paper."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.preprocessing import StandardScaler

from itemcurve_studies.robustness.families import family_table, robust_families


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name == "GBM" else ())
        for name in robust_families().names
    ],
)
def test_every_family_learns_iris(name):
    X, y = load_iris(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    order = np.random.default_rng(0).permutation(150)
    pool = dict(robust_families())
    with warnings.catch_warnings():
        # Unfinished optimisation is part of what a cheap setting is.
        warnings.simplefilter("ignore")
        fitted = pool[name].fit(X[order[:100]], y[order[:100]])
    # Three latent directions of 0/1 targets hide the middle class: SIMPLS knows less.
    assert (fitted.predict(X[order[100:]]) == y[order[100:]]).mean() > 0.75


def test_every_family_says_what_differs_from_the_paper():
    table = family_table()
    assert table["name"].tolist() == list(robust_families().names)
    assert (table["differs"] != "").all()
    assert len(robust_families(quick=True)) == 8
