"""Few items that keep the ranking."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.analysis.items.short_benchmark import choose_items, shorten_benchmark
from itemcurve.errors import EvaluationError


@pytest.fixture(scope="module")
def exam():
    return ic.fit(ic.simulate("2pl", respondents=150, items=120, seed=1).responses)


def test_a_short_benchmark_ranks_strangers_better_than_random_items(exam):
    short = shorten_benchmark(exam, 15)
    assert len(set(short.items)) == 15
    assert short.kendall_tau > short.random_tau + 0.05
    assert short.share_of_information > 1.5 * 15 / 120
    assert (short.discrimination > 0).all()
    assert list(short.frame().columns) == ["item", "difficulty", "discrimination", "information"]


def test_a_longer_choice_begins_with_the_shorter_one(exam):
    np.testing.assert_array_equal(choose_items(exam, 20)[:5], choose_items(exam, 5))


def test_the_same_seed_measures_the_same(exam):
    first, again = (shorten_benchmark(exam, 5, folds=2, seed=3) for _ in range(2))
    assert (first.kendall_tau, first.random_tau) == (again.kendall_tau, again.random_tau)


@pytest.mark.parametrize(("k", "folds"), [(0, 5), (120, 5), (5, 1), (5, 100)])
def test_sizes_that_cannot_be_are_refused(exam, k, folds):
    with pytest.raises(EvaluationError, match="must be between"):
        shorten_benchmark(exam, k, folds=folds)


def test_few_respondents_are_parted_into_fewer_folds():
    few = ic.fit(ic.simulate("2pl", respondents=5, items=30, seed=1).responses, on_failure="ignore")
    assert shorten_benchmark(few, 3).folds == 2
