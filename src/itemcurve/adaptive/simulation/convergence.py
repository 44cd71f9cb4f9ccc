"""How many items a test needed: when its errors stopped changing."""

from typing import Annotated

import numpy as np

from itemcurve.adaptive.simulation.simulated_tests import SimulatedTests
from itemcurve.errors import ResponsesError
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes
from itemcurve.responses.matrix import Responses

Errors = Annotated[Array, axes("tests items")]
# What is close to the last error, as a share of the smallest: that of Song and Flach.
NEAR = 0.05


def trace_errors(tests: SimulatedTests, responses: Responses) -> Errors:
    """Give the error of what each test infers, after each item (tests × items).

    Root mean square of the expected responses to all items at the ability so far, against those
    that were given (Song and Flach 2021, table III).

    Parameters
    ----------
    responses : to all items of the bank, one row per test: those that `simulate_tests` was given.
    """
    if responses.shape != (len(tests.asked), len(tests.bank)):
        raise ResponsesError(
            "There must be one row of responses per test, and one column per item of the bank.",
            f"Got {responses.shape} for {len(tests.asked)} tests of {len(tests.bank)} items.",
            "Give the responses that the tests were simulated with.",
        )
    given = responses.array()
    found = np.empty(tests.ability_path.shape)
    for test, path in enumerate(tests.ability_path):
        expected = np.asarray(tests.bank.expected_response(path))
        found[test] = np.sqrt(np.nanmean((expected - given[test]) ** 2, axis=1))
    return found


def find_convergence(errors: Annotated[Array, axes("items")], near: float = NEAR) -> int:
    """Give after how many items errors came close to the last one for good, counted from 1.

    The first c with |rᵢ − r_T| ≤ `near` · min r for all i ≥ c (Song and Flach 2021, table IV).

    Parameters
    ----------
    errors : after each item.
    near : what counts as close, as a share of the smallest error.

    Examples
    --------
    >>> import numpy as np
    >>> find_convergence(np.array([0.2, 0.1, 0.104, 0.102]))
    2
    """
    is_far = np.abs(errors - errors[-1]) > near * errors.min()
    return int(np.flatnonzero(is_far)[-1]) + 2 if is_far.any() else 1
