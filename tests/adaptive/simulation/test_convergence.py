import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ResponsesError


def test_the_convergence_point_is_the_first_from_which_errors_stay_near():
    find = ic.stopping.find_convergence
    assert find(np.array([0.2, 0.1, 0.104, 0.102])) == 2
    assert find(np.array([0.1, 0.2, 0.1])) == 3
    assert find(np.array([0.1, 0.1])) == 1
    assert find(np.array([0.2, 0.1, 0.104, 0.102]), near=0.01) == 4


def test_errors_of_a_test_are_those_of_what_it_infers_about_all_items():
    truth = ic.simulate("fractional-2pl", respondents=5, items=20, seed=1)
    bank = ic.Bank.from_parameters(
        "fractional-2pl",
        discrimination=truth.items["discrimination"],
        difficulty=truth.items["difficulty"],
        items=truth.responses.items,
    )
    tests = ic.simulate_tests(bank, responses=truth.responses, max_items=20, seed=1)
    errors = ic.stopping.trace_errors(tests, truth.responses)
    assert errors.shape == (5, 20)
    expected = bank.expected_response([tests.ability_path[2, 7]])[0]
    gaps = expected - truth.responses.array()[2]
    assert errors[2, 7] == pytest.approx(np.sqrt(np.mean(gaps**2)))
    with pytest.raises(ResponsesError, match="one row of responses per test"):
        ic.stopping.trace_errors(tests, truth.responses.take([0, 1], None))
