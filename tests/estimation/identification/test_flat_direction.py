"""A flat maximum says which parameters it leaves open."""

import numpy as np
import pytest

from itemcurve.estimation.identification.flat_direction import described, flat_direction
from itemcurve.estimation.identification.population import Coordinate, Population
from itemcurve.models.priors import Normal


def test_the_parameters_that_move_along_the_flattest_direction_are_named():
    direction = np.array([0.0, 0.8, 0.6, 0.0])
    information = 50 * (np.eye(4) - np.outer(direction, direction)) + 1e-9 * np.eye(4)
    found = flat_direction(information, ["one", "two", "three", "four"])
    assert list(found) == ["undetermined: two", "undetermined: three"]
    assert list(found.values()) == pytest.approx([0.64, 0.36])
    assert described(found) == "two (64% of the direction), three (36% of the direction)"
    assert described({"chains": 4.0}) == ""


def test_parts_of_a_populations_state_have_names():
    slope = Coordinate(Normal(1.0, 1.0), is_mean_free=True, is_sd_free=True)
    population = Population((slope, Coordinate(Normal(0.0, 1.0), is_sd_free=True)))
    assert population.state_names(["slope", "place"]) == [
        "mean of slope",
        "spread of slope",
        "spread of place",
    ]
