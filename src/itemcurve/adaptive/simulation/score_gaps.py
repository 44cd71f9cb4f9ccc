"""How far from its score on all items a test has a respondent: whether it has placed it."""

from typing import Annotated

import numpy as np

from itemcurve.adaptive.simulation.simulated_tests import SimulatedTests
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes
from itemcurve.responses.matrix import Responses


def trace_score_gaps(
    tests: SimulatedTests, responses: Responses
) -> Annotated[Array, axes("tests items")]:
    """Give what each test expects of the score on all items, less that score, after each item.

    The score is the mean of the responses that were given: the noise of single ones, which no test
    foretells and which makes most of their error, averages out.

    Parameters
    ----------
    responses : to all items of the bank, one row per test: those that `simulate_tests` was given.
    """
    given = responses.array()
    found = np.empty(tests.ability_path.shape)
    for test, path in enumerate(tests.ability_path):
        expected = np.asarray(tests.bank.expected_response(path))
        found[test] = np.nanmean(expected - given[test], axis=1)
    return found
