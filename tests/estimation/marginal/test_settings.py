"""Settings of the marginal method, and which side it takes."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ModelError

GOOD = ic.simulate("2pl", respondents=30, items=8, seed=0).responses
NAN = np.nan


@pytest.mark.parametrize(
    "settings",
    [
        {"over": "both"},
        {"standard_errors": "all"},
        {"tolerance": NAN},
        {"tolerance": -1},
        {"max_iterations": 0},
        {"max_iterations": "5"},
    ],
)
def test_settings_of_the_method_are_checked_at_once(settings):
    with pytest.raises(ModelError, match=r"must .*Got .*Leave it out"):
        ic.Marginal(**settings)


def test_held_parameters_per_item_send_a_fit_with_few_respondents_to_the_other_side():
    few = ic.simulate("2pl", respondents=20, items=60, seed=0).responses
    fit = ic.fit(few, "2pl", discrimination=np.ones(60))
    assert fit.estimates.over == "respondents"


def test_the_side_is_chosen_by_the_shape_and_shown():
    few = ic.simulate("2pl", respondents=20, items=60, seed=0).responses
    assert ic.fit(few, "2pl").estimates.over == "items"
    assert ic.fit(few, "2pl", prior=None, on_failure="ignore").estimates.over == "respondents"
    assert ic.fit(GOOD, "2pl").estimates.over == "respondents"
