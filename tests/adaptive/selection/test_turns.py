import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ModelError


@pytest.fixture(scope="module")
def bank():
    rng = np.random.default_rng(1)
    return ic.Bank.from_parameters(
        "2pl", discrimination=rng.uniform(0.5, 2, 12), difficulty=rng.normal(size=12)
    )


def test_rules_take_turns_by_the_number_of_answers(bank):
    asked = []

    def first(own, state):
        asked.append("first")
        return np.zeros(len(own))

    def second(own, state):
        asked.append("second")
        return np.zeros(len(own))

    test = ic.AdaptiveTest(bank, ic.selection.InTurn((first, second)), ic.stopping.max_items(5))
    while (item := test.next_item()) is not None:
        test.record(item, 1)
    assert asked == ["first", "second", "first", "second", "first"]


def test_combined_begins_as_fisher_does_and_leaves_the_third_to_chance(bank):
    orders = []
    for seed in range(12):
        test = ic.AdaptiveTest(bank, "combined", ic.stopping.max_items(3), seed=seed)
        order = []
        while (item := test.next_item()) is not None:
            order.append(item)
            test.record(item, 1)
        orders.append(order)
    fisher = ic.AdaptiveTest(bank, "fisher", seed=0).next_item()
    assert {order[0] for order in orders} == {fisher}
    assert len({order[2] for order in orders}) > 3


def test_no_rules_are_refused():
    with pytest.raises(ModelError, match="one at least"):
        ic.selection.InTurn(())


def test_items_of_a_batch_take_turns_too(bank):
    values = np.arange(len(bank), dtype=float)
    rules = (lambda own, state: values, lambda own, state: -values)
    test = ic.AdaptiveTest(bank, ic.selection.InTurn(rules))
    assert test.next_batch(4) == [bank.items[place] for place in (11, 0, 10, 1)]
