"""Pairs of items that share more than ability."""

import numpy as np
import pytest

from itemcurve.analysis.model_fit.local_dependence import local_dependence
from itemcurve.datasets.simulation import simulate
from itemcurve.errors import ModelError
from itemcurve.estimation.fit import fit
from itemcurve.responses.matrix import Responses


@pytest.fixture(scope="module")
def with_a_copy():
    drawn = simulate("2pl", respondents=400, items=25, seed=3).responses.array()
    rng = np.random.default_rng(1)
    copy = np.where(rng.random(400) < 0.9, drawn[:, 7], 1 - drawn[:, 7])
    return fit(Responses.from_array(np.column_stack([drawn, copy])), "2pl")


def test_a_copied_item_is_found(with_a_copy):
    found = local_dependence(with_a_copy)
    assert {found.first[0], found.second[0]} == {"item_08", "item_26"}
    assert found.n_dependent >= 1
    assert found.frame()["q3"].is_monotonic_decreasing


def test_independent_items_are_not():
    result = fit(simulate("2pl", respondents=400, items=25, seed=3).responses)
    assert local_dependence(result).n_dependent == 0


def test_missing_responses_are_left_out_pair_by_pair(with_a_copy):
    responses = with_a_copy.responses.array()
    responses[np.random.default_rng(2).random(responses.shape) < 0.2] = np.nan
    found = local_dependence(fit(Responses.from_array(responses), "2pl"))
    assert {found.first[0], found.second[0]} == {"item_08", "item_26"}


def test_of_many_items_some_are_compared(with_a_copy):
    assert local_dependence(with_a_copy, most_items=10).n_items == 10


def test_wrong_numbers_are_refused(with_a_copy):
    with pytest.raises(ModelError, match="at least 1 pair"):
        local_dependence(with_a_copy, pairs=0)


def test_where_no_pair_is_known_there_is_none():
    """Each respondent answers one item: no two items have anybody in common."""
    answers = np.full((12, 3), np.nan)
    answers[np.arange(12), np.arange(12) % 3] = np.arange(12) // 3 % 2
    found = local_dependence(fit(Responses.from_array(answers), "rasch", on_failure="ignore"))
    assert (found.first, found.tables, found.frame().empty) == ((), None, True)
