"""Residuals of groups of respondents."""

import numpy as np
import pytest

from itemcurve.analysis.model_fit.grouped_residuals import grouped_residuals
from itemcurve.errors import ModelError


def test_grouped_residuals_are_small_where_the_model_holds(fitted):
    found = grouped_residuals(fitted("2pl"), items=5, groups=4)
    assert found.residuals.shape == (5, 4)
    assert np.abs(found.residuals).max() < 4
    assert len(found.frame()) == 20
    with pytest.raises(ModelError, match="2 groups"):
        grouped_residuals(fitted("2pl"), groups=1)
