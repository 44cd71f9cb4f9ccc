"""Whatever scikit-learn takes as `cv`, and what it does not say clearly."""

import numpy as np
import pytest
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
)
from sklearn.naive_bayes import GaussianNB

import itemcurve as ic
from itemcurve.errors import EvaluationError


@pytest.fixture(name="groups")
def visits():
    return np.repeat([f"patient {k}" for k in range(20)], 5)


def evaluate(few, moons, **settings):
    return ic.evaluate_classifiers(
        few, moons.X_train, moons.y_train, response="probability", **settings
    )


@pytest.mark.parametrize("cv", [4, GroupKFold(4), LeaveOneGroupOut()])
def test_rows_of_a_group_are_never_on_both_sides(moons, few, groups, cv):
    # A model that remembers its rows by name would know every group it was trained on.
    X = np.column_stack([np.unique(groups, return_inverse=True)[1], moons.X_train])

    class Remembering(GaussianNB):
        def fit(self, X, y):
            self.seen_ = set(X[:, 0])
            return super().fit(X, y)

        def predict_proba(self, X):
            assert not self.seen_ & set(X[:, 0])
            return super().predict_proba(X)

    found = ic.evaluate_classifiers(
        {"a": Remembering(), "b": GaussianNB()}, X, moons.y_train, cv=cv, groups=groups
    )
    assert not found.failures
    assert found.groups == tuple(groups)
    assert "20 groups kept together" in found.settings["split"]


def test_groups_are_parted_without_their_rows_being_features(moons, few, groups):
    found = evaluate(few, moons, cv=5, groups=groups)
    same = evaluate(few, moons, cv=5)
    assert not np.array_equal(found.responses.array(), same.responses.array())


def test_a_list_of_pairs_is_taken_as_the_splitter_that_made_it(moons, few):
    folds = StratifiedKFold(3, shuffle=True, random_state=1)
    pairs = list(folds.split(moons.X_train, moons.y_train))
    masks = [(np.isin(np.arange(100), a), np.isin(np.arange(100), b)) for a, b in pairs]
    expected = evaluate(few, moons, cv=folds).responses.array()
    for cv in (pairs, iter(pairs), masks, folds.split(moons.X_train, moons.y_train)):
        np.testing.assert_array_equal(evaluate(few, moons, cv=cv).responses.array(), expected)


def test_rows_that_are_predicted_several_times_get_the_mean_of_their_predictions(moons, few):
    splitter = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)
    found = evaluate(few, moons, cv=splitter)
    pairs = list(splitter.split(moons.X_train, moons.y_train))
    parts = [evaluate(few, moons, cv=part).predictions for part in (pairs[:3], pairs[3:])]
    expected = (parts[0].probabilities + parts[1].probabilities) / 2
    np.testing.assert_allclose(found.predictions.probabilities, expected)
    assert any("predicted 2 times" in note for note in found.notes)


def test_rows_that_are_never_predicted_are_no_items(moons, few):
    found = evaluate(few, moons, cv=TimeSeriesSplit(4), items=[f"day {k}" for k in range(100)])
    assert found.responses.items == tuple(f"day {k}" for k in range(20, 100))
    np.testing.assert_array_equal(found.y_true, moons.y_train[20:].astype(str))
    assert any("20 of 100 rows are never predicted" in note for note in found.notes)
    train, test = next(TimeSeriesSplit(4).split(moons.X_train))
    fitted = GaussianNB().fit(moons.X_train[train], moons.y_train[train])
    expected = fitted.predict_proba(moons.X_train[test])[np.arange(20), moons.y_train[test]]
    np.testing.assert_allclose(found.responses.array()[1, :20], expected)


def test_rows_keep_their_numbers_where_some_are_no_items(moons, few):
    splitter = ShuffleSplit(2, test_size=0.3, random_state=0)
    found = evaluate(few, moons, cv=splitter)
    rows = np.unique([test for _, test in splitter.split(moons.X_train)])
    numbers = [int(name.removeprefix("item_")) - 1 for name in found.responses.items]
    assert numbers == rows.tolist()


def test_regressors_are_parted_alike(groups):
    from sklearn.datasets import make_regression
    from sklearn.linear_model import LinearRegression, Ridge

    X, y = make_regression(100, 3, noise=5.0, random_state=0)
    pool = [LinearRegression(), Ridge()]
    assert ic.evaluate_regressors(pool, X, y, cv=4, groups=groups).responses.shape == (2, 100)
    assert ic.evaluate_regressors(pool, X, y, cv=TimeSeriesSplit(4)).responses.shape == (2, 80)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"cv": 1}, "between 2 and the 100 rows"),
        ({"cv": True}, "between 2 and"),
        ({"cv": 30, "groups": np.arange(100) // 5}, "between 2 and the 20 groups"),
        ({"cv": GroupKFold(3)}, "none were given. Add groups="),
        ({"cv": KFold(500)}, "it says: Cannot have number of splits"),
        ({"cv": "five"}, "number of folds, a scikit-learn splitter, or a list of pairs"),
        ({"cv": [1, 2, 3]}, "a list of something else"),
        ({"cv": []}, "one split at least"),
        ({"cv": [([0, 1], [200])]}, "positions among the 100 rows.* given is 200"),
        ({"cv": [(["a"], ["b"])]}, "Use .iloc positions"),
        ({"cv": [(range(50), range(40, 60))]}, "10 rows, as row 40"),
        ({"cv": [(range(50), [])]}, "0 to predict"),
        ({"cv": 3, "groups": [np.nan, *range(99)]}, "with gaps"),
    ],
)
def test_splits_that_cannot_be_are_refused_with_advice(moons, few, settings, said):
    with pytest.raises(EvaluationError, match=said):
        evaluate(few, moons, **settings)
