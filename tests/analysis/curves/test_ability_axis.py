"""The axis that abilities are shown on."""

from dataclasses import replace

import numpy as np

from itemcurve.analysis.curves.ability_axis import ability_axis, shown_difficulties
from itemcurve.analysis.curves.wright_map import wright_map


def test_abilities_that_crowd_at_an_end_are_shown_as_logits(fitted):
    result = fitted("beta3")
    assert ability_axis(result).is_unit
    far = replace(
        result,
        estimates=replace(result.estimates, ability_points=np.linspace(3.0, 12.0, 60)[:, None]),
    )
    axis = ability_axis(far)
    assert axis.label == "ability (logits)"
    assert axis.points[-1] > 12
    assert np.allclose(
        shown_difficulties(far, axis), result.items["difficulty_logit"], equal_nan=True
    )
    assert wright_map(far).frame()["respondents"].sum() == 60
