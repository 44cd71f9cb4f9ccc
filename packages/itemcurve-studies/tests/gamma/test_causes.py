"""Causes that were tested: what they say follows from the data."""

import numpy as np
import pytest

from itemcurve_studies.gamma.causes import find_where_lines_vary, try_without_lines
from itemcurve_studies.gamma.polynomial import Polynomial, draw_points
from itemcurve_studies.gamma.regressors import RESPONDENTS, grade_errors, predict_all


@pytest.fixture(scope="module")
def study():
    """One data set with two levels; abilities and errors are made up."""
    x, y, train, test = draw_points(np.random.default_rng([0, 0]))
    graded = grade_errors(predict_all(x[train, None], y[train], x[test, None], 0), y[test])
    people, items = len(RESPONDENTS), len(test)
    abilities = np.full((1, 4, 2, people), 0.4)
    abilities[:, 1:, 0] = 0.44
    abilities[:, 1:, 1] = 0.8
    absolute = np.array([1.0, 1.05, 1.2, 1.3])[None, :, None] * np.ones((1, 1, people))
    return Polynomial(
        x=x[test][None],
        targets=np.zeros((1, 4, items)),
        scores=np.repeat(graded.scores[None, None], 4, axis=1),
        errors=absolute,
        absolute=absolute,
        item_errors=np.zeros((1, 4, items)),
        abilities=abilities,
        difficulty=np.abs(x[test])[None, None, None] * np.ones((1, 4, 2, 1)),
        discrimination=np.ones((1, 4, 2, items)),
        seconds=np.zeros((1, 4, 2)),
    )


def test_the_steps_at_which_lines_vary_more_are_counted(study):
    text = find_where_lines_vary(study)
    assert "each of the first 1, and at 1 of all 3" in text
    assert "stops at +10%" in text
    assert "goes on to +30%" in text
    assert "ends at +100% and varies more at 3" in text


def test_the_easiest_items_are_placed_with_and_without_lines(study):
    text = try_without_lines(study)
    # Made-up difficulties are smallest in the middle.
    assert "0% lie at the ends, 0% between 1 and 1.25 and 100% between −1 and 0.4" in text
    assert "fitted without these three, " in text
