"""The noise generator against its formulas, on every kind of column."""

import numpy as np
import pandas
import pytest
from scipy import stats

import itemcurve as ic
from itemcurve.errors import EvaluationError
from itemcurve.evaluation.collecting.splits import Fold, cross_validate
from itemcurve.evaluation.noise.noisy_split import add_noisy_rows, rank_attributes


def rng(seed=0):
    return np.random.default_rng(seed)


def test_numbers_are_normal_around_themselves_with_the_spread_of_training():
    train = rng(1).normal(5, 3, size=(500, 1))
    rows = np.full((4000, 1), 7.0)
    noisy = ic.noise.perturb_features(rows, train, 0.2, rng())
    scaled = (noisy[:, 0] - 7) / (0.2 * train.std(ddof=1))
    assert stats.kstest(scaled, "norm").pvalue > 0.01


@pytest.mark.parametrize("level", [0.2, 1.0])
def test_categories_follow_the_mixed_distribution(level):
    train = pandas.DataFrame({"kind": ["a"] * 60 + ["b"] * 30 + ["c"] * 10})
    rows = pandas.DataFrame({"kind": ["b"] * 2000})
    alpha = 1 - np.exp(-level)
    expected = alpha * np.array([0.6, 0.3, 0.1]) + (1 - alpha) * np.array([0, 1, 0])
    counts, p_values = np.zeros(3), []
    for seed in range(100):
        found = ic.noise.perturb_features(rows, train, level, rng(seed))["kind"].value_counts()
        seen = np.array([found.get(name, 0) for name in "abc"])
        p_values.append(stats.chisquare(seen, 2000 * expected).pvalue)
        counts += seen
    assert stats.chisquare(counts, 200_000 * expected).pvalue > 0.01
    # Of a right generator p-values are uniform; one seed alone may be unlucky.
    assert stats.kstest(p_values, "uniform").pvalue > 0.01


@pytest.fixture
def mixed():
    return pandas.DataFrame(
        {
            "number": [1.0, np.nan, 3.0, 4.0],
            "whole": [1, 2, 3, 4],
            "constant": [5.0] * 4,
            "empty": [np.nan] * 4,
            "truth": [True, False, True, False],
            "text": ["x", None, "y", "x"],
            "category": pandas.Categorical(["u", "v", "u", "v"]),
            "day": pandas.to_datetime(["2020-01-01", "2020-01-02", None, "2020-01-09"]),
            "nullable": pandas.array([1, 2, None, 4], dtype="Int64"),
        },
        index=[3, 1, 4, 9],
    )


def test_mixed_tables_keep_gaps_constants_kinds_and_index(mixed):
    before = mixed.copy()
    noisy = ic.noise.perturb_features(mixed, mixed, 5.0, rng())
    pandas.testing.assert_frame_equal(mixed, before)
    pandas.testing.assert_index_equal(noisy.index, mixed.index)
    assert (noisy.isna() == mixed.isna()).all().all()
    assert (noisy["constant"] == 5).all()
    assert (noisy["number"] != mixed["number"])[[3, 4, 9]].all()
    assert noisy["whole"].dtype == float
    assert noisy["truth"].dtype == bool
    assert isinstance(noisy["category"].dtype, pandas.CategoricalDtype)
    assert set(noisy["text"].dropna()) <= {"x", "y"}


def test_no_noise_changes_nothing(mixed):
    noisy = ic.noise.perturb_features(mixed, mixed, 0.0, rng())
    for name in mixed:
        same = (noisy[name] == mixed[name]) | mixed[name].isna()
        assert same.all(), name


def test_categories_that_training_lacks_may_stay_or_become_known_ones():
    train = pandas.DataFrame({"kind": pandas.Categorical(["a", "b"])})
    rows = pandas.DataFrame({"kind": pandas.Categorical(["new"] * 200)})
    found = set(ic.noise.perturb_features(rows, train, 1.0, rng())["kind"])
    assert found == {"a", "b", "new"}


def test_arrays_of_objects_are_perturbed_by_column():
    rows = np.array([[1.0, "a"], [2.0, "b"], [3.0, "a"]], dtype=object)
    noisy = ic.noise.perturb_features(rows, rows, 1.0, rng())
    assert noisy.dtype == object
    assert set(noisy[:, 1]) <= {"a", "b"}
    assert noisy[0, 0] != 1.0


def test_only_chosen_columns_are_perturbed(mixed):
    noisy = ic.noise.perturb_features(mixed, mixed, 1.0, rng(), columns=["whole"])
    assert (noisy["number"].dropna() == mixed["number"].dropna()).all()
    assert (noisy["whole"] != mixed["whole"]).all()
    with pytest.raises(EvaluationError):
        ic.noise.perturb_features(mixed, mixed, 1.0, rng(), columns=["no such"])
    with pytest.raises(EvaluationError):
        ic.noise.perturb_features(mixed, mixed, -1.0, rng())


def test_statistics_come_from_the_training_part_alone():
    X = rng(1).normal(size=(60, 2))
    y = np.tile([0, 1], 30)
    split = cross_validate(X, y, 3, is_stratified=True, seed=0)
    fold = split.folds[0]
    # Far-off test rows would widen the noise if their spread leaked into it.
    wild = Fold(fold.X_train, fold.y_train, fold.X_test * 1e6, fold.rows)
    for test in (fold, wild):
        noisy = add_noisy_rows(type(split)((test,), y, None, ""), 0.2, None, 0).folds[0].X_test
        half = len(test.rows)
        np.testing.assert_array_equal(noisy[:half], test.X_test)
        change = np.abs(noisy[half:] - noisy[:half]).max()
        assert change < 5 * 0.2 * fold.X_train.std()


def test_attributes_are_ranked_by_what_they_tell_of_the_class():
    y = np.tile([0, 1], 100)
    table = pandas.DataFrame(
        {
            "chance": rng(1).normal(size=200),
            "tells": y + 0.1 * rng(2).normal(size=200),
            "names": np.where(y == 1, "yes", "no"),
        }
    )
    fold = Fold(table, y, table, np.arange(200))
    assert set(rank_attributes(fold)[:2]) == {"tells", "names"}


def test_functions_of_ones_own_must_keep_the_shape():
    split = cross_validate(np.zeros((10, 2)), np.tile([0, 1], 5), 2, is_stratified=True, seed=0)
    with pytest.raises(EvaluationError):
        add_noisy_rows(split, lambda X, train, rng: X[:, :1], None, 0)
    with pytest.raises(EvaluationError):
        add_noisy_rows(split, lambda X, train, rng: X, 1, 0)
