"""Which data sets are asked, and when errors have converged."""

import numpy as np
import pytest

from itemcurve.bank.item_bank import Bank
from itemcurve_studies.adaptive.sequences import run_sequences


@pytest.fixture(scope="module")
def bank():
    return Bank.from_parameters(
        "fractional-2pl", discrimination=[0.5, 2.0, 1.0], difficulty=[0.0, 0.0, 0.0]
    )


def test_every_rule_asks_every_data_set_once(bank):
    values = np.full((2, 3, 1), 0.7)
    for rule, shape in (("fisher", (2, 1)), ("random", (2, 4)), ("combined", (1, 1))):
        found = run_sequences(bank, values, rule, 4)
        assert found.asked.shape == (*shape, 3)
        assert (np.sort(found.asked, axis=-1) == np.arange(3)).all()
        assert found.rmse.shape == (*shape, 4)
        assert found.converged.shape == shape


def test_information_asks_the_most_discriminating_first(bank):
    found = run_sequences(bank, np.full((1, 3, 1), 0.7), "kl", 1)
    assert found.asked[0, 0].tolist() == [1, 2, 0]
