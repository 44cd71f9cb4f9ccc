"""Which data sets are asked, and when errors have converged."""

import numpy as np
import pytest

from itemcurve.bank.item_bank import Bank
from itemcurve_studies.adaptive.sequences import find_convergence, run_sequences


def test_the_convergence_point_is_the_first_from_which_errors_stay_near():
    assert find_convergence(np.array([0.2, 0.1, 0.104, 0.102])) == 2
    assert find_convergence(np.array([0.1, 0.2, 0.1])) == 3
    assert find_convergence(np.array([0.1, 0.1])) == 1


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
