"""The trace of a test, answer by answer."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ModelError


def ask(bank, answers, **settings):
    test = ic.AdaptiveTest(bank, **settings)
    for answer in answers:
        test.record(test.next_item(), answer)
    return test


@pytest.fixture
def bank():
    return ic.Bank.from_parameters("2pl", discrimination=1.5, difficulty=np.linspace(-2, 2, 9))


def test_the_last_row_is_the_test_itself(bank):
    test = ask(bank, [1, 0, 1, 1])
    table = ic.tables.adaptive_trace(test).frame()
    assert table["item"].tolist() == [answer.item for answer in test.answers]
    assert table["step"].tolist() == [1, 2, 3, 4]
    last = table.iloc[-1]
    assert (last["ability"], last["ability_se"]) == (test.ability, test.ability_se)
    assert ((table["lower"] < table["ability"]) & (table["ability"] < table["upper"])).all()
    # Nobody had answered when the first item was chosen: the population's mean was expected.
    assert last["difficulty"] in np.linspace(-2, 2, 9)
    assert table["expected_response"][0] == pytest.approx(0.5)


def test_right_answers_are_better_than_expected_and_small_errors_are(bank):
    assert ic.tables.adaptive_trace(ask(bank, [1, 0, 1])).is_better.tolist() == [True, False, True]
    errors = ic.Bank.from_parameters(
        "gamma", discrimination=1.0, difficulty=[0.4, 0.5, 0.6], error_size=1.0
    )
    trace = ic.tables.adaptive_trace(ask(errors, [0.01, 90.0]))
    assert trace.is_better.tolist() == [True, False]
    assert not trace.is_binary
    assert trace.axis.is_unit
    assert ((trace.lower > 0) & (trace.upper < 1)).all()


def test_what_maximum_likelihood_cannot_tell_is_no_number(bank):
    table = ic.tables.adaptive_trace(ask(bank, [1, 1, 0], ability_method="ml")).frame()
    assert np.isnan(table["ability"][0])
    assert np.isfinite(table["ability"][2])
    axes = ic.plots.adaptive_trace(ask(bank, [1], ability_method="ml"))
    assert np.isfinite(axes.get_ylim()).all()


def test_items_of_different_models_share_one_scale():
    logistic = ic.Bank.from_parameters("2pl", discrimination=1.0, difficulty=[0.5], items=["a"])
    scores = ic.Bank.from_parameters("beta3", discrimination=1.0, difficulty=[0.5], items=["b"])
    test = ic.AdaptiveTest(logistic + scores)
    test.record_many({"a": 1, "b": 0.7})
    assert ic.tables.adaptive_trace(test).difficulty == pytest.approx([0.5, 0.0])


def test_a_test_without_answers_has_no_course(bank):
    with pytest.raises(ModelError, match="record its answer first"):
        ic.tables.adaptive_trace(ic.AdaptiveTest(bank))
