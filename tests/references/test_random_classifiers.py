"""The pool of 200 random classifiers against the figures of the paper it comes from."""

import numpy as np
import pandas
import pytest
from sklearn.model_selection import train_test_split

import itemcurve as ic


@pytest.mark.slow
def test_heart_disease_items_are_as_in_the_paper_on_the_irt_confusion_matrix(shared_data):
    # Cardoso et al. (notebook): 81 test items, 200 classifiers, 3PL by ltm: 20 items with negative
    # discrimination, discriminations with mean 3.13, median 2.62, sd 4.13.
    table = pandas.read_csv(shared_data / "data" / "core" / "heart_statlog.csv.gz")
    X = table.iloc[:, :-1].to_numpy(dtype=float)
    y = pandas.factorize(table.iloc[:, -1], sort=True)[0]
    X_train, X_test, y_train, y_test = train_test_split(
        X, y, stratify=y, random_state=0, test_size=0.3
    )
    evaluation = ic.evaluate_classifiers(
        ic.pools.random_pool(200),
        X_train,
        y_train,
        X_test,
        y_test,
        response="correct",
        model="3pl",
        on_failure="ignore",
    )
    slopes = np.asarray(evaluation.fit.items["discrimination"])
    assert evaluation.responses.shape == (200, 81)
    # Hyper-parameters are the paper's; scikit-learn has changed and ours is a fit with priors.
    assert (slopes < 0).sum() == pytest.approx(20, abs=3)
    assert np.mean(slopes) == pytest.approx(3.13, abs=0.5)
    assert np.median(slopes) == pytest.approx(2.62, abs=0.5)
